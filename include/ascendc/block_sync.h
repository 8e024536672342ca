// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_BLOCK_SYNC_H_
#define BELAY_ASCENDC_BLOCK_SYNC_H_

// Order between blocks: a flag that one block sets and another waits for,
// turns that go from block to block, and groups that wait for groups. The
// record's dst is the workspace in GM by which the blocks find each other.

#include "ascendc/cross_core.h"

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

enum class PipeMode : uint8_t { SCALAR_MODE = 0, MTE3_MODE = 1, MAX };

// Blocks that wait until every block of another group has arrived. The
// workspace takes 512 bytes for each of those that wait.
template <PipeMode pipeMode>
class GroupBarrier {
 public:
  BELAY_API GroupBarrier(GM_ADDR groupWorkspace, uint32_t arriveSizeIn,
                         uint32_t waitSizeIn)
      : arrive_count_(arriveSizeIn), wait_count_(waitSizeIn) {
    workspace_.SetGlobalBuffer(reinterpret_cast<int32_t*>(groupWorkspace));
  }

  BELAY_API void Arrive(uint32_t arriveIndex) {
    for (uint32_t waiting = 0; waiting < wait_count_; ++waiting) {
      belay::api::IssueBlockSync(belay::abi::Op::kIbSet, workspace_, waiting,
                                 arriveIndex);
    }
  }
  BELAY_API void Wait(uint32_t waitIndex) {
    for (uint32_t arriving = 0; arriving < arrive_count_; ++arriving) {
      belay::api::IssueBlockSync(belay::abi::Op::kIbWait, workspace_, waitIndex,
                                 arriving);
    }
  }
  BELAY_API uint64_t GetWorkspaceLen() const {
    return uint64_t{wait_count_} * 512;
  }

 private:
  GlobalTensor<int32_t> workspace_;
  uint32_t arrive_count_;
  uint32_t wait_count_;
};

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
