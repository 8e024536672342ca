// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_INIT_OUTPUT_H_
#define BELAY_ASCENDC_INIT_OUTPUT_H_

// InitOutput, Fill, InitGlobalMemory: one value into a stretch of global
// memory.

#include "ascendc/data_copy.h"
#include "ascendc/fill.h"
#include "ascendc/pipe.h"
#include "ascendc/stack_buffer.h"
#include "ascendc/sync.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// Fills what is left of UB once and moves it as often as it takes.
template <typename T>
BELAY_API void FillGlobal(const AscendC::GlobalTensor<T>& gm, uint64_t size,
                          AscendC::PrimT<T> value) {
  using namespace AscendC;
  constexpr uint32_t kBlock = 32 / sizeof(PrimT<T>);
  LocalTensor<T> filled;
  if (!PopStackBuffer<T, TPosition::LCM>(filled)) return;
  const uint64_t room = filled.GetSize() / kBlock * kBlock;
  const uint64_t length = size < room ? size : room;
  const TEventID ready = GetTPipePtr()->FetchEventID(HardEvent::V_MTE3);
  Duplicate(filled, value, static_cast<int64_t>(length));
  SetFlag<HardEvent::V_MTE3>(ready);
  WaitFlag<HardEvent::V_MTE3>(ready);
  for (uint64_t done = 0; done < size; done += length) {
    const uint64_t now = size - done < length ? size - done : length;
    DataCopyExtParams params;
    params.blockLen = static_cast<uint32_t>(now * sizeof(PrimT<T>));
    DataCopyPad(gm[done], filled, params);
  }
  // Whoever uses UB next waits for the moves.
  const TEventID moved = GetTPipePtr()->FetchEventID(HardEvent::MTE3_V);
  SetFlag<HardEvent::MTE3_V>(moved);
  WaitFlag<HardEvent::MTE3_V>(moved);
}

}  // namespace belay::api

namespace AscendC {

template <typename T>
BELAY_API void InitOutput(GlobalTensor<T> gmWorkspaceAddr, uint32_t size,
                          T value = 0) {
  BELAY_TAKES(PrimT<T>, "InitOutput", BELAY_16_32_BITS)
  belay::api::FillGlobal(gmWorkspaceAddr, size, value);
}

// The library's names for it.
template <typename T>
BELAY_API void Fill(GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size,
                    const PrimT<T> value) {
  BELAY_TAKES(PrimT<T>, "Fill", BELAY_16_32_BITS)
  belay::api::FillGlobal(gmWorkspaceAddr, size, value);
}
template <typename T>
BELAY_API void InitGlobalMemory(GlobalTensor<T>& gmWorkspaceAddr,
                                const uint64_t size, const PrimT<T> value) {
  BELAY_TAKES(PrimT<T>, "InitGlobalMemory", BELAY_16_32_BITS)
  belay::api::FillGlobal(gmWorkspaceAddr, size, value);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_INIT_OUTPUT_H_
