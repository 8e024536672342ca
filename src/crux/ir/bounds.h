// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_BOUNDS_H_
#define BELAY_CRUX_IR_BOUNDS_H_

// What is known about integers before the kernel runs.

#include <cstdint>
#include <optional>

#include "crux/ir/tile.h"

namespace belay::crux::ir {

// A value that the integer never exceeds; nothing if none is known. Sizes are
// taken as not negative.
std::optional<int64_t> Most(const Kernel& kernel, const Int& expr);

// How much `expr` grows when `name` grows by one: an expression without the
// name; nothing if it does not grow evenly.
std::optional<Int> Slope(const Int& expr, std::string_view name);

// Whether `a` is never below `b`, as far as it is easily seen, where no name in
// them is negative.
bool IsAtLeast(const Int& a, const Int& b);

// Whether `expr` is plainly never above 0, where no name in it is negative.
bool IsNeverPositive(const Int& expr);

}  // namespace belay::crux::ir

#endif  // BELAY_CRUX_IR_BOUNDS_H_
