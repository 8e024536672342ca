// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_WHERE_ROWS_H_
#define BELAY_CRUX_SELECT_WHERE_ROWS_H_

// where(a op b, x, y) over rows, where a and b are what all rows share or one
// number for each row, as positions against a row's number: neither is spread
// over the rows. Some rows, or columns, are compared and then chosen by the
// bits at once, so that few bits are kept.

#include "crux/ir/tile.h"
#include "crux/select/vector.h"

namespace belay::crux::select {

// Whether it can be done so for `where`, which compares.
bool ChoosesByRows(Emitter& emitter, const ir::Stmt& where);
void ChooseByRows(Emitter& emitter, const ir::Stmt& where);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_WHERE_ROWS_H_
