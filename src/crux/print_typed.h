// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_TYPED_H_
#define BELAY_CRUX_PRINT_TYPED_H_

// The typed tree as text: every name resolved, every expression with its type,
// helpers put in place. For people, golden tests and comparing programs.

#include <string>

#include "crux/typed.h"

namespace belay::crux {

std::string ToText(const typed::Program& program);
std::string ToText(const typed::Kernel& kernel);

// "add(load(x[r, :]), 1): f32[N]" without the type.
std::string ToText(const typed::Expr& expr);

}  // namespace belay::crux

#endif  // BELAY_CRUX_PRINT_TYPED_H_
