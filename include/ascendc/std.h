// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_STD_H_
#define BELAY_ASCENDC_STD_H_

// AscendC::Std: the part of the C++ library that kernels may use.

#include <stddef.h>

#include <tuple>
#include <type_traits>
#include <utility>

#include "ascendc/inline.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC::Std {

using std::add_const;
using std::add_const_t;
using std::add_cv;
using std::add_cv_t;
using std::add_lvalue_reference;
using std::add_lvalue_reference_t;
using std::add_pointer;
using std::add_pointer_t;
using std::add_rvalue_reference;
using std::add_rvalue_reference_t;
using std::add_volatile;
using std::add_volatile_t;
using std::conditional;
using std::conditional_t;
using std::decay;
using std::decay_t;
using std::declval;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::forward;
using std::get;
using std::index_sequence;
using std::integer_sequence;
using std::integral_constant;
using std::is_array;
using std::is_array_v;
using std::is_base_of;
using std::is_base_of_v;
using std::is_const;
using std::is_const_v;
using std::is_convertible;
using std::is_convertible_v;
using std::is_floating_point;
using std::is_floating_point_v;
using std::is_integral;
using std::is_integral_v;
using std::is_pointer;
using std::is_pointer_v;
using std::is_reference;
using std::is_reference_v;
using std::is_same;
using std::is_same_v;
using std::is_void;
using std::is_void_v;
using std::make_index_sequence;
using std::make_integer_sequence;
using std::make_tuple;
using std::move;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_pointer;
using std::remove_pointer_t;
using std::remove_reference;
using std::remove_reference_t;
using std::remove_volatile;
using std::remove_volatile_t;
using std::tie;
using std::true_type;
using std::tuple;
using std::tuple_element;
using std::tuple_element_t;
using std::tuple_size;
using std::tuple_size_v;

template <size_t value>
using Int = std::integral_constant<size_t, value>;
template <bool value>
using bool_constant = std::integral_constant<bool, value>;
template <typename T>
inline constexpr bool is_tuple_v = false;
template <typename... Ts>
inline constexpr bool is_tuple_v<std::tuple<Ts...>> = true;
template <typename T>
struct is_tuple : bool_constant<is_tuple_v<T>> {};

template <typename T, typename U>
BELAY_API constexpr T max(const T a, const U b) {
  return a > static_cast<T>(b) ? a : static_cast<T>(b);
}
template <typename T, typename U>
BELAY_API constexpr T min(const T a, const U b) {
  return a < static_cast<T>(b) ? a : static_cast<T>(b);
}
template <typename T>
BELAY_API constexpr T abs(const T value) {
  return value < T(0) ? static_cast<T>(-value) : value;
}
template <typename T>
BELAY_API T sqrt(const T value) {
  return static_cast<T>(__builtin_sqrtf(static_cast<float>(value)));
}

}  // namespace AscendC::Std

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_STD_H_
