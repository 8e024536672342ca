// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/across.h"

#include <limits>

#include "crux/passes/across_builder.h"

namespace belay::crux::passes {
namespace {

int64_t LowestOf(DType dtype) {
  if (!IsSigned(dtype)) return 0;
  const int bits = BitsOf(dtype);
  return bits == 64 ? std::numeric_limits<int64_t>::min()
                    : -(int64_t{1} << (bits - 1));
}

int64_t HighestOf(DType dtype) {
  const int bits = BitsOf(dtype) - (IsSigned(dtype) ? 1 : 0);
  if (bits == 64) return -1;  // all bits set
  return bits == 63 ? std::numeric_limits<int64_t>::max()
                    : (int64_t{1} << bits) - 1;
}

}  // namespace

ir::Number NeutralOf(Op combine, DType dtype) {
  const double infinity = std::numeric_limits<double>::infinity();
  switch (combine) {
    case Op::kMax:
      return IsFloating(dtype) ? RealNumber(-infinity)
                               : IntNumber(LowestOf(dtype));
    case Op::kMin:
      return IsFloating(dtype) ? RealNumber(infinity)
                               : IntNumber(HighestOf(dtype));
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
