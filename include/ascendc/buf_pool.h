// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_BUF_POOL_H_
#define BELAY_ASCENDC_BUF_POOL_H_

// TBufPool: a part of the on-chip memory that is divided among queues, buffers
// and further pools, and divided anew after Reset. Kernels may write a pool of
// their own with EXTERN_IMPL_BUFPOOL.

#include "ascendc/que.h"
#include "belay/launch.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// A whole memory as a pool, for buffers at places of the kernel's choice.
class WholeMemory {
 public:
  BELAY_API explicit WholeMemory(AscendC::TPosition position) {
    state_.memory = MemoryOf(position);
    state_.base = belay_memory_base(state_.memory);
    state_.bytes = static_cast<uint32_t>(belay_memory_bytes(state_.memory));
  }
  BELAY_API abi::PoolState* BelayPoolState() { return &state_; }

 private:
  abi::PoolState state_{};
};

}  // namespace belay::api

namespace AscendC {

inline constexpr uint32_t defaultBufIDSize = 4;

// bufIDSize bounds the buffers the pool hands out.
template <TPosition pos, uint32_t bufIDSize = defaultBufIDSize>
class TBufPool {
 public:
  static_assert(bufIDSize <= belay::abi::kMaxPoolBuffers,
                "TBufPool hands out at most 16 buffers");
  static constexpr TPosition kBelayPosition = pos;

  TBufPool() = default;

  template <typename Queue>
  BELAY_API bool InitBuffer(Queue& que, uint32_t num, uint32_t len) {
    belay_pool_init_buffer(&state_, que.State(), num, len);
    return true;
  }
  template <TPosition position>
  BELAY_API bool InitBuffer(TBuf<position>& buf, uint32_t len) {
    belay_pool_init_buffer(&state_, buf.State(), 1, len);
    return true;
  }

  // A pool inside this one: new bytes, or those of another pool.
  template <typename Pool>
  BELAY_API bool InitBufPool(Pool& bufPool, uint32_t len) {
    belay_pool_init(belay_current_pipe(), &state_, bufPool.BelayPoolState(),
                    belay::api::PositionOf(Pool::kBelayPosition), len, nullptr);
    return true;
  }
  template <typename Pool, typename Shared>
  BELAY_API bool InitBufPool(Pool& bufPool, uint32_t len, Shared& shareBuf) {
    belay_pool_init(belay_current_pipe(), &state_, bufPool.BelayPoolState(),
                    belay::api::PositionOf(Pool::kBelayPosition), len,
                    shareBuf.BelayPoolState());
    return true;
  }

  // Takes everything back.
  BELAY_API void Reset() { belay_pool_reset(&state_); }

  // For TPipe and TBufPool.
  BELAY_API belay::abi::PoolState* BelayPoolState() { return &state_; }

 private:
  belay::abi::PoolState state_{};
};

}  // namespace AscendC

BELAY_KERNEL_CODE_END

// The members of a pool class of the kernel's own, which writes InitBuffer
// itself. Addresses count bytes from the start of the memory.
#define EXTERN_IMPL_BUFPOOL(pool_class, POSITION, BUFID_SIZE)                  \
 public:                                                                       \
  static constexpr AscendC::TPosition kBelayPosition = POSITION;               \
  __aicore__ BELAY_API void Init() {                                           \
    belay_pool_state_ = belay::abi::PoolState{};                               \
  }                                                                            \
  __aicore__ BELAY_API void Reset() { belay_pool_reset(&belay_pool_state_); }  \
  __aicore__ BELAY_API AscendC::TBufHandle GetBufHandle(uint8_t offset) {      \
    return belay_handles_ + offset;                                            \
  }                                                                            \
  __aicore__ BELAY_API void SetCurAddr(uint32_t curAddr) {                     \
    belay_pool_state_.used = curAddr - BelayStart();                           \
  }                                                                            \
  __aicore__ BELAY_API uint32_t GetCurAddr() {                                 \
    return BelayStart() + belay_pool_state_.used;                              \
  }                                                                            \
  __aicore__ BELAY_API void SetCurBufSize(uint8_t curBufSize) {                \
    belay_pool_state_.buffers = curBufSize;                                    \
  }                                                                            \
  __aicore__ BELAY_API uint8_t GetCurBufSize() {                               \
    return static_cast<uint8_t>(belay_pool_state_.buffers);                    \
  }                                                                            \
  __aicore__ BELAY_API belay::abi::PoolState* BelayPoolState() {               \
    return &belay_pool_state_;                                                 \
  }                                                                            \
                                                                               \
 private:                                                                      \
  __aicore__ BELAY_API uint32_t BelayStart() const {                           \
    return static_cast<uint32_t>(belay_pool_state_.base -                      \
                                 belay_memory_base(belay_pool_state_.memory)); \
  }                                                                            \
  belay::abi::PoolState belay_pool_state_{};                                   \
                                                                               \
 public:                                                                       \
  uint8_t belay_handles_[BUFID_SIZE] = {}

#endif  // BELAY_ASCENDC_BUF_POOL_H_
