// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_OPERATOR_FIT_H_
#define BELAY_JUDGE_OPERATOR_FIT_H_

// A case of a task as a call of an operator that somebody else has defined.

#include <optional>
#include <string>
#include <vector>

#include "bench/export_signature.h"
#include "bench/inputs.h"
#include "guest/operator_binding.h"
#include "runtime/operators/signature.h"

namespace belay::judge {

// The operator with the task's signature among those of a candidate; without
// one, *why says what the likeliest lacks.
std::optional<runtime::OperatorSignature> ChooseOperator(
    const std::vector<runtime::OperatorSignature>& operators,
    const bench::Task& task, const bench::Case* only, std::string* why);

struct CaseCall {
  guest::BoundCall bound;  // only inputs that the host may read have values
  std::vector<guest::OutputRequest> outputs;
};

// Throws UserError where the case does not fit the operator.
CaseCall CallOfCase(const bench::Task& task, const bench::Case& one_case,
                    const bench::Arguments& inputs,
                    const runtime::OperatorSignature& signature);

// Replaces what a candidate's tiling says about the outputs by what the task
// says. Throws UserError where the plan cannot be: no such column, more blocks
// than a launch can have.
void RequireSoundPlan(const runtime::OperatorSignature& signature,
                      const CaseCall& call, runtime::LaunchPlan& plan);

// The name under which an output of the task is an output of the operator.
const std::string& OperatorNameOf(const bench::OutputSpec& output);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_OPERATOR_FIT_H_
