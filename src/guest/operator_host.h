// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_OPERATOR_HOST_H_
#define BELAY_GUEST_OPERATOR_HOST_H_

// An operator's host code at work: loaded in a child process with limits, its
// crashes and endless loops turned into diagnostics.

#include <optional>
#include <string>
#include <vector>

#include "guest/host_crash.h"
#include "runtime/operators/plan.h"

namespace belay::guest {

struct HostOptions {
  std::string module;  // the compiled op_host
  HostLimits limits;
  bool output_to_stderr = false;  // what the host code prints
};

struct OperatorsFound {
  std::vector<Diagnostic> diagnostics;  // errors: none was found
  std::vector<runtime::OperatorSignature> operators;
  bool killed = false;  // by somebody else: no fault of the host code
};

// The operators the module registers when it is loaded, as they are on `chip`.
OperatorsFound DescribeOperators(const HostOptions& options,
                                 const std::string& chip);

struct HostPlan : runtime::PlanResult {
  bool killed = false;
};

// runtime::PlanLaunch in a child that has loaded the module.
HostPlan PlanInChild(const HostOptions& options,
                     const runtime::OperatorCall& call);

}  // namespace belay::guest

#endif  // BELAY_GUEST_OPERATOR_HOST_H_
