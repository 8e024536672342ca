// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_DTYPE_H_
#define BELAY_ASCENDC_DTYPE_H_

// Element types: which record type a C++ type is, and how wide it is.

#include <stddef.h>
#include <stdint.h>

#include "ascendc/bfloat16.h"
#include "ascendc/half.h"
#include "ascendc/inline.h"
#include "belay/instruction.h"

namespace AscendC {

// Two elements share a byte, the first in its low half.
struct int4b_t {
  int8_t pair;
};

template <typename T>
struct PrimTypeOf {
  using type = T;
};
template <typename T>
using PrimT = typename PrimTypeOf<T>::type;

template <typename T, typename U>
struct IsSameType {
  static constexpr bool value = false;
};
template <typename T>
struct IsSameType<T, T> {
  static constexpr bool value = true;
};

template <bool condition, typename T, typename U>
struct Conditional {
  using type = T;
};
template <typename T, typename U>
struct Conditional<false, T, U> {
  using type = U;
};

}  // namespace AscendC

namespace belay::api {

using abi::DType;

template <typename T>
inline constexpr DType kDTypeOf = DType::kNone;
template <typename T>
inline constexpr uint32_t kBitsOf = 8 * sizeof(T);
template <>
inline constexpr uint32_t kBitsOf<AscendC::int4b_t> = 4;

#define BELAY_DTYPE(type, dtype) \
  template <>                    \
  inline constexpr DType kDTypeOf<type> = DType::dtype;
BELAY_DTYPE(bool, kBool)
BELAY_DTYPE(AscendC::int4b_t, kInt4)
BELAY_DTYPE(char, kInt8)
BELAY_DTYPE(int8_t, kInt8)
BELAY_DTYPE(uint8_t, kUint8)
BELAY_DTYPE(int16_t, kInt16)
BELAY_DTYPE(uint16_t, kUint16)
BELAY_DTYPE(half, kHalf)
BELAY_DTYPE(bfloat16_t, kBfloat16)
BELAY_DTYPE(int32_t, kInt32)
BELAY_DTYPE(uint32_t, kUint32)
BELAY_DTYPE(float, kFloat)
BELAY_DTYPE(long, kInt64)
BELAY_DTYPE(long long, kInt64)
BELAY_DTYPE(unsigned long, kUint64)
BELAY_DTYPE(unsigned long long, kUint64)
BELAY_DTYPE(double, kDouble)
#undef BELAY_DTYPE

// Bytes `count` elements of T take; an odd int4 shares its byte.
template <typename T>
BELAY_API constexpr uint64_t BytesOf(uint64_t count) {
  return kBitsOf<T> == 4 ? (count + 1) / 2 : count * sizeof(T);
}
// Where element `index` lies, in bytes from element 0.
template <typename T>
BELAY_API constexpr uint64_t OffsetOf(uint64_t index) {
  return kBitsOf<T> == 4 ? index / 2 : index * sizeof(T);
}
template <typename T>
BELAY_API constexpr uint64_t CountOf(uint64_t bytes) {
  return kBitsOf<T> == 4 ? bytes * 2 : bytes / sizeof(T);
}

// A set of types, one bit each.
template <DType... types>
inline constexpr uint32_t kSetOf = ((1u << static_cast<uint32_t>(types)) | ...);
template <typename T>
BELAY_API constexpr bool IsIn(uint32_t set) {
  return (set >> static_cast<uint32_t>(kDTypeOf<T>) & 1) != 0;
}

}  // namespace belay::api

#endif  // BELAY_ASCENDC_DTYPE_H_
