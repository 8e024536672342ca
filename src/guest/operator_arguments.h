// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_OPERATOR_ARGUMENTS_H_
#define BELAY_GUEST_OPERATOR_ARGUMENTS_H_

// What a kernel is launched with, in the order of its parameters.

#include <optional>
#include <string>
#include <vector>

#include "guest/operator_binding.h"
#include "guest/operator_kernel.h"

namespace belay::guest {

// A parameter whose contents after the launch are wanted.
struct ResultRequest {
  std::string name;
  size_t argument;  // of the kernel
  // Where the kernel writes the shape, and for which of the outputs there; the
  // shape it was launched with is the largest possible then.
  struct ShapePlace {
    size_t argument;
    size_t index;
  };
  std::optional<ShapePlace> shape_from = {};
};

struct OperatorArguments {
  std::vector<KernelArgument> arguments;
  std::vector<ResultRequest> results;
};

// Words that hold one output's shape where the kernel writes it: the rank,
// then the sizes.
inline constexpr size_t kShapeWords = 9;

// Inputs, outputs and, where the kernel says shapes, the place for them. What
// is returned points into `bound`.
OperatorArguments ArgumentsOfCall(const runtime::OperatorSignature& signature,
                                  const BoundCall& bound,
                                  const runtime::LaunchPlan& plan,
                                  const std::vector<OutputRequest>& outputs);

// For a kernel alone: all inputs, then all outputs, as given. Fills in the
// scalars of `inputs`, and points into it. Throws UserError when the shape or
// type of one is not said.
OperatorArguments ArgumentsAsGiven(std::vector<ReadInput>& inputs,
                                   const std::vector<OutputRequest>& outputs);

}  // namespace belay::guest

#endif  // BELAY_GUEST_OPERATOR_ARGUMENTS_H_
