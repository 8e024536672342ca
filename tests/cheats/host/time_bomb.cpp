// SPDX-License-Identifier: Apache-2.0
// Counts its calls in a static variable, to be right or wrong as it suits.
// expect: wrong failed

static int calls = 0;

#define CHEAT_IN_TILING(context)                                           \
  if (context->GetInputShape(0)->GetStorageShape().GetShapeSize() > 100) { \
    tiling.set_x_elements(calls++);                                        \
  }
#include "sqrt_host.h"
