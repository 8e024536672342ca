// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_VIEW_H_
#define BELAY_ASCENDC_HIGH_LEVEL_VIEW_H_

// Tensors as the library passes them around inside: without the shape a kernel
// may attach, which costs the compiler a copy at each step; and the count
// forms of instructions on them, each of which waits for those before it.

#include "ascendc/issue.h"
#include "ascendc/sync.h"
#include "ascendc/system.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

template <typename T>
struct View {
  View() = default;
  BELAY_API View(const AscendC::LocalTensor<T>& tensor)
      : address(tensor.GetPhyAddr()),
        start(tensor.BufferStart()),
        bytes(tensor.BufferBytes()),
        memory(tensor.GetMemory()) {}

  // From element `offset` on.
  BELAY_API View operator[](uint64_t offset) const {
    View result(*this);
    result.address += offset * sizeof(T);
    return result;
  }
  template <typename U>
  BELAY_API View<U> As() const {
    View<U> result;
    result.address = address;
    result.start = start;
    result.bytes = bytes;
    result.memory = memory;
    return result;
  }

  uint64_t address = 0;
  uint64_t start = 0;  // of what may be touched
  uint64_t bytes = 0;
  abi::Memory memory = abi::Memory::kUb;
};

using Floats = View<float>;

template <typename T>
BELAY_API Operand OperandOf(const View<T>& view, uint32_t block_stride,
                            uint32_t repeat_stride) {
  return {view.address,
          block_stride,
          repeat_stride,
          kDTypeOf<T>,
          view.memory,
          false,
          0,
          view.start,
          view.bytes};
}

// Lets the next vector instruction see what the last ones wrote.
BELAY_API void Settle() { AscendC::PipeBarrier<PIPE_V>(); }

// dst = op(src [, scalar]), `count` elements of one type.
template <Op op, typename T>
BELAY_API void Each(const View<T>& dst, const View<T>& src, uint64_t count,
                    T scalar = T()) {
  IssueUnary(op, OperandOf(dst, 1, 8), OperandOf(src, 1, 8), FirstLanes(count),
             BitsOf(scalar));
  Settle();
}

// dst = op(first, second), `count` elements.
template <Op op, typename T>
BELAY_API void Both(const View<T>& dst, const View<T>& first,
                    const View<T>& second, uint64_t count) {
  IssueBinary(op, OperandOf(dst, 1, 8), OperandOf(first, 1, 8),
              OperandOf(second, 1, 8), FirstLanes(count));
  Settle();
}

// Exactly `count` elements, converted where the types differ: half to float
// and back, rounded to nearest even.
template <typename To, typename From>
BELAY_API void Convert(const View<To>& to, const View<From>& from,
                       uint64_t count) {
  if constexpr (std::is_same_v<To, From>) {
    Each<Op::kMuls>(to, from, count, To(1));
  } else {
    constexpr uint32_t kWide = kWidest<To, From>;
    constexpr auto kMode = static_cast<uint8_t>(
        sizeof(To) > sizeof(From) ? AscendC::RoundMode::CAST_NONE
                                  : AscendC::RoundMode::CAST_RINT);
    IssueUnary(Op::kCast, OperandOf(to, 1, kDense<To, kWide>),
               OperandOf(from, 1, kDense<From, kWide>), FirstLanes(count), 0,
               kMode);
    Settle();
  }
}

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_VIEW_H_
