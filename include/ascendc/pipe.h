// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_PIPE_H_
#define BELAY_ASCENDC_PIPE_H_

// TPipe: hands on-chip memory to queues, buffers and pools, and event ids to
// the kernel. One is alive at a time.

#include "ascendc/buf_pool.h"
#include "ascendc/data_copy.h"
#include "ascendc/event.h"
#include "ascendc/que.h"
#include "ascendc/std.h"
#include "ascendc/tensor.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

class TPipe {
 public:
  BELAY_API TPipe() { Init(); }
  BELAY_API ~TPipe() {
    if (state_.live != 0) Destroy();
  }
  // A copy, as classes that hold a pipe make them: it hands nothing out and
  // ends nothing.
  BELAY_API TPipe(const TPipe&) {}
  TPipe& operator=(const TPipe&) = delete;

  BELAY_API void Init() { belay_pipe_init(&state_); }
  BELAY_API void Destroy() { belay_pipe_destroy(&state_); }
  BELAY_API void DestroyWithoutPipeAll() { belay_pipe_destroy(&state_); }
  BELAY_API void Reset() { belay_pipe_reset(&state_); }

  // `num` buffers of `len` bytes each for a TQue, TQueBind or TSCM.
  template <typename Queue>
  BELAY_API bool InitBuffer(Queue& que, uint32_t num, uint32_t len) {
    belay_init_buffer(&state_, que.State(), num, len);
    return true;
  }
  template <TPosition position>
  BELAY_API bool InitBuffer(TBuf<position>& buf, uint32_t len) {
    belay_init_buffer(&state_, buf.State(), 1, len);
    return true;
  }

  // One buffer for each (start, bytes), the start counted from the beginning
  // of the memory.
  template <typename Queue, typename... Places>
  BELAY_API bool InitBuffer(Queue& que,
                            const Std::tuple<uint32_t, uint32_t>& addr0,
                            const Places&... addrs) {
    constexpr uint32_t kCount = 1 + sizeof...(addrs);
    const Std::tuple<uint32_t, uint32_t> places[kCount] = {addr0, addrs...};
    const uint32_t bytes = Std::get<1>(addr0);
    belay::api::WholeMemory whole(Queue::kPosition);
    que.InitStartBufHandle(nullptr, kCount, bytes);
    for (uint32_t i = 0; i < kCount; ++i) {
      que.InitBufHandle(&whole, i, nullptr, Std::get<0>(places[i]), bytes);
    }
    return true;
  }

  // A pool of `len` bytes: new ones, or those of another pool.
  template <typename Pool>
  BELAY_API bool InitBufPool(Pool& bufPool, uint32_t len) {
    belay_pool_init(&state_, nullptr, bufPool.BelayPoolState(),
                    belay::api::PositionOf(Pool::kBelayPosition), len, nullptr);
    return true;
  }
  template <typename Pool, typename Shared>
  BELAY_API bool InitBufPool(Pool& bufPool, uint32_t len, Shared& shareBuf) {
    belay_pool_init(&state_, nullptr, bufPool.BelayPoolState(),
                    belay::api::PositionOf(Pool::kBelayPosition), len,
                    shareBuf.BelayPoolState());
    return true;
  }

  // Global memory to set tensors aside in. Offsets and sizes count bytes.
  template <typename T>
  BELAY_API void InitSpmBuffer(const GlobalTensor<T>& workspace, int32_t) {
    spare_ = reinterpret_cast<uint64_t>(workspace.GetPhyAddr());
  }
  template <typename T>
  BELAY_API void WriteSpmBuffer(const LocalTensor<T>& writeBuffer,
                                const DataCopyParams& copyParams,
                                int32_t writeOffset = 0) {
    DataCopy(Spare<T>(writeOffset), writeBuffer, copyParams);
  }
  template <typename T>
  BELAY_API void WriteSpmBuffer(const LocalTensor<T>& writeBuffer,
                                int32_t writeSize, int32_t writeOffset = 0) {
    DataCopy(Spare<T>(writeOffset), writeBuffer,
             belay::api::CountOf<PrimT<T>>(writeSize));
  }
  template <typename T>
  BELAY_API void ReadSpmBuffer(const LocalTensor<T>& readBuffer,
                               const DataCopyParams& copyParams,
                               int32_t readOffset = 0) {
    DataCopy(readBuffer, Spare<T>(readOffset), copyParams);
  }
  template <typename T>
  BELAY_API void ReadSpmBuffer(const LocalTensor<T>& readBuffer,
                               int32_t readSize, int32_t readOffset = 0) {
    DataCopy(readBuffer, Spare<T>(readOffset),
             belay::api::CountOf<PrimT<T>>(readSize));
  }

  template <HardEvent event>
  BELAY_API TEventID AllocEventID() {
    return static_cast<TEventID>(belay_event_alloc(From(event), To(event)));
  }
  template <HardEvent event>
  BELAY_API void ReleaseEventID(TEventID id) {
    belay_event_release(From(event), To(event), id);
  }
  template <HardEvent event>
  BELAY_API TEventID FetchEventID() {
    return static_cast<TEventID>(belay_event_fetch(From(event), To(event)));
  }
  BELAY_API TEventID FetchEventID(HardEvent event) {
    return static_cast<TEventID>(belay_event_fetch(From(event), To(event)));
  }

  // Where the memory of a TPosition starts.
  BELAY_API uint8_t* GetBaseAddr(int8_t position) {
    return reinterpret_cast<uint8_t*>(belay_memory_base(
        belay::api::MemoryOf(static_cast<TPosition>(position))));
  }

 private:
  BELAY_API static constexpr uint32_t From(HardEvent event) {
    return static_cast<uint32_t>(belay::api::FromOf(event));
  }
  BELAY_API static constexpr uint32_t To(HardEvent event) {
    return static_cast<uint32_t>(belay::api::ToOf(event));
  }

  template <typename T>
  BELAY_API GlobalTensor<T> Spare(int32_t offset) const {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<PrimT<T>*>(spare_ + offset));
    return tensor;
  }

  belay::abi::PipeState state_{};  // first: GetTPipePtr comes back from it
  uint64_t spare_ = 0;
};

// The kernel's live TPipe.
BELAY_API TPipe* GetTPipePtr() {
  return reinterpret_cast<TPipe*>(belay_current_pipe());
}

}  // namespace AscendC

using AscendC::GetTPipePtr;

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_PIPE_H_
