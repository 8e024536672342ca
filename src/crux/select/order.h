// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_ORDER_H_
#define BELAY_CRUX_SELECT_ORDER_H_

// The parts of SelectOrder (emitter.h): operations that put elements in another
// order, or choose among them.

#include "crux/select/emitter.h"

namespace belay::crux::select {

// sort, argsort, topk, merge_topk by merging, element by element: any dtype.
void SortByScalars(Emitter& emitter, const ir::Stmt& stmt);
// The same by the sorting instructions; false: they do not know the dtype, and
// nothing was written.
bool SortByVectors(Emitter& emitter, const ir::Stmt& stmt);

void SelectTake(Emitter& emitter, const ir::Stmt& stmt);
void SelectCompress(Emitter& emitter, const ir::Stmt& stmt);
void SelectDeinterleave(Emitter& emitter, const ir::Stmt& stmt);

// The kernel ends with this message unless the condition holds.
void Require(Emitter& emitter, const Int& condition, std::string message);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_ORDER_H_
