// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_PLAN_H_
#define BELAY_RUNTIME_OPERATORS_PLAN_H_

// From a call of an operator to its launch: runs the host functions (shape and
// type inference, tiling) that op_host registered in this process.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/shape.h"
#include "npu/chip_spec.h"
#include "runtime/operators/signature.h"

namespace belay::runtime {

// One tensor of a call.
struct CallTensor {
  DType dtype = DType::kNone;
  Shape shape;
  std::vector<std::byte> values;  // empty unless tiling may read them
};

// All tensors of one parameter: none when an optional one is absent, one as a
// rule, any number for a list.
using CallArgument = std::vector<CallTensor>;

struct OperatorCall {
  std::string type;  // which operator; may be empty when only one is registered
  std::string chip;
  std::vector<CallArgument> inputs;  // as the signature lists them
  // Where the caller knows the outputs; otherwise inference must say them.
  std::vector<std::optional<CallArgument>> outputs;
  std::vector<AttributeValue> attributes;  // as the signature lists them
  bool deterministic = false;
};

// What the host functions decided.
struct LaunchPlan {
  uint32_t column = 0;  // of dtypes, by the signature
  std::vector<CallArgument> outputs;
  // By output: what its memory is filled with before the launch, over and
  // over (InitValue with SetNeedAtomic); empty where it is left alone.
  std::vector<std::vector<std::byte>> fill;
  uint32_t blocks = 0;
  uint64_t tiling_key = 0;
  uint32_t schedule_mode = 0;
  // The kernel's own workspace and the part the library keeps in front of it.
  uint64_t workspace_bytes = 0;
  std::vector<std::byte> tiling;
  // C++ text for the kernel's translation unit: packed structs of the same
  // names as the host's tiling classes, and `using BelayTilingData = …` for
  // the one registered for this operator (absent without classes).
  std::string tiling_structs;
};

struct PlanResult {
  // Errors: a host function failed, or the call does not fit.
  std::vector<Diagnostic> diagnostics;
  std::optional<LaunchPlan> plan;  // without an error
};

// Operators registered by op_host code in this process, in order, as they are
// on this chip. Throws UserError for an unknown chip.
std::vector<OperatorSignature> RegisteredOperators(
    const std::string& chip = npu::kDefaultChip);

// Calls InferDataType, InferShape (for outputs the caller did not give), the
// tiling's parse function and the tiling function. What they throw becomes a
// diagnostic. Throws UserError for an unknown chip.
PlanResult PlanLaunch(const OperatorCall& call);

void to_json(nlohmann::json& json, const OperatorCall& call);
void from_json(const nlohmann::json& json, OperatorCall& call);
void to_json(nlohmann::json& json, const LaunchPlan& plan);
void from_json(const nlohmann::json& json, LaunchPlan& plan);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_OPERATORS_PLAN_H_
