// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_PROFILE_KERNELS_LAUNCH_H_
#define BELAY_TESTS_PROFILE_KERNELS_LAUNCH_H_

// The host side of the kernels in this folder: two inputs and one output of the
// same size, one launch.

#include <vector>

#include "acl/acl.h"
#include "kernel_operator.h"

inline void* DeviceBytes(size_t bytes, bool filled) {
  void* memory = nullptr;
  aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  if (filled) aclrtMemset(memory, bytes, 0, bytes);
  return memory;
}

#define BELAY_LAUNCH(kernel, blocks, bytes)                                \
  int main() {                                                             \
    aclInit(nullptr);                                                      \
    aclrtSetDevice(0);                                                     \
    aclrtStream stream = nullptr;                                          \
    aclrtCreateStream(&stream);                                            \
    kernel<<<blocks, nullptr, stream>>>((GM_ADDR)DeviceBytes(bytes, true), \
                                        (GM_ADDR)DeviceBytes(bytes, true), \
                                        (GM_ADDR)DeviceBytes(bytes, false)); \
    return aclrtSynchronizeStream(stream) == ACL_SUCCESS ? 0 : 1;          \
  }

#endif  // BELAY_TESTS_PROFILE_KERNELS_LAUNCH_H_
