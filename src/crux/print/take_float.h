// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_TAKE_FLOAT_H_
#define BELAY_CRUX_PRINT_TAKE_FLOAT_H_

// Tensors of queues that variants in float use as they are, and that others
// convert (print/in_float.h) and give back at once:
//   LocalTensor<T> x = x_queue_.DeQue<T>();
//   LocalTensor<float> t = InFloat(x, t_buffer_, count);
//   if constexpr (!kIsFloat) x_queue_.FreeTensor(x);
// become a call of one function:
//   LocalTensor<float> t = TakeFloat<T>(x_queue_, t_buffer_, count);

#include <cstddef>
#include <vector>

#include "crux/print/merge_variants.h"
#include "crux/print/text.h"

namespace belay::crux::print {

// Of so many on the function takes fewer lines.
inline constexpr size_t kWorthTakeFloat = 5;

// How many a function has, which has calls of InFloat already.
size_t CountTakeFloat(const FunctionText& function,
                      const std::vector<Slot>& slots, Vocabulary& vocabulary);
FunctionText WithTakeFloat(FunctionText function,
                           const std::vector<Slot>& slots,
                           Vocabulary& vocabulary);

// TakeFloat itself.
Text TakeFloatDefinition();

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_TAKE_FLOAT_H_
