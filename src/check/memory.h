// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_MEMORY_H_
#define BELAY_CHECK_MEMORY_H_

// memcheck: accesses inside a memory but outside what the kernel was given,
// buffers used out of turn, hidden scratch, and what is left behind at the end.

#include <vector>

#include "check/findings.h"
#include "check/memory_buffers.h"
#include "check/memory_registers.h"
#include "check/memory_scratch.h"
#include "npu/chip.h"
#include "npu/hidden_scratch.h"
#include "npu/observer.h"
#include "npu/operands.h"

namespace belay::check {

class MemoryChecker : public npu::Observer {
 public:
  // Both must outlive the checker.
  MemoryChecker(npu::Chip& chip, Findings& findings);

  void OnLaunch(const npu::LaunchEvent&) override;
  void OnBlockBegin(const npu::Core&) override;
  void OnInstruction(const npu::InstructionEvent&) override;
  void OnScalar(const npu::ScalarEvent&) override;
  void OnOutsideBuffer(const npu::OutsideBufferEvent&) override;
  void OnBlockEnd(const npu::Core&) override;

 private:
  struct CoreState {
    QueueBuffers buffers;
    ScratchShadow scratch;
    RegisterWatch registers;
  };

  // Who touches memory, for messages.
  struct Place {
    const npu::Core& core;
    std::string_view what;  // the operation
    std::string_view pipe;
    uint64_t pc;
  };
  // One operand's bytes: [begin, end), within [buffer, buffer + buffer_bytes)
  // if those are known.
  struct Use {
    std::string_view role;
    npu::Access access;
    abi::Memory memory;
    uint64_t begin;
    uint64_t end;
    uint64_t buffer;
    uint64_t buffer_bytes;
  };

  CoreState& StateOf(const npu::Core& core) { return cores_[core.slot]; }
  static Place PlaceOf(const npu::InstructionEvent& event);

  void CheckVector(const npu::InstructionEvent& event);
  // Whether a bound on what the instruction touches, which ignores masks and
  // tails, stays in its buffers and off the scratch: the usual case. Checks
  // turns then, so that nothing is left to do.
  bool IsPlainlyInside(const npu::InstructionEvent& event);
  void CheckTransfer(const npu::InstructionEvent& event);
  void CheckCube(const npu::InstructionEvent& event);
  // The lists of a MrgSort and the rows of a TransDataTo5HD, which carry no
  // bounds: each must end in the buffer it starts in.
  void CheckByAddress(const Place& place, std::string_view role,
                      npu::Access access, uint64_t begin, uint64_t end);
  void CheckRows(const npu::InstructionEvent& event);
  void CheckUse(const Place& place, const Use& use);
  // True when the use leaves its allocation, which is then reported.
  bool CheckAllocation(const Place& place, const Use& use);
  void CheckTurn(const Place& place, std::string_view role,
                 const Buffer& buffer);
  void ReportOutside(const Place& place, const Use& use);
  void ReportBuffersOver(const Place& place, const npu::HiddenScratch& scratch);
  void ReportLoss(const Place& place, std::string_view role,
                  const ScratchShadow::Loss& loss);
  void CheckScratch(const npu::InstructionEvent& event, bool touched);
  void ReportLeaks(const npu::Core& core);

  npu::Chip& chip_;
  Findings& findings_;
  std::vector<CoreState> cores_;  // by slot
};

}  // namespace belay::check

#endif  // BELAY_CHECK_MEMORY_H_
