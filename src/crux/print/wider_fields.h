// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_WIDER_FIELDS_H_
#define BELAY_CRUX_PRINT_WIDER_FIELDS_H_

// Fields of the tiling data that only some variants read are set for all of
// them, without asking, where the others can work them out as well.

#include "crux/print/merge_variants.h"
#include "crux/print/statement_tree.h"

namespace belay::crux::print {

// `block`: a merged tiling of the variants of `all`.
FunctionText WithFieldsSet(FunctionText block, const VariantSet& all,
                           Vocabulary& vocabulary);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_WIDER_FIELDS_H_
