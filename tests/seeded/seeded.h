// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_SEEDED_SEEDED_H_
#define BELAY_TESTS_SEEDED_SEEDED_H_

// The host side of every seeded program, and short names for its kernel.
//
// `kernel` gets three allocations of SEEDED_BYTES bytes each: `x` holds floats
// 0, 1, 2 and so on to 96, then again from 0; `y` was never written; `z` is
// zero. It runs on SEEDED_BLOCKS blocks of SEEDED_CORES.

#include <vector>

#include "acl/acl.h"
#include "kernel_operator.h"

#ifndef SEEDED_BLOCKS
#define SEEDED_BLOCKS 1
#endif
#ifndef SEEDED_CORES
#define SEEDED_CORES __vector__
#endif
#ifndef SEEDED_BYTES
#define SEEDED_BYTES 16384
#endif

using namespace AscendC;

__global__ SEEDED_CORES void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR z);

template <typename T>
__aicore__ inline GlobalTensor<T> Global(GM_ADDR address, uint64_t count) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(address), count);
  return tensor;
}

// A flag that is set and waited for at once.
template <HardEvent event>
__aicore__ inline void Order() {
  SetFlag<event>(EVENT_ID3);
  WaitFlag<event>(EVENT_ID3);
}

template <typename T>
__aicore__ inline __ubuf__ T* PointerTo(const LocalTensor<T>& tensor) {
  return reinterpret_cast<__ubuf__ T*>(tensor.GetPhyAddr());
}

template <typename T>
__aicore__ inline void CleanLine(const GlobalTensor<T>& tensor) {
  DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE,
                           DcciDst::CACHELINE_OUT>(tensor);
}

int main() {
  std::vector<float> numbers(SEEDED_BYTES / sizeof(float) + 1);
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<float>(i % 97);
  }
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  void* device[3] = {};
  for (void*& address : device) {
    aclrtMalloc(&address, SEEDED_BYTES, ACL_MEM_MALLOC_HUGE_FIRST);
  }
  aclrtMemcpy(device[0], SEEDED_BYTES, numbers.data(), SEEDED_BYTES,
              ACL_MEMCPY_HOST_TO_DEVICE);
  aclrtMemset(device[2], SEEDED_BYTES, 0, SEEDED_BYTES);
  kernel<<<SEEDED_BLOCKS, nullptr, stream>>>(
      static_cast<GM_ADDR>(device[0]), static_cast<GM_ADDR>(device[1]),
      static_cast<GM_ADDR>(device[2]));
  const bool is_done = aclrtSynchronizeStream(stream) == ACL_SUCCESS;
  for (void* address : device) aclrtFree(address);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return is_done ? 0 : 1;
}

#endif  // BELAY_TESTS_SEEDED_SEEDED_H_
