// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_CALL_H_
#define BELAY_TESTS_CRUX_CALL_H_

// Calls of kernels written as text, and their results as numbers.

#include <string>
#include <vector>

#include "crux/interpret/interpret.h"

namespace belay::testing {

// One argument "name=value" for a parameter of the kernel. A tensor is
// "f32[4,8]", holding 0, 1, 2, …, or "i32[3]:0,9,1" with its elements; an
// attribute "3", "0.5", "true", "mean". Throws std::runtime_error on anything
// else.
void AddArgument(const crux::typed::Kernel& kernel, const std::string& text,
                 crux::interpret::Arguments& arguments);

// An array of that dtype; numbers are rounded to it.
Array ArrayOf(DType dtype, Shape shape, const std::vector<double>& numbers);

// The elements in C order.
std::vector<double> NumbersOf(const Array& array);

// Where an element of the leading part of a tensor, of shape `part`, lies in
// all of it.
size_t PlaceIn(const Shape& all, const Shape& part, size_t element);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_CALL_H_
