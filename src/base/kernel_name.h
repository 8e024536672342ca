// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASE_KERNEL_NAME_H_
#define BELAY_BASE_KERNEL_NAME_H_

// The name of an operator's kernel function.

#include <string>
#include <string_view>

namespace belay {

// Small letters, with '_' in front of a capital that follows a small letter or
// a digit, or that a small letter follows within a row of capitals:
// "AddCustom" is "add_custom", "LayerNormV4" is "layer_norm_v4", "FFN" is
// "ffn", "AbcAAc" is "abc_a_ac".
std::string KernelNameOf(std::string_view type);

}  // namespace belay

#endif  // BELAY_BASE_KERNEL_NAME_H_
