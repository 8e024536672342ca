// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_CODE_REWRITE_H_
#define BELAY_CRUX_IR_CODE_REWRITE_H_

// Replaces integers throughout code.

#include <functional>

#include "crux/ir/code.h"

namespace belay::crux::code {

// Changes integers in place; it is not asked about constants.
using IntRewrite = std::function<void(Int&)>;

void RewriteInts(Block& block, const IntRewrite& rewrite);
// Sizes of memory and of the launch, too.
void RewriteInts(Kernel& kernel, const IntRewrite& rewrite);

}  // namespace belay::crux::code

#endif  // BELAY_CRUX_IR_CODE_REWRITE_H_
