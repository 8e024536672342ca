// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_FILL_PATTERN_H_
#define BELAY_RUNTIME_OPERATORS_FILL_PATTERN_H_

// What an output with an InitValue is filled with.

#include <cstddef>
#include <vector>

#include "belay/op_host_define.h"

namespace belay::runtime {

// One element's bytes, to be repeated over the output; empty without a value.
std::vector<std::byte> FillPattern(
    const std::vector<abi::HostInitialValue>& values, size_t column);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_OPERATORS_FILL_PATTERN_H_
