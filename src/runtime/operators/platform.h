// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_PLATFORM_H_
#define BELAY_RUNTIME_OPERATORS_PLATFORM_H_

// The chip as host code of operators sees it.

#include <string>

#include "belay/op_host.h"
#include "npu/chip_spec.h"

namespace belay::runtime {

// From now on the chip that host code is told of; until then it is the
// device's, or the default one. Throws UserError for an unknown chip.
const abi::HostPlatform& UsePlatform(const std::string& chip);

// The numbers of the chip that host code is told of.
const npu::ChipSpec& ChipInUse();

// "ascend910b": the name AddConfig has for the family of a chip.
std::string ConfigNameOf(const abi::HostPlatform& platform);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_OPERATORS_PLATFORM_H_
