// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_TILING_SUMS_H_
#define BELAY_CRUX_PRINT_TILING_SUMS_H_

// Sums of a tiling function that were printed and merged term by term.

#include <string>
#include <vector>

#include "crux/print/text.h"

namespace belay::crux::print {

// Terms of `total` and `moved` that are added several times become products,
// and a total under no condition one statement.
Text WithShortSums(const Text& text);

// Takes out of the blocks a sum `moved` that several of them add up in the same
// words, of fields that are set in `front` of them all. Gives its lines.
std::vector<std::string> TakeSum(const Text& front,
                                 const std::vector<Text*>& blocks);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_TILING_SUMS_H_
