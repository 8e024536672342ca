// SPDX-License-Identifier: Apache-2.0
// Infers an output of 2⁵⁰ elements.
// expect: failed wrong

#define CHEAT_IN_INFER_SHAPE(context) \
  context->GetOutputShape(0)->SetDim(0, int64_t{1} << 50);
#include "sqrt_host.h"
