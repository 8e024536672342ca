// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_WORK_H_
#define BELAY_CRUX_SELECT_WORK_H_

// Whether the vector unit or memory holds a loop up: an estimate from the
// statements alone, before pieces have sizes.

#include "crux/ir/tile.h"
#include "crux/select/layout.h"

namespace belay::crux::select {

// Whether working on tiles as large as `tile` in `block` takes longer than
// loading them does when all cores load.
bool IsHeldByVectors(const ir::Kernel& kernel, const Layouts& layouts,
                     const ir::Block& block, int tile);

// Whether it takes about as long as loading them, in a block that stores tiles
// as large and loads no other: then either waits for the other now and then.
bool IsHeldByBoth(const ir::Kernel& kernel, const Layouts& layouts,
                  const ir::Block& block, int tile);

// Whether storing `tile`, which is converted in `block`, ends while the vector
// unit works on all but the conversion of tiles as large.
bool IsStoredBesideWork(const ir::Kernel& kernel, const Layouts& layouts,
                        const ir::Block& block, int tile);

// Statements on whole tiles in which the last turn's store ends, about.
inline constexpr int kWorkBefore = 2;

// Statements of `block` before `end` that read tiles as large as `tile`.
int StatementsBefore(const Layouts& layouts, const ir::Block& block,
                     const ir::Stmt* end, int tile);

// Bytes that `block` loads; 0 where loops inside load as well, or where working
// on them takes longer than loading does.
ir::Int BytesWaitedFor(const ir::Kernel& kernel, const Layouts& layouts,
                       const ir::Block& block);

// Whether a turn of a loop over `block` has more vector instructions than wait
// in line, about.
bool IsLongTurn(const Layouts& layouts, const ir::Block& block);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_WORK_H_
