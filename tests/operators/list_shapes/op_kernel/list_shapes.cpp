// SPDX-License-Identifier: Apache-2.0
// Five numbers for each tensor: rank, sizes (0 beyond it), first element.

#include "kernel_operator.h"

extern "C" __global__ __aicore__ void list_shapes(GM_ADDR x, GM_ADDR y,
                                                  GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  AscendC::ListTensorDesc list((__gm__ void*)x);
  __gm__ int64_t* out = (__gm__ int64_t*)y;
  for (uint32_t i = 0; i < list.GetSize(); ++i) {
    uint64_t sizes[8] = {};
    AscendC::TensorDesc<int64_t> tensor;
    tensor.SetShapeAddr(sizes);
    list.GetDesc(tensor, i);
    out[5 * i] = static_cast<int64_t>(tensor.GetDim());
    uint64_t elements = 1;
    for (uint32_t d = 0; d < 3; ++d) {
      out[5 * i + 1 + d] = static_cast<int64_t>(sizes[d]);
      if (d < tensor.GetDim()) elements *= sizes[d];
    }
    out[5 * i + 4] = elements == 0 ? -1 : tensor.GetDataPtr()[0];
  }
}
