// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_PIECE_TEXT_H_
#define BELAY_CRUX_PRINT_PIECE_TEXT_H_

// The host's function that chooses a tile parameter, as ir/solve.cpp does.

#include <string>
#include <vector>

namespace belay::crux::print {

// Lines that define Piece. `in_turns`: it takes `outer`, the turns of loops
// around that are shared out together with its pieces; else there is one.
std::vector<std::string> PieceDefinitions(bool in_turns);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_PIECE_TEXT_H_
