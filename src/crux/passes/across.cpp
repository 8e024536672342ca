// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/across.h"

#include <limits>

#include "crux/ir/limits.h"
#include "crux/passes/across_builder.h"

namespace belay::crux::passes {
ir::Number NeutralOf(Op combine, DType dtype) {
  const double infinity = std::numeric_limits<double>::infinity();
  switch (combine) {
    case Op::kMax:
      return IsFloating(dtype) ? RealNumber(-infinity)
                               : IntNumber(ir::LowestOf(dtype));
    case Op::kMin:
      return IsFloating(dtype) ? RealNumber(infinity)
                               : IntNumber(ir::HighestOf(dtype));
    case Op::kAll:
      return IntNumber(1);
    default:
      return IsFloating(dtype) ? RealNumber(0) : IntNumber(0);
  }
}

void LowerAcross(ir::Kernel& kernel) {
  MeasureOpenOutputs(kernel);
  const std::vector<ir::Across> all = kernel.across;
  for (const ir::Across& across : all) {
    if (across.combine == Op::kCumsum) {
      LowerPrefix(kernel, across);
    } else {
      LowerTotal(kernel, across);
    }
  }
}

}  // namespace belay::crux::passes
