// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_INIT_CHECKER_H_
#define BELAY_CHECK_INIT_CHECKER_H_

// initcheck: follows bytes that nobody wrote, lane by lane, and reports where
// they do harm: stored to global memory, read by the scalar unit, used as an
// offset, as bits that decide what is kept, in a reduction or in a sort.
// Garbage that is computed on and never stored is no finding.
//
// Undefined at first are: all memories of a core when a block begins on it,
// and global memory the chip was told of (Chip::NotifyAllocate). A second map
// holds stale bytes, which have a value but hardly one that is meant: written
// before the last AllocTensor of their buffer, or filled up by DataCopyPad.
// Storing these is a warning. The data cache counts as transparent.
//
// The shadow has bits, so that bit masks and int4 are followed exactly; a byte
// is a finding at a store or a scalar load only if none of its bits is defined.

#include <array>
#include <cstdint>
#include <vector>

#include "check/findings.h"
#include "check/init_lanes.h"
#include "check/init_origins.h"
#include "check/init_report.h"
#include "check/init_transfer.h"
#include "check/shadow_map.h"
#include "npu/chip.h"

namespace belay::check {

class InitChecker : public npu::Observer {
 public:
  // Both must outlive the checker. Takes address space of the size of global
  // memory, and memory as it is touched.
  InitChecker(npu::Chip& chip, Findings& findings);

  void OnLaunch(const npu::LaunchEvent&) override;
  void OnBlockBegin(const npu::Core& core) override;
  void OnInstruction(const npu::InstructionEvent& event) override;
  void OnRefusedByData(const npu::InstructionEvent& event) override;
  void OnScalar(const npu::ScalarEvent& event) override;
  void OnAllocate(uint64_t address, uint64_t bytes) override;
  void OnHostWrite(const npu::HostWriteEvent& event) override;

  // Bits of the byte at `address` that are undefined, or stale.
  uint8_t UndefinedBits(uint64_t address) const;
  uint8_t StaleBits(uint64_t address) const;
  // The same of the comparison register of a core: two words.
  const std::array<uint64_t, 2>& UndefinedCompareBits(int slot) const {
    return cores_[slot].undefined_bits;
  }

 private:
  struct CoreState {
    std::array<uint64_t, 2> undefined_bits;  // of the comparison register
    std::array<uint64_t, 2> stale_bits;
    BufferTable buffers;
    int blocks = 0;  // begun in this launch
  };

  void OnVector(const npu::InstructionEvent& event);
  void OnTransfer(const npu::InstructionEvent& event);
  void OnCube(const npu::InstructionEvent& event);
  void OnQueue(const npu::InstructionEvent& event);
  void OnStore(const npu::InstructionEvent& event);
  void OnLoad(const npu::InstructionEvent& event);
  void ReportReached(const npu::InstructionEvent& event,
                     const Reached& reached);
  // One map of a vector instruction; what reached a sink.
  Reached Run(const npu::InstructionEvent& event, const Touches& touches,
              ShadowMap& shadow, uint64_t* compare_bits, bool judges);

  ShadowMap& UndefinedMap(uint64_t address) {
    return global_.Spans(address) ? global_ : on_chip_;
  }
  Origin OriginAt(const ShadowMap& map, uint64_t address) const {
    return origins_.At(map.OriginAt(address));
  }
  // The number of the origin that what is made of `address` gets.
  uint32_t PassOn(const ShadowMap& map, uint64_t address,
                  const abi::Instruction& instruction);
  // Calls report_.Add for one byte of `map` at fault.
  template <typename F>
  void Report(const char* code, const npu::Core& core, abi::Pipe pipe,
              uint64_t pc, const ShadowMap& map, uint64_t address, F rule);

  npu::Chip& chip_;
  ShadowMap on_chip_;  // undefined bits
  ShadowMap global_;
  ShadowMap stale_;               // on-chip memories
  std::vector<CoreState> cores_;  // by slot
  OriginTable origins_;
  InitReport report_;
};

}  // namespace belay::check

#endif  // BELAY_CHECK_INIT_CHECKER_H_
