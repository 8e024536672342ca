// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_FOLD_SLICES_H_
#define BELAY_CRUX_SELECT_FOLD_SLICES_H_

// Reductions along an axis before the last: lanes are the axes behind it.

#include "crux/select/reduce_fold.h"

namespace belay::crux::select {

// dst = src, laid out as `from`, reduced along `axis`.
void FoldSlices(Emitter& emitter, const Fold& fold, const Lane& dst,
                const Lane& src, const Layout& from, size_t axis);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_FOLD_SLICES_H_
