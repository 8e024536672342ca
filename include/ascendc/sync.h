// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_SYNC_H_
#define BELAY_ASCENDC_SYNC_H_

// Flags between the pipes of a core, pipe barriers, meetings of all blocks.

#include "ascendc/event.h"
#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

BELAY_API void IssueSync(Op op, abi::Pipe from, abi::Pipe to, int64_t id,
                         uint8_t mode = 0) {
  Instruction record{};
  record.op = op;
  record.mode = mode;
  record.sync.from = from;
  record.sync.to = to;
  record.sync.id = Saturate(id);
  belay_issue(&record);
}

}  // namespace belay::api

namespace AscendC {

template <HardEvent event>
BELAY_API void SetFlag(int32_t eventID) {
  belay::api::IssueSync(belay::abi::Op::kSetFlag, belay::api::FromOf(event),
                        belay::api::ToOf(event), eventID);
}
template <HardEvent event>
BELAY_API void WaitFlag(int32_t eventID) {
  belay::api::IssueSync(belay::abi::Op::kWaitFlag, belay::api::FromOf(event),
                        belay::api::ToOf(event), eventID);
}

template <pipe_t pipe>
BELAY_API void PipeBarrier() {
  constexpr belay::abi::Pipe kPipe = belay::api::PipeOf(pipe);
  belay::api::IssueSync(belay::abi::Op::kPipeBarrier, kPipe, kPipe, 0);
}

template <pipe_t src, pipe_t dst>
class TQueSync {
 public:
  BELAY_API void SetFlag(TEventID id) {
    belay::api::IssueSync(belay::abi::Op::kSetFlag, belay::api::PipeOf(src),
                          belay::api::PipeOf(dst), id);
  }
  BELAY_API void WaitFlag(TEventID id) {
    belay::api::IssueSync(belay::abi::Op::kWaitFlag, belay::api::PipeOf(src),
                          belay::api::PipeOf(dst), id);
  }
};

struct SyncAllConfig {
  pipe_t triggerPipe;
  pipe_t waitPipe;
};
inline constexpr SyncAllConfig DEFAULT_SYNC_ALL_CONFIG = {PIPE_ALL, PIPE_ALL};

// Every block of the launch meets. The record's mode is 1 when cube cores
// take part, its id the number of blocks that meet, 0 for all.
template <bool isAIVOnly = true,
          const SyncAllConfig& config = DEFAULT_SYNC_ALL_CONFIG>
BELAY_API void SyncAll() {
  belay::api::IssueSync(
      belay::abi::Op::kSyncAll, belay::api::PipeOf(config.triggerPipe),
      belay::api::PipeOf(config.waitPipe), 0, isAIVOnly ? 0 : 1);
}
template <bool isAIVOnly = true>
BELAY_API void SyncAll(const GlobalTensor<int32_t>& gmWorkspace,
                       const LocalTensor<int32_t>&, int32_t usedCores = 0) {
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kSyncAll;
  record.mode = isAIVOnly ? 0 : 1;
  record.dst = belay::api::OperandOf(gmWorkspace);
  record.sync.from = belay::abi::Pipe::kAll;
  record.sync.to = belay::abi::Pipe::kAll;
  record.sync.id = belay::api::Saturate(usedCores);
  belay_issue(&record);
}

// Kernels of a stream follow one another here: the next one starts when the
// last block of this one has ended.
template <pipe_t AIV_PIPE = PIPE_MTE3, pipe_t AIC_PIPE = PIPE_FIX,
          bool FORCE = false>
BELAY_API void SetNextTaskStart() {}
template <bool FORCE = false>
BELAY_API void WaitPreTaskEnd() {}

}  // namespace AscendC

// The same in the older spelling.
BELAY_API void set_flag(pipe_t from, pipe_t to, int32_t id) {
  belay::api::IssueSync(belay::abi::Op::kSetFlag, belay::api::PipeOf(from),
                        belay::api::PipeOf(to), id);
}
BELAY_API void wait_flag(pipe_t from, pipe_t to, int32_t id) {
  belay::api::IssueSync(belay::abi::Op::kWaitFlag, belay::api::PipeOf(from),
                        belay::api::PipeOf(to), id);
}
BELAY_API void pipe_barrier(pipe_t pipe) {
  belay::api::IssueSync(belay::abi::Op::kPipeBarrier, belay::api::PipeOf(pipe),
                        belay::api::PipeOf(pipe), 0);
}

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_SYNC_H_
