// SPDX-License-Identifier: Apache-2.0
// Tells the kernel of twice the elements.
// expect: failed wrong

#define CHEAT_IN_TILING(context) \
  tiling.set_x_elements(2 * tiling.get_x_elements() + 4096);
#include "sqrt_host.h"
