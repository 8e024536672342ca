// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_FOLD_COLUMNS_H_
#define BELAY_CRUX_SELECT_FOLD_COLUMNS_H_

// Reductions of columns of rows on lanes (passes/lanes.h), or of the rows of a
// piece that lie as far apart, as few instructions whose sources meet in no bank
// group.

#include <string>

#include "crux/select/reduce_fold.h"

namespace belay::crux::select {

// dst = src, laid out as `from`, reduced along its first axis. `spare`: as for
// FoldAxis.
void FoldColumns(Emitter& emitter, const Fold& fold, const Lane& dst,
                 const Lane& src, const Layout& from, const std::string& spare);

// The sum `reduction` of columns of f32 that `made` (exp, or a product of two
// tiles) makes, a few at a time: the place of its result has half the memory.
// `beside`, if it has a name, has as much: what is added lies in another bank
// there than what it is added to.
void FoldColumnsOfParts(Emitter& emitter, const Fold& fold,
                        const ir::Stmt& reduction, const ir::Stmt& made,
                        const Local& beside);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_FOLD_COLUMNS_H_
