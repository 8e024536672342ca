// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_QUE_H_
#define BELAY_ASCENDC_QUE_H_

// TQue, TQueBind, TSCM and TBuf: buffers that change hands between pipes. The
// library keeps the state; these classes only forward.

#include "ascendc/tensor.h"
#include "belay/guest_abi.h"
#include "belay/queue.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

// A buffer of a pool, as far as kernels name it.
using TBufHandle = uint8_t*;

}  // namespace AscendC

namespace belay::api {

BELAY_API constexpr abi::Position PositionOf(AscendC::TPosition position) {
  return static_cast<abi::Position>(position);
}

// Where data of a TQue at `position` comes from and goes to.
BELAY_API constexpr AscendC::TPosition SourceOf(AscendC::TPosition position) {
  using AscendC::TPosition;
  switch (position) {
    case TPosition::VECIN:
    case TPosition::A1:
    case TPosition::B1:
    case TPosition::C1:
      return TPosition::GM;
    case TPosition::A2:
      return TPosition::A1;
    case TPosition::B2:
      return TPosition::B1;
    case TPosition::C2:
    case TPosition::C2PIPE2GM:
    case TPosition::C2PIPE2LOCAL:
      return TPosition::C1;
    default:
      return position;
  }
}
BELAY_API constexpr AscendC::TPosition DestinationOf(
    AscendC::TPosition position) {
  using AscendC::TPosition;
  switch (position) {
    case TPosition::VECOUT:
    case TPosition::CO1:
    case TPosition::CO2:
      return TPosition::GM;
    default:
      return position;
  }
}

// What a queue, a buffer and a place in a pool have in common.
class QueueHolder {
 public:
  // For TPipe and TBufPool.
  BELAY_API abi::QueueState* State() { return &state_; }

  // For pools that a kernel defines itself: `num` buffers of `len` bytes, then
  // each of them `address` bytes from the start of the memory.
  BELAY_API void InitStartBufHandle(AscendC::TBufHandle, uint8_t num,
                                    uint32_t len) {
    state_.buffers = num;
    state_.bytes = len;
  }
  template <typename Pool>
  BELAY_API void InitBufHandle(Pool* bufPool, uint32_t index,
                               AscendC::TBufHandle, uint32_t curPoolAddr,
                               uint32_t len) {
    const abi::PoolState& pool = *bufPool->BelayPoolState();
    const uint64_t address = belay_memory_base(pool.memory) + curPoolAddr;
    if (index == 0) {
      abi::PoolState room = pool;
      room.bytes =
          address < pool.base
              ? 0
              : static_cast<uint32_t>(pool.base + pool.bytes - address);
      room.base = address;
      room.used = 0;
      room.buffers = 0;
      belay_pool_init_buffer(&room, &state_, state_.buffers, len);
    } else if (index < state_.buffers) {
      state_.buffer[index].address = address;
    }
  }

 protected:
  abi::QueueState state_{};
};

}  // namespace belay::api

