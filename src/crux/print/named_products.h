// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_NAMED_PRODUCTS_H_
#define BELAY_CRUX_PRINT_NAMED_PRODUCTS_H_

// Init of a class says how many elements its tiles have once:
//   const int64_t tile = tiling_->N_pitch * tiling_->r_rows;
//   pipe->InitBuffer(t_buffer_, AlignUp(tile * 4, 512));

#include "crux/print/text.h"

namespace belay::crux::print {

// Products that buffers and queues have in common get a name where that takes
// lines away. `text`: of a class.
void NameProducts(Text& text);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_NAMED_PRODUCTS_H_
