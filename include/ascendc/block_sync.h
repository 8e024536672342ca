// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_BLOCK_SYNC_H_
#define BELAY_ASCENDC_BLOCK_SYNC_H_

// Order between blocks: a flag that one block sets and another waits for, and
// turns that go from block to block. The record's dst is the workspace in GM
// by which the blocks find each other.

#include "ascendc/sync.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

BELAY_API void IssueBlockSync(Op op,
                              const AscendC::GlobalTensor<int32_t>& workspace,
                              int64_t id, int64_t block) {
  Instruction record{};
  record.op = op;
  record.dst = OperandOf(workspace);
  record.sync.from = abi::Pipe::kAll;
  record.sync.to = abi::Pipe::kAll;
  record.sync.id = Saturate(id);
  record.sync.block = Saturate(block);
  belay_issue(&record);
}

}  // namespace belay::api

namespace AscendC {

template <bool isAIVOnly = true>
BELAY_API void IBSet(const GlobalTensor<int32_t>& gmWorkspace,
                     const LocalTensor<int32_t>&, int32_t blockIdx,
                     int32_t eventID) {
  belay::api::IssueBlockSync(belay::abi::Op::kIbSet, gmWorkspace, eventID,
                             blockIdx);
}
template <bool isAIVOnly = true>
BELAY_API void IBWait(const GlobalTensor<int32_t>& gmWorkspace,
                      const LocalTensor<int32_t>&, int32_t blockIdx,
                      int32_t eventID) {
  belay::api::IssueBlockSync(belay::abi::Op::kIbWait, gmWorkspace, eventID,
                             blockIdx);
}

BELAY_API void InitDetermineComputeWorkspace(GlobalTensor<int32_t>&,
                                             LocalTensor<int32_t>&) {}
BELAY_API void WaitPreBlock(GlobalTensor<int32_t>& gmWorkspace,
                            LocalTensor<int32_t>&) {
  belay::api::IssueBlockSync(belay::abi::Op::kWaitPreBlock, gmWorkspace, 0, 0);
}
BELAY_API void NotifyNextBlock(GlobalTensor<int32_t>& gmWorkspace,
                               LocalTensor<int32_t>&) {
  belay::api::IssueBlockSync(belay::abi::Op::kNotifyNextBlock, gmWorkspace, 0,
                             0);
}

enum class MemDsbT : uint8_t { ALL = 0, DDR, UB, SEQ };

// Waits for the scalar unit's accesses to a memory; the record's mode says to
// which.
template <MemDsbT arg0>
BELAY_API void DataSyncBarrier() {
  belay::api::IssueSync(belay::abi::Op::kDataSyncBarrier, belay::abi::Pipe::kS,
                        belay::abi::Pipe::kS, 0, static_cast<uint8_t>(arg0));
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_BLOCK_SYNC_H_
