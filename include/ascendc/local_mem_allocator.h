// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_LOCAL_MEM_ALLOCATOR_H_
#define BELAY_ASCENDC_LOCAL_MEM_ALLOCATOR_H_

// LocalMemAllocator: on-chip memory from address 0 upwards, without TPipe.

#include "ascendc/tensor.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// The position tensors of a memory get when the caller names none.
BELAY_API constexpr AscendC::TPosition PositionIn(AscendC::Hardware memory) {
  switch (memory) {
    case AscendC::Hardware::L1:
      return AscendC::TPosition::A1;
    case AscendC::Hardware::L0A:
      return AscendC::TPosition::A2;
    case AscendC::Hardware::L0B:
      return AscendC::TPosition::B2;
    case AscendC::Hardware::L0C:
      return AscendC::TPosition::CO1;
    case AscendC::Hardware::BIAS:
      return AscendC::TPosition::C2;
    case AscendC::Hardware::FIXBUF:
      return AscendC::TPosition::C2PIPE2GM;
    default:
      return AscendC::TPosition::VECIN;
  }
}

}  // namespace belay::api

namespace AscendC {

template <Hardware memory = Hardware::UB>
class LocalMemAllocator {
 public:
  LocalMemAllocator() = default;

  // First free byte, from the start of the memory.
  BELAY_API uint32_t GetCurAddr() const { return next_; }

  template <typename T, uint32_t count>
  BELAY_API LocalTensor<T> Alloc() {
    return Alloc<belay::api::PositionIn(memory), T>(count);
  }
  template <TPosition position, typename T, uint32_t count>
  BELAY_API LocalTensor<T> Alloc() {
    return Alloc<position, T>(count);
  }
  template <typename T>
  BELAY_API LocalTensor<T> Alloc(uint32_t count) {
    return Alloc<belay::api::PositionIn(memory), T>(count);
  }
  template <TPosition position, typename T>
  BELAY_API LocalTensor<T> Alloc(uint32_t count) {
    static_assert(belay::api::MemoryOf(position) ==
                      belay::api::MemoryOf(belay::api::PositionIn(memory)),
                  "LocalMemAllocator::Alloc: this TPosition does not lie in "
                  "the allocator's memory");
    const LocalTensor<T> tensor(position, next_, count);
    const uint64_t bytes = belay::api::BytesOf<T>(count);
    next_ += static_cast<uint32_t>((bytes + 31) / 32 * 32);
    return tensor;
  }

 private:
  uint32_t next_ = 0;
};

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_LOCAL_MEM_ALLOCATOR_H_
