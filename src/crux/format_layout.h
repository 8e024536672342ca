// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_FORMAT_LAYOUT_H_
#define BELAY_CRUX_FORMAT_LAYOUT_H_

// Breaks one logical line into lines of at most 80 columns.

#include <string>
#include <vector>

#include "crux/format_spacing.h"

namespace belay::crux {

// Lines with their indentation, without line ends. A line with nothing to break
// at stays long.
std::vector<std::string> Layout(std::vector<Piece> pieces, int indent);

}  // namespace belay::crux

#endif  // BELAY_CRUX_FORMAT_LAYOUT_H_
