// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_FREE_EARLY_H_
#define BELAY_CRUX_SELECT_FREE_EARLY_H_

// Tiles are given back behind the last statement that has them. Where that was
// a loop whose code took what it needs of a tile before it (a gamma, spread
// over blocks), the loop has it no more.

#include "crux/ir/code.h"

namespace belay::crux::select {

// Statements of `block` that give tensors back move in front of loops that do
// not have them.
void FreeEarly(code::Block& block);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_FREE_EARLY_H_
