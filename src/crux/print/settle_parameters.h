// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_SETTLE_PARAMETERS_H_
#define BELAY_CRUX_PRINT_SETTLE_PARAMETERS_H_

// Functions without parameters that nobody needs: what every call of every
// kernel hands over as the same number, or as the same as another parameter.

#include <memory>
#include <vector>

#include "crux/ir/code.h"

namespace belay::crux::print {

// The kernels, in their order. Functions with the same parameters keep the same
// ones, so that those that differ in an instruction stay alike.
std::vector<std::shared_ptr<const code::Kernel>> SettleParameters(
    const std::vector<std::shared_ptr<const code::Kernel>>& kernels);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_SETTLE_PARAMETERS_H_
