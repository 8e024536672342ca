// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_PIPE_H_
#define BELAY_ASCENDC_PIPE_H_

// TPipe: hands on-chip memory to queues and buffers, and event ids to the
// kernel. One is alive at a time.

#include "ascendc/event.h"
#include "ascendc/que.h"
#include "ascendc/tensor.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

class TPipe {
 public:
  BELAY_API TPipe() { Init(); }
  BELAY_API ~TPipe() {
    if (state_.live != 0) Destroy();
  }
  TPipe(const TPipe&) = delete;
  TPipe& operator=(const TPipe&) = delete;

  BELAY_API void Init() { belay_pipe_init(&state_); }
  BELAY_API void Destroy() { belay_pipe_destroy(&state_); }
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

  belay::abi::PipeState state_{};
};

// The kernel's live TPipe.
BELAY_API TPipe* GetTPipePtr() {
  static_assert(sizeof(TPipe) == sizeof(belay::abi::PipeState));
  return reinterpret_cast<TPipe*>(belay_current_pipe());
}

}  // namespace AscendC

using AscendC::GetTPipePtr;

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_PIPE_H_
