// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_SYNC_H_
#define BELAY_CHECK_SYNC_H_

// synccheck: flags that are leaked, shared or misplaced, and queue calls out
// of turn. What hangs the chip at once is npu's and the runtime's.

#include <array>
#include <vector>

#include "check/findings.h"
#include "check/memory_buffers.h"
#include "npu/chip.h"
#include "npu/observer.h"

namespace belay::check {

class SyncChecker : public npu::Observer {
 public:
  // Both must outlive the checker.
  SyncChecker(npu::Chip& chip, Findings& findings);

  void OnLaunch(const npu::LaunchEvent&) override;
  void OnBlockBegin(const npu::Core&) override;
  void OnInstruction(const npu::InstructionEvent&) override;
  void OnBlockEnd(const npu::Core&) override;

 private:
  static constexpr int kPairs = 64;

  struct CoreState {
    QueueBuffers buffers;
    // By pair of pipes, a bit for each event id.
    std::array<uint8_t, kPairs> queue_set{};  // set by a queue, if set
    std::array<uint8_t, kPairs> seen{};       // set in this block so far
  };

  CoreState& StateOf(const npu::Core& core) { return cores_[core.slot]; }

  void CheckSetFlag(const npu::InstructionEvent& event);
  void CheckWaitFlag(const npu::InstructionEvent& event);
  void CheckBarrier(const npu::InstructionEvent& event);
  void CheckQueue(const npu::InstructionEvent& event);
  void CheckEnQue(const npu::InstructionEvent& event, const Buffer& buffer);
  void CheckFree(const npu::InstructionEvent& event, const Buffer& buffer);
  void CheckAllocated(const npu::InstructionEvent& event, const Buffer& buffer);
  void Add(std::string_view code, const npu::InstructionEvent& event,
           std::string message, std::string fix, std::string note,
           uint64_t note_pc, uint64_t name_pc = 0);

  npu::Chip& chip_;
  Findings& findings_;
  std::vector<CoreState> cores_;  // by slot
};

}  // namespace belay::check

#endif  // BELAY_CHECK_SYNC_H_
