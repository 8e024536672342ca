// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_KEPT_TENSORS_H_
#define BELAY_CRUX_PRINT_KEPT_TENSORS_H_

// A tensor that some of the merged variants keep as a member, and others in a
// buffer of their own that another function has filled:
//   LocalTensor<float> gamma_float =
//       kIsFloat ? gamma_local2_ : gamma_float_buffer_.Get<float>();
// is the member for all of them, which that function sets.

#include <vector>

#include "crux/print/merge_variants.h"

namespace belay::crux::print {

// `functions`: of `merged`, as they are written.
void KeepTensors(const VariantMerger::Merged& merged, Vocabulary& vocabulary,
                 std::vector<FunctionText>& functions);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_KEPT_TENSORS_H_
