// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_MATMUL_ARITHMETIC_H_
#define BELAY_ASCENDC_MATMUL_ARITHMETIC_H_

// Small helpers that come with the Matmul object's header.

#include "ascendc/dtype.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

// num1 / num2, rounded up; 0 for a division by 0.
BELAY_API constexpr int64_t Ceil(int64_t num1, int64_t num2) {
  return num2 == 0 ? 0 : (num1 + num2 - 1) / num2;
}
// num1 rounded up to a multiple of num2.
BELAY_API constexpr int64_t CeilAlign(int64_t num1, int64_t num2) {
  return Ceil(num1, num2) * num2;
}

// What L0C holds of a product of T.
template <typename T>
struct GetMmDstType {
  using Type = float;
};
template <>
struct GetMmDstType<int8_t> {
  using Type = int32_t;
};
template <>
struct GetMmDstType<int4b_t> {
  using Type = int32_t;
};

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_MATMUL_ARITHMETIC_H_
