// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_MEMORY_H_
#define BELAY_CRUX_SELECT_MEMORY_H_

// Moves between global memory and tiles.

#include "crux/select/emitter.h"

namespace belay::crux::select {

// The member that stands for a tensor of the tile IR.
std::string GlobalName(const ir::Tensor& tensor);
// Its elements' dtype there: bool is u8.
DType GlobalDtype(DType dtype);

// kLoad into the tile results[0], which lies at `place`. `skipped`: of a tile
// of rows, the first ones come from elsewhere. `by_vectors`: the vector unit may
// write it; who only moves it does not wait for that.
void SelectLoad(Emitter& emitter, const ir::Stmt& stmt, const Local& place,
                const Int& skipped = 0, bool by_vectors = false);

// kStore and kAtomicAdd of the tile operands[0], which lies at `place` and has
// the dims of the access.
void SelectStore(Emitter& emitter, const ir::Stmt& stmt, const Local& place);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_MEMORY_H_
