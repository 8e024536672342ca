// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_ONE_TYPE_H_
#define BELAY_CRUX_PRINT_ONE_TYPE_H_

// Tensors that merged variants declare at several places, with a type by its
// name at one of them and by the template's parameter at another:
//   LocalTensor<half> x_local = a_queue_.DeQue<half>();
//   LocalTensor<T> x_local = b_queue_.DeQue<T>();
// Where T is half for all variants that have the first, both say T: then one
// declaration ahead of a condition serves both.

#include <vector>

#include "crux/print/merge_variants.h"

namespace belay::crux::print {

FunctionText WithOneTypeEach(FunctionText function,
                             const std::vector<Slot>& slots,
                             const VariantSpace& space,
                             const Vocabulary& vocabulary);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_ONE_TYPE_H_
