// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_FOREIGN_H_
#define BELAY_CRUX_FOREIGN_H_

// How NumPy, torch, Triton and others spell things, and what Crux writes.

#include <string_view>

namespace belay::crux {

// np, torch, tl, math, …
bool IsForeignModule(std::string_view name);

// What to write for a function of another library ("log" -> "ln(t)"); empty if
// it is not known.
std::string_view ForFunction(std::string_view name);

// What to write for a dtype of another library ("float32" -> "f32"); empty if
// it is not known.
std::string_view ForDtype(std::string_view name);

// What to write for an attribute or a method of a tile or tensor ("T" ->
// "transpose(t)"); empty if it is not known.
std::string_view ForAttribute(std::string_view name);

// What to write for a keyword argument ("dim" -> "axis"); empty if it is not
// known.
std::string_view ForKeyword(std::string_view name);

}  // namespace belay::crux

#endif  // BELAY_CRUX_FOREIGN_H_
