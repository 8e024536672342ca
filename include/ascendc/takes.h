// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_TAKES_H_
#define BELAY_ASCENDC_TAKES_H_

// How an operation says at compile time that it does not take an element type:
// the message names the operation, the type and what it takes instead.

#include "ascendc/dtype.h"

// Sets that several operations share, each followed by its wording: the two
// arguments BELAY_TAKES wants.
#define BELAY_HALF_FLOAT                               \
  (::belay::api::kSetOf<::belay::api::DType::kHalf,    \
                        ::belay::api::DType::kFloat>), \
      "half or float"
#define BELAY_ARITHMETIC                                          \
  (::belay::api::kSetOf<                                          \
      ::belay::api::DType::kInt16, ::belay::api::DType::kHalf,    \
      ::belay::api::DType::kInt32, ::belay::api::DType::kFloat>), \
      "int16_t, half, int32_t or float"
#define BELAY_INT16_HALF_FLOAT                         \
  (::belay::api::kSetOf<::belay::api::DType::kInt16,   \
                        ::belay::api::DType::kHalf,    \
                        ::belay::api::DType::kFloat>), \
      "int16_t, half or float"
#define BELAY_HALF_INT32_FLOAT                         \
  (::belay::api::kSetOf<::belay::api::DType::kHalf,    \
                        ::belay::api::DType::kInt32,   \
                        ::belay::api::DType::kFloat>), \
      "half, int32_t or float"
#define BELAY_INT16_UINT16                              \
  (::belay::api::kSetOf<::belay::api::DType::kInt16,    \
                        ::belay::api::DType::kUint16>), \
      "int16_t or uint16_t"
#define BELAY_INTEGERS                                             \
  (::belay::api::kSetOf<                                           \
      ::belay::api::DType::kInt16, ::belay::api::DType::kUint16,   \
      ::belay::api::DType::kInt32, ::belay::api::DType::kUint32>), \
      "int16_t, uint16_t, int32_t or uint32_t"
#define BELAY_16_32_BITS                                          \
  (::belay::api::kSetOf<                                          \
      ::belay::api::DType::kInt16, ::belay::api::DType::kUint16,  \
      ::belay::api::DType::kHalf, ::belay::api::DType::kBfloat16, \
      ::belay::api::DType::kInt32, ::belay::api::DType::kUint32,  \
      ::belay::api::DType::kFloat>),                              \
      "int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t or float"
#define BELAY_ANY_TYPE (~0u), "any type"

// BELAY_TAKES(T, "Add", BELAY_ARITHMETIC) in the body of a template of T.
#define BELAY_TAKES(...) BELAY_TAKES_IMPL_(__VA_ARGS__)
#define BELAY_TAKES_IMPL_(T, called, set, takes)             \
  if constexpr (!::belay::api::IsIn<T>(set)) {               \
    BELAY_REFUSE_(T, kNone, called, "this type", takes)      \
    BELAY_REFUSE_(T, kBool, called, "bool", takes)           \
    BELAY_REFUSE_(T, kInt4, called, "int4b_t", takes)        \
    BELAY_REFUSE_(T, kInt8, called, "int8_t", takes)         \
    BELAY_REFUSE_(T, kUint8, called, "uint8_t", takes)       \
    BELAY_REFUSE_(T, kInt16, called, "int16_t", takes)       \
    BELAY_REFUSE_(T, kUint16, called, "uint16_t", takes)     \
    BELAY_REFUSE_(T, kHalf, called, "half", takes)           \
    BELAY_REFUSE_(T, kBfloat16, called, "bfloat16_t", takes) \
    BELAY_REFUSE_(T, kInt32, called, "int32_t", takes)       \
    BELAY_REFUSE_(T, kUint32, called, "uint32_t", takes)     \
    BELAY_REFUSE_(T, kFloat, called, "float", takes)         \
    BELAY_REFUSE_(T, kInt64, called, "int64_t", takes)       \
    BELAY_REFUSE_(T, kUint64, called, "uint64_t", takes)     \
    BELAY_REFUSE_(T, kDouble, called, "double", takes)       \
  }
#define BELAY_REFUSE_(T, dtype, called, name, takes)                     \
  static_assert(::belay::api::kDTypeOf<T> != ::belay::api::DType::dtype, \
                "AscendC::" called " does not take " name                \
                " on this chip: it takes " takes);

#endif  // BELAY_ASCENDC_TAKES_H_
