// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_FAULT_MESSAGE_H_
#define BELAY_GUEST_FAULT_MESSAGE_H_

// A guest fault on its way from the child that ran the guest to the parent,
// which knows how to turn program counters into lines.

#include <optional>
#include <string>

#include "npu/fault.h"

namespace belay::guest {

// One line of JSON. Program counters become offsets into the module at `base`.
std::string EncodeFault(const npu::Fault& fault, uint64_t base);

// The fault with offsets for program counters; nothing if the line is not one
// of ours (a child that crashed while writing).
std::optional<npu::Fault> DecodeFault(const std::string& line);

}  // namespace belay::guest

#endif  // BELAY_GUEST_FAULT_MESSAGE_H_
