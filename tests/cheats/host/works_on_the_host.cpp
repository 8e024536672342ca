// SPDX-License-Identifier: Apache-2.0
// Wants the values of x in the tiling function, to do the kernel's work there.
// expect: failed

#include <cmath>

#define CHEAT_IN_TILING(context)                                  \
  const gert::Tensor* values = context->GetInputTensor(0);        \
  if (values == nullptr || values->GetData<float>() == nullptr) { \
    return ge::GRAPH_FAILED;                                      \
  }                                                               \
  tiling.set_x_elements(                                          \
      static_cast<int64_t>(std::sqrt(values->GetData<float>()[0])));
#include "sqrt_host.h"
