// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_DEBUG_H_
#define BELAY_ASCENDC_DEBUG_H_

// printf, assertions and Trap in kernel code.

#include <stdint.h>

#include <type_traits>

#include "ascendc/bfloat16.h"
#include "ascendc/half.h"
#include "ascendc/inline.h"
#include "ascendc/tensor.h"
#include "ascendc/types.h"
#include "belay/guest_abi.h"

extern "C" {
int printf(const char* __restrict format, ...);
void __assert_fail(const char* expression, const char* file, unsigned int line,
                   const char* function) noexcept __attribute__((__noreturn__));
}

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// Whether C's variable arguments carry a T to printf as printf expects it.
template <typename T>
inline constexpr bool kIsPassedAsItIs =
    !std::is_class_v<T> && !std::is_same_v<T, half>;

// A value as they can carry it.
template <typename T>
BELAY_API auto Printable(const T& value);
template <typename T>
BELAY_API auto Printable(const ElementReference<T>& element) {
  return Printable(static_cast<T>(element));
}
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

[[noreturn]] BELAY_API void FailAssertion(const char* expression,
                                          const char* file, unsigned int line,
                                          const char* function) {
  belay_assert_fail(expression, file, line, function);
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

// The C library's printf for arguments that it would pass unread.
template <typename... Arguments,
          typename = std::enable_if_t<
              (!belay::api::kIsPassedAsItIs<Arguments> || ...)>>
BELAY_API int printf(const char* format, Arguments... arguments) {
  return __builtin_printf(format, belay::api::Printable(arguments)...);
}

BELAY_KERNEL_CODE_END

// ascendc_assert(condition) or ascendc_assert(condition, format, values…), and
// the same as assert and ASSERT. Host code may use assert with a condition
// alone.
#if !defined(ASSERT)
#define ASSERT(...) ascendc_assert(__VA_ARGS__)
#endif
// The statement for a failure is for other builds: here the assertion itself
// tells.
#define ASCENDC_ASSERT(condition, ...) ascendc_assert(condition)
#define ascendc_assert(...) \
  BELAY_PICK_ASSERT_(__VA_ARGS__)(::belay::api::FailAssertion, __VA_ARGS__)
#undef assert
#define assert(...) BELAY_PICK_ASSERT_(__VA_ARGS__)(__assert_fail, __VA_ARGS__)

#define BELAY_PICK_ASSERT_(...)                                               \
  BELAY_ELEVENTH_(__VA_ARGS__, BELAY_ASSERT_SAYS_, BELAY_ASSERT_SAYS_,        \
                  BELAY_ASSERT_SAYS_, BELAY_ASSERT_SAYS_, BELAY_ASSERT_SAYS_, \
                  BELAY_ASSERT_SAYS_, BELAY_ASSERT_SAYS_, BELAY_ASSERT_SAYS_, \
                  BELAY_ASSERT_SAYS_, BELAY_ASSERT_ONLY_, )
#define BELAY_ELEVENTH_(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, name, ...) name
#define BELAY_ASSERT_ONLY_(fail, condition) \
  (static_cast<bool>(condition)             \
       ? static_cast<void>(0)               \
       : fail(#condition, __FILE__, __LINE__, __func__))
#define BELAY_ASSERT_SAYS_(fail, condition, ...) \
  (static_cast<bool>(condition)                  \
       ? static_cast<void>(0)                    \
       : (::AscendC::printf(__VA_ARGS__),        \
          fail(#condition, __FILE__, __LINE__, __func__)))

#endif  // BELAY_ASCENDC_DEBUG_H_
