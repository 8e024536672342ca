// SPDX-License-Identifier: Apache-2.0
// Tells the kernel of half the elements.
// expect: wrong failed

#define CHEAT_IN_TILING(context) \
  tiling.set_x_elements(tiling.get_x_elements() / 2);
#include "sqrt_host.h"
