// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_STACK_BUFFER_H_
#define BELAY_ASCENDC_STACK_BUFFER_H_

// PopStackBuffer: all memory that no InitBuffer has taken yet.

#include "ascendc/tensor.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// What library functions keep for themselves at the end of UB.
inline constexpr uint64_t kReservedUbBytes = 8 * 1024;

}  // namespace belay::api

namespace AscendC {

// False when there is no TPipe, or nothing is left.
template <typename T, TPosition pos>
BELAY_API bool PopStackBuffer(LocalTensor<T>& popLocal) {
  constexpr belay::abi::Memory kMemory = belay::api::MemoryOf(pos);
  const belay::abi::PipeState* pipe = belay_current_pipe();
  if (pipe == nullptr) return false;
  const uint64_t used = pipe->used[static_cast<int>(kMemory)];
  const uint64_t end =
      belay_memory_bytes(kMemory) -
      (kMemory == belay::abi::Memory::kUb ? belay::api::kReservedUbBytes : 0);
  if (used >= end) return false;
  popLocal =
      LocalTensor<T>(pos, belay_memory_base(kMemory) + used, end - used, 0);
  return true;
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_STACK_BUFFER_H_