namespace AscendC {

struct TQueConfig {
  bool nd2nz = false;
  bool nz2nd = false;
  bool scmBlockGroup = false;
  uint32_t bufferLen = 0;
  uint32_t bufferNumber = 0;
  uint32_t consumerSize = 0;
  TPosition consumer[8] = {};
  bool enableStaticEvtId = false;
  bool enableLoopQueue = false;
};

// depth is the number of EnQue without a DeQue between them; 0 selects the
// forms that fill a tensor of the caller's.
template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind : public belay::api::QueueHolder {
 public:
  static constexpr TPosition srcPosition = src;
  static constexpr TPosition dstPosition = dst;

  BELAY_API TQueBind() {
    state_.source = belay::api::PositionOf(src);
    state_.destination = belay::api::PositionOf(dst);
    state_.depth = static_cast<uint8_t>(depth);
    state_.is_queue = 1;
  }

  template <typename T>
  BELAY_API LocalTensor<T> AllocTensor() {
    static_assert(depth != 0,
                  "AllocTensor<T>() needs a queue of depth 1 or more: with "
                  "depth 0 use AllocTensor(tensor)");
    return Buffer<T>(belay_queue_alloc(&state_), 0);
  }
  template <typename T>
  BELAY_API void AllocTensor(LocalTensor<T>& tensor) {
    static_assert(depth == 0,
                  "AllocTensor(tensor) needs a queue of depth 0: with depth 1 "
                  "or more use AllocTensor<T>()");
    tensor = Buffer<T>(belay_queue_alloc(&state_), 0);
  }
  template <typename T>
  BELAY_API void FreeTensor(LocalTensor<T>& tensor) {
    belay_queue_free(&state_, tensor.GetPhyAddr());
  }

  // False when `depth` tensors are queued already.
  template <typename T>
  BELAY_API bool EnQue(const LocalTensor<T>& tensor) {
    tags_[IndexOf(tensor.GetPhyAddr())] = tensor.GetUserTag();
    return belay_queue_enque(&state_, tensor.GetPhyAddr()) != 0;
  }
  template <typename T>
  BELAY_API LocalTensor<T> DeQue() {
    static_assert(depth != 0,
                  "DeQue<T>() needs a queue of depth 1 or more: with depth 0 "
                  "use DeQue(tensor)");
    return Dequeued<T>();
  }
  template <typename T>
  BELAY_API void DeQue(LocalTensor<T>& tensor) {
    static_assert(depth == 0,
                  "DeQue(tensor) needs a queue of depth 0: with depth 1 or "
                  "more use DeQue<T>()");
    tensor = Dequeued<T>();
  }

  // The same for a queue that serves two moves: the positions name the move.
  template <TPosition userSrc, TPosition userDst, typename T>
  BELAY_API bool EnQue(const LocalTensor<T>& tensor) {
    Rebind(userSrc, userDst);
    const bool is_queued = EnQue(tensor);
    Rebind(src, dst);
    return is_queued;
  }
  template <TPosition userSrc, TPosition userDst, typename T>
  BELAY_API LocalTensor<T> DeQue() {
    Rebind(userSrc, userDst);
    LocalTensor<T> tensor = Dequeued<T>();
    Rebind(src, dst);
    return tensor;
  }

  BELAY_API bool VacantInQue() const { return state_.queued < state_.depth; }
  BELAY_API bool HasTensorInQue() const { return state_.queued > 0; }
  BELAY_API int32_t GetTensorCountInQue() const { return state_.queued; }
  BELAY_API bool HasIdleBuffer() const {
    for (int i = 0; i < state_.buffers; ++i) {
      if (state_.buffer[i].state == belay::abi::BufferState::kFree) {
        return true;
      }
    }
    return false;
  }
  BELAY_API void FreeAllEvent() { belay_queue_free_all_events(&state_); }

  // Where the buffers lie, and what GetPosition of their tensors says.
  static constexpr TPosition kPosition = dst == TPosition::GM ? src : dst;

 private:
  template <typename T>
  BELAY_API LocalTensor<T> Buffer(uint64_t address, TTagType tag) const {
    return LocalTensor<T>(kPosition, address, state_.bytes, tag);
  }
  template <typename T>
  BELAY_API LocalTensor<T> Dequeued() {
    const uint64_t address = belay_queue_deque(&state_);
    return Buffer<T>(address, tags_[IndexOf(address)]);
  }
  BELAY_API void Rebind(TPosition from, TPosition to) {
    state_.source = belay::api::PositionOf(from);
    state_.destination = belay::api::PositionOf(to);
  }
  BELAY_API uint32_t IndexOf(uint64_t address) const {
    uint32_t index = 0;
    while (index + 1 < state_.buffers &&
           state_.buffer[index].address != address) {
      ++index;
    }
    return index;
  }

  TTagType tags_[belay::abi::kMaxQueueBuffers] = {};
};

template <TPosition position, int32_t depth, auto mask = 0>
class TQue : public TQueBind<belay::api::SourceOf(position),
                             belay::api::DestinationOf(position), depth, mask> {
};

template <TPosition position, int32_t depth = 1, auto mask = 0>
using TSCM = TQueBind<position, TPosition::TSCM, depth, mask>;

// Memory of its own for intermediate values; never queued.
template <TPosition position = TPosition::LCM>
class TBuf : public belay::api::QueueHolder {
 public:
  BELAY_API TBuf() {
    state_.source = belay::api::PositionOf(position);
    state_.destination = belay::api::PositionOf(position);
  }

  template <typename T>
  BELAY_API LocalTensor<T> Get() {
    return LocalTensor<T>(position, state_.buffer[0].address, state_.bytes, 0);
  }
  template <typename T>
  BELAY_API LocalTensor<T> Get(uint32_t count) {
    return LocalTensor<T>(position, state_.buffer[0].address,
                          belay::api::BytesOf<PrimT<T>>(count), 0, Whole());
  }
  // A buffer may be handled like a queue of one that is always free.
  template <typename T>
  BELAY_API LocalTensor<T> AllocTensor() {
    return Get<T>();
  }
  template <typename T>
  BELAY_API void FreeTensor(const LocalTensor<T>&) {}
  // `count` elements from `offset` bytes on.
  template <typename T>
  BELAY_API LocalTensor<T> GetWithOffset(uint32_t count, uint32_t offset) {
    return LocalTensor<T>(position, state_.buffer[0].address + offset,
                          belay::api::BytesOf<PrimT<T>>(count), 0, Whole());
  }

 private:
  BELAY_API belay::api::Bounds Whole() const {
    return {state_.buffer[0].address, state_.bytes};
  }
};

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_QUE_H_
