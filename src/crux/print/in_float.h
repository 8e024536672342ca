// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_IN_FLOAT_H_
#define BELAY_CRUX_PRINT_IN_FLOAT_H_

// Tensors that some of the merged variants convert to float, in a buffer, and
// that others have in float as they are:
//   LocalTensor<float> t;
//   if constexpr (kIsFloat) {
//     t = x_local;
//   } else {
//     t = t_buffer_.Get<float>();
//     Cast(t, x_local, RoundMode::CAST_NONE, count);
//   }
// become a call of one function:
//   LocalTensor<float> t = InFloat(x_local, t_buffer_, count);

#include <cstddef>

#include "crux/print/merge_variants.h"
#include "crux/print/text.h"

namespace belay::crux::print {

// Of so many on the function takes fewer lines.
inline constexpr size_t kWorthInFloat = 3;

// How many a function has.
size_t CountInFloat(const FunctionText& function, Vocabulary& vocabulary);
FunctionText WithInFloat(FunctionText function, Vocabulary& vocabulary);

// InFloat itself.
Text InFloatDefinition();

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_IN_FLOAT_H_
