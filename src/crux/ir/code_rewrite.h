// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_CODE_REWRITE_H_
#define BELAY_CRUX_IR_CODE_REWRITE_H_

// Replaces integers throughout code.

#include <functional>

#include "crux/ir/code.h"

namespace belay::crux::code {

using IntRewrite = std::function<Int(const Int&)>;

void RewriteInts(Block& block, const IntRewrite& rewrite);
// Sizes of memory and of the launch, too.
void RewriteInts(Kernel& kernel, const IntRewrite& rewrite);

}  // namespace belay::crux::code

#endif  // BELAY_CRUX_IR_CODE_REWRITE_H_
