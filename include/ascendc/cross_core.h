// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_CROSS_CORE_H_
#define BELAY_ASCENDC_CROSS_CORE_H_

// Flags between cores: a counter for each of 16 ids on every core, raised by
// CrossCoreSetFlag of those who take part in its mode, and taken down by
// CrossCoreWaitFlag.

#include "ascendc/sync.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

template <uint8_t modeId, pipe_t pipe>
BELAY_API void CrossCoreSetFlag(uint16_t flagId) {
  if constexpr (modeId > 2) {
    belay_not_on_chip("CrossCoreSetFlag in a mode above 2");
  } else {
    belay::api::IssueSync(belay::abi::Op::kCrossCoreSetFlag,
                          belay::api::PipeOf(pipe), belay::abi::Pipe::kAll,
                          flagId, modeId);
  }
}

// Mode and pipe say nothing on this chip: all pipes wait.
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
BELAY_API void CrossCoreWaitFlag(uint16_t flagId) {
  if constexpr (modeId > 2) {
    belay_not_on_chip("CrossCoreWaitFlag in a mode above 2");
  } else {
    belay::api::IssueSync(belay::abi::Op::kCrossCoreWaitFlag,
                          belay::abi::Pipe::kAll, belay::abi::Pipe::kAll,
                          flagId);
  }
}

}  // namespace AscendC

namespace belay::api {

BELAY_API void ArriveAtCores(pipe_t pipe, uint8_t mode, int64_t id) {
  Instruction record{};
  record.op = Op::kCrossCoreSetFlag;
  record.mode = mode;
  record.sync.from = PipeOf(pipe);
  record.sync.to = abi::Pipe::kAll;
  record.sync.id = Saturate(id);
  record.sync.block = 1;
  belay_issue(&record);
}

}  // namespace belay::api

// The same in the older spelling. A message holds 1 in bits 0 to 3, the mode in
// 4 and 5, the id in 8 to 11.
BELAY_API void ffts_cross_core_sync(pipe_t pipe, uint64_t message) {
  belay::api::ArriveAtCores(pipe, static_cast<uint8_t>(message >> 4 & 3),
                            static_cast<int64_t>(message >> 8 & 15));
}
BELAY_API void wait_flag_dev(int64_t flag) {
  AscendC::CrossCoreWaitFlag(static_cast<uint16_t>(flag));
}
// Where the scheduler's registers lie is the runtime's business here.
BELAY_API void set_ffts_base_addr(uint64_t) {}
namespace AscendC {
BELAY_API void SetSyncBaseAddr(uint64_t) {}
}  // namespace AscendC

// And in C: between all cores of a type, between the vector cores of a block,
// between the cube core and the vector cores of a block.
BELAY_API void asc_set_ffts_base_addr(uint64_t) {}
BELAY_API void asc_sync_inter_arrive(pipe_t pipe, int64_t flag_id) {
  belay::api::ArriveAtCores(pipe, 0, flag_id);
}
BELAY_API void asc_sync_inter_wait(pipe_t, int64_t flag_id) {
  wait_flag_dev(flag_id);
}
BELAY_API void asc_sync_subblock_arrive(pipe_t pipe, int64_t flag_id) {
  belay::api::ArriveAtCores(pipe, 1, flag_id);
}
BELAY_API void asc_sync_subblock_wait(pipe_t, int64_t flag_id) {
  wait_flag_dev(flag_id);
}
BELAY_API void asc_sync_block_arrive(pipe_t pipe, int64_t flag_id) {
  belay::api::ArriveAtCores(pipe, 2, flag_id);
}
BELAY_API void asc_sync_block_wait(pipe_t, int64_t flag_id) {
  wait_flag_dev(flag_id);
}

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_CROSS_CORE_H_
