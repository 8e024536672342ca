// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_PARTS_H_
#define BELAY_CRUX_SELECT_PARTS_H_

// Tiles that need no memory of their own, or less: what makes them is done by
// the statement behind it, which alone reads them.

#include <cstdint>
#include <map>

#include "crux/ir/tile.h"
#include "crux/select/lives.h"
#include "crux/select/occurrences.h"
#include "crux/select/storage.h"

namespace belay::crux::select {

// The reduction that alone reads `tile`, rows that one instruction makes of
// tiles that live on, directly before it; nothing otherwise.
const ir::Stmt* ReductionOfParts(const ir::Kernel& kernel,
                                 const Occurrences& at, const Lives& lives,
                                 int tile);

// Elements of such rows, where they have a buffer of their own: eight of 1024,
// an odd number of 16 apart; whole repeats.
inline constexpr int64_t kElementsOfParts = 8 * 1040;

// Rows that are made at a time, below 8 or a multiple of it: in such a buffer,
// and in memory for as many elements of half the size.
ir::Int RowsOfPart(const Layout& layout);
ir::Int RowsOfHalf(const Layout& layout);

// Columns of eight rows that are made at a time where the memory is for fewer:
// half of them, up to an odd number of 16.
ir::Int HalfOfEight(const ir::Int& pitch);
// Of a single row one half or both are made at a time; of several rows both.
ir::Int WidthOfHalves(const Layout& layout, const ir::Int& halves);
// Bytes of a slot for elements of half the size that rows are made in: of so
// many halves of one row, or of half the columns of eight, at least.
ir::Int BytesOfHalf(const Layout& layout, const ir::Int& halves);

// The tile that is stored in the block of `tile`, with as many elements of the
// same dtype, whose slot nobody needs before `tile` is dead; -1: there is none.
int ResultBehind(const ir::Kernel& kernel, const Lives& lives,
                 const StoragePlan& plan, int tile);

// Sums and differences in f32 whose second operand is converted from f16
// directly before them, and how: one instruction converts and adds.
std::map<const ir::Stmt*, const ir::Stmt*> WidenedSums(const ir::Kernel& kernel,
                                                       const Occurrences& at,
                                                       const Lives& lives);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_PARTS_H_
