// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_SHARE_PLACES_H_
#define BELAY_CRUX_PRINT_SHARE_PLACES_H_

// One name for tensors of merged variants that lie in one place.

#include <vector>

#include "crux/print/merge_variants.h"

namespace belay::crux::print {

// A tensor goes where, in each variant that has it, an earlier one of the same
// type is in scope that lies where it does: in the same part of a buffer, or as
// another handle of the same tensor. That one's name takes its place.
// Statements that are the same then are joined, and parts of buffers are named
// where the other variants name their tensor.
FunctionText WithSharedPlaces(FunctionText function,
                              const std::vector<Slot>& slots,
                              const Vocabulary& vocabulary);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_SHARE_PLACES_H_
