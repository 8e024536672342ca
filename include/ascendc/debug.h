// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_DEBUG_H_
#define BELAY_ASCENDC_DEBUG_H_

// printf, assertions and Trap in kernel code.

#include <stdint.h>

#include <type_traits>

#include "ascendc/bfloat16.h"
#include "ascendc/half.h"
#include "ascendc/inline.h"
#include "ascendc/types.h"
#include "belay/guest_abi.h"

extern "C" {
int printf(const char* __restrict format, ...);
void __assert_fail(const char* expression, const char* file, unsigned int line,
                   const char* function) noexcept __attribute__((__noreturn__));
}

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// A value as C's variable arguments carry it to printf.
template <typename T>
BELAY_API auto Printable(const T& value) {
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>) {
    return static_cast<double>(value);
  } else if constexpr (std::is_class_v<T>) {
    return static_cast<int64_t>(value);
  } else {
    return value;
  }
}

}  // namespace belay::api

namespace AscendC {

template <typename... Arguments>
BELAY_API void printf(__gm__ const char* format, Arguments... arguments) {
  belay_printf(format, belay::api::Printable(arguments)...);
}
template <typename... Arguments>
BELAY_API void PRINTF(__gm__ const char* format, Arguments... arguments) {
  belay_printf(format, belay::api::Printable(arguments)...);
}

[[noreturn]] BELAY_API void Trap() { belay_trap(); }

}  // namespace AscendC

using AscendC::PRINTF;

// Overloads of the C library's functions: callable from kernels, and converting
// what its variable arguments would pass unread.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-security"
#endif
template <typename... Arguments>
BELAY_API int printf(const char* format, Arguments... arguments) {
  return __builtin_printf(format, belay::api::Printable(arguments)...);
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
template <typename Text>
[[noreturn]] BELAY_API void __assert_fail(Text expression, const char* file,
                                          unsigned int line,
                                          const char* function) {
  belay_assert_fail(expression, file, line, function);
}

BELAY_KERNEL_CODE_END

// assert(condition) or assert(condition, format, values…).
#undef assert
#define assert(...) ascendc_assert(__VA_ARGS__)
#define ascendc_assert(...)                                               \
  BELAY_PICK_ASSERT_(__VA_ARGS__, BELAY_ASSERT_SAYS_, BELAY_ASSERT_SAYS_, \
                     BELAY_ASSERT_SAYS_, BELAY_ASSERT_SAYS_,              \
                     BELAY_ASSERT_SAYS_, BELAY_ASSERT_SAYS_,              \
                     BELAY_ASSERT_SAYS_, BELAY_ASSERT_SAYS_,              \
                     BELAY_ASSERT_SAYS_, BELAY_ASSERT_ONLY_, )(__VA_ARGS__)
#define BELAY_PICK_ASSERT_(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, name, ...) \
  name
#define BELAY_ASSERT_ONLY_(condition) \
  (static_cast<bool>(condition)       \
       ? static_cast<void>(0)         \
       : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#define BELAY_ASSERT_SAYS_(condition, ...) \
  (static_cast<bool>(condition)            \
       ? static_cast<void>(0)              \
       : (::AscendC::printf(__VA_ARGS__),  \
          __assert_fail(#condition, __FILE__, __LINE__, __func__)))

#endif  // BELAY_ASCENDC_DEBUG_H_
