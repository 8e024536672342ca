// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_DTYPE_H_
#define BELAY_ASCENDC_DTYPE_H_

// Element types: which record type a C++ type is, and how an operation says
// at compile time that it does not take one.

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
constexpr bool IsIn(uint32_t set) {
  return (set >> static_cast<uint32_t>(kDTypeOf<T>) & 1) != 0;
}

// Sets that several operations share, each followed by its wording: the two
// arguments BELAY_TAKES wants.
#define BELAY_HALF_FLOAT                                          \
  (::belay::api::kSetOf<::belay::api::DType::kHalf,               \
                        ::belay::api::DType::kFloat>),            \
      "half or float"
#define BELAY_ARITHMETIC                                          \
  (::belay::api::kSetOf<::belay::api::DType::kInt16,              \
                        ::belay::api::DType::kHalf,               \
                        ::belay::api::DType::kInt32,              \
                        ::belay::api::DType::kFloat>),            \
      "int16_t, half, int32_t or float"
#define BELAY_INT16_HALF_FLOAT                                    \
  (::belay::api::kSetOf<::belay::api::DType::kInt16,              \
                        ::belay::api::DType::kHalf,               \
                        ::belay::api::DType::kFloat>),            \
      "int16_t, half or float"
#define BELAY_HALF_INT32_FLOAT                                    \
  (::belay::api::kSetOf<::belay::api::DType::kHalf,               \
                        ::belay::api::DType::kInt32,              \
                        ::belay::api::DType::kFloat>),            \
      "half, int32_t or float"
#define BELAY_INT16_UINT16                                        \
  (::belay::api::kSetOf<::belay::api::DType::kInt16,              \
                        ::belay::api::DType::kUint16>),           \
      "int16_t or uint16_t"
#define BELAY_INTEGERS                                            \
  (::belay::api::kSetOf<::belay::api::DType::kInt16,              \
                        ::belay::api::DType::kUint16,             \
                        ::belay::api::DType::kInt32,              \
                        ::belay::api::DType::kUint32>),           \
      "int16_t, uint16_t, int32_t or uint32_t"
#define BELAY_16_32_BITS                                          \
  (::belay::api::kSetOf<                                          \
      ::belay::api::DType::kInt16, ::belay::api::DType::kUint16,  \
      ::belay::api::DType::kHalf, ::belay::api::DType::kBfloat16, \
      ::belay::api::DType::kInt32, ::belay::api::DType::kUint32,  \
      ::belay::api::DType::kFloat>),                              \
      "int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t or float"
#define BELAY_ANY_TYPE (~0u), "any type"

// Refuses T at compile time. clang spells the type out; g++ takes a literal
// only and names the type in its own note.
#if defined(__clang__)

class Refusal {
 public:
  constexpr Refusal(const char* api, DType from, const char* takes)
      : Refusal(api, from, DType::kNone, false, takes) {}
  constexpr Refusal(const char* api, DType from, DType to, const char* takes)
      : Refusal(api, from, to, true, takes) {}

  constexpr size_t size() const { return size_; }
  constexpr const char* data() const { return text_; }

 private:
  constexpr Refusal(const char* api, DType from, DType to, bool is_pair,
                    const char* takes) {
    Append(api);
    Append(is_pair ? " does not convert " : " does not take ");
    Append(Name(from));
    if (is_pair) {
      Append(" to ");
      Append(Name(to));
    }
    Append(" on this chip: it takes ");
    Append(takes);
  }

  static constexpr const char* Name(DType dtype) {
    constexpr const char* kNames[] = {
        "this type",  "bool",    "int4b_t",  "int8_t", "uint8_t", "int16_t",
        "uint16_t",   "half",    "bfloat16_t", "int32_t", "uint32_t", "float",
        "int64_t",    "uint64_t", "double",  "complex64"};
    return kNames[static_cast<int>(dtype)];
  }

  constexpr void Append(const char* text) {
    while (*text != 0 && size_ < sizeof(text_)) text_[size_++] = *text++;
  }

  char text_[512] = {};
  size_t size_ = 0;
};

#define BELAY_REQUIRE(condition, ...)                                        \
  _Pragma("clang diagnostic push")                                           \
      _Pragma("clang diagnostic ignored \"-Wc++26-extensions\"")             \
          static_assert(condition, ::belay::api::Refusal(__VA_ARGS__));      \
  _Pragma("clang diagnostic pop")

#define BELAY_TAKES_IMPL(T, api, set, takes)                \
  BELAY_REQUIRE(::belay::api::IsIn<T>(set), "AscendC::" api, \
                ::belay::api::kDTypeOf<T>, takes)
#define BELAY_CONVERTS(To, From, condition, api, takes)               \
  BELAY_REQUIRE(condition, "AscendC::" api, ::belay::api::kDTypeOf<From>, \
                ::belay::api::kDTypeOf<To>, takes)

#else

#define BELAY_TAKES_IMPL(T, api, set, takes)         \
  static_assert(::belay::api::IsIn<T>(set),          \
                "AscendC::" api                      \
                " does not take this type on this chip: it takes " takes);
#define BELAY_CONVERTS(To, From, condition, api, takes)        \
  static_assert(condition,                                     \
                "AscendC::" api                                \
                " does not convert between these types on this chip: it " \
                "takes " takes);

#endif

// BELAY_TAKES(T, "Add", BELAY_ARITHMETIC)
#define BELAY_TAKES(...) BELAY_TAKES_IMPL(__VA_ARGS__)

}  // namespace belay::api

#endif  // BELAY_ASCENDC_DTYPE_H_
