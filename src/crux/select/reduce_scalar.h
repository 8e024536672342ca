// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_REDUCE_SCALAR_H_
#define BELAY_CRUX_SELECT_REDUCE_SCALAR_H_

// Reductions by the scalar unit: every dtype, elements in their order.

#include "crux/select/emitter.h"

namespace belay::crux::select {

void ReduceByScalars(Emitter& emitter, const ir::Stmt& stmt);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_REDUCE_SCALAR_H_
