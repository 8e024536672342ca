// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_BROADCAST_EIGHT_H_
#define BELAY_CRUX_SELECT_BROADCAST_EIGHT_H_

// Binary vector instructions over few long rows: a repeat takes the same block
// of eight rows, so that an instruction takes eight rows where it would take
// one.

#include <string>

#include "crux/select/vector.h"

namespace belay::crux::select {

struct EightOperand {
  Local place;
  Int pitch = 0;       // elements between rows; 0: all read one
  bool again = false;  // one block of a row is read for all its columns
};

// dst = function(left, right) for rows of `columns` elements. These are whole
// repeats, and pitches whole blocks. Eight rows are conflict-free where their
// pitch is an odd multiple of two blocks.
struct EightRows {
  std::string function;
  EightOperand dst;
  EightOperand left;
  EightOperand right;
  Int rows;
  Int columns;
};

void EmitEightRows(Emitter& emitter, const EightRows& rows);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_BROADCAST_EIGHT_H_
