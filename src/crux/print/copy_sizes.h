// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_COPY_SIZES_H_
#define BELAY_CRUX_PRINT_COPY_SIZES_H_

// Copies that only variants of one size of T have say how many bytes they move
// as those of all variants do: n * kSize rather than n * 2.

#include <vector>

#include "crux/print/merge_variants.h"
#include "crux/print/variant_space.h"

namespace belay::crux::print {

FunctionText WithCopySizes(FunctionText function,
                           const std::vector<Slot>& slots, VariantSpace& space,
                           Vocabulary& vocabulary);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_COPY_SIZES_H_
