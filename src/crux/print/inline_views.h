// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_INLINE_VIEWS_H_
#define BELAY_CRUX_PRINT_INLINE_VIEWS_H_

// A tensor that only some of the merged variants see with other elements, and
// that one statement uses, would have to be declared ahead of a condition:
//   LocalTensor<float> mul = to.ReinterpretCast<float>();
// It is seen so where it is used.

#include "crux/print/merge_variants.h"

namespace belay::crux::print {

FunctionText WithInlineViews(FunctionText function,
                             const Vocabulary& vocabulary);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_INLINE_VIEWS_H_
