// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_TURN_H_
#define BELAY_CRUX_SELECT_TURN_H_

// Rows on lanes and back (kTurn, kTurnBack), by TransDataTo5HD.
//
// The rows are cut into 16 runs of rows that follow each other. One instruction
// takes a block of each run and puts their elements side by side, so that 16
// rows, one of each run, become neighbours. Which row is where nobody asks: all
// tiles of the loop are turned alike, and turned back alike.
//
// An instruction takes two lists of addresses. They take longer to work out
// than it takes to run, so they are kept.

#include <string>
#include <vector>

#include "crux/select/emitter.h"

namespace belay::crux::select {

struct Turn {
  bool wide = false;  // elements of 32 bits
  bool back = false;
  int slots = 1;      // addresses come back after so many turns
  std::string lists;  // a buffer
  // Addresses of lines are in this buffer, and `lists` has only those of
  // blocks; none: it has both.
  std::string lines;
  Int columns;
  Int rows;
  Int pitch;      // between columns
  Int period;     // blocks of a run after which a row begins where a block does
  Int repeats;    // of an instruction
  Int by_lines;   // from repeat to repeat
  Int by_blocks;  // from repeat to repeat

  DType word() const { return wide ? DType::kUint32 : DType::kUint16; }
};

// What the host knows of a turn. Takes memory for its lists. `other`:
// a turn of the same 16-bit lines, of one slot, whose lists are filled before.
Turn PlanTurn(Emitter& emitter, const ir::Stmt& stmt, int slots,
              const Turn* other = nullptr);

// Turn `turn.slots` n + `slot`: `lines` holds a column after the other, `flat`
// a row after the other; both are seen as integers.
struct TurnPlaces {
  const Turn& turn;
  Local lines;
  Local flat;
  Int slot = 0;
};

// Writes their lists. `free`: integers that may be written over, as many as
// RoomToFill says for each.
void FillTurnLists(Emitter& emitter, const std::vector<TurnPlaces>& turns,
                   const Local& free);
Int RoomToFill(const Turn& turn);

// Rows behind the first `count` elements become 0.
void FillUpRows(Emitter& emitter, const Turn& turn, const Local& flat,
                const Int& count);

void EmitTurn(Emitter& emitter, const Turn& turn, const Int& slot);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_TURN_H_
