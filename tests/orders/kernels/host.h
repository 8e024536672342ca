// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_ORDERS_KERNELS_HOST_H_
#define BELAY_TESTS_ORDERS_KERNELS_HOST_H_

// The host side of these programs: `kernel` gets kElements floats that all
// differ, an output of the same size that nobody wrote, and a workspace of
// zeros. It runs on kBlocks blocks.

#include <vector>

#include "acl/acl.h"
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kElements = 8192;
constexpr uint32_t kWorkspaceBytes = 65536;

__global__ __vector__ void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace);

template <typename T>
__aicore__ inline GlobalTensor<T> Global(GM_ADDR address, uint64_t count) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer((__gm__ T*)address, count);
  return tensor;
}

inline int RunKernel(uint32_t blocks) {
  std::vector<float> numbers(kElements);
  for (uint32_t i = 0; i < kElements; ++i) numbers[i] = (float)i * 0.5f - 99.0f;
  const size_t bytes = numbers.size() * sizeof(float);
  void *x, *y, *workspace;
  aclrtMalloc(&x, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&y, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&workspace, kWorkspaceBytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(x, bytes, numbers.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
  aclrtMemset(workspace, kWorkspaceBytes, 0, kWorkspaceBytes);
  kernel<<<blocks, nullptr, nullptr>>>((GM_ADDR)x, (GM_ADDR)y,
                                       (GM_ADDR)workspace);
  return aclrtSynchronizeStream(nullptr) == ACL_SUCCESS ? 0 : 1;
}

#endif  // BELAY_TESTS_ORDERS_KERNELS_HOST_H_
