// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_OBSERVER_H_
#define BELAY_NPU_OBSERVER_H_

// The hook at the chip's one choke point: whoever checks, times or traces
// kernels is an Observer. Events arrive in program order of each core.

#include <cstdint>
#include <string>

#include "npu/core.h"
#include "npu/lanes.h"

namespace belay::npu {

struct LaunchEvent {
  std::string kernel;
  int blocks;
};

struct InstructionEvent {
  const Core& core;
  const abi::Instruction& instruction;  // pc and repeat limits checked
  const Lanes* lanes;                   // vector instructions only
  abi::Pipe pipe;
};

// A scalar load or store. `ordered`: made by GetValue or SetValue of a tensor,
// which compiler auto-sync orders with the other pipes.
struct ScalarEvent {
  const Core& core;
  uint64_t address;
  uint64_t bytes;
  bool write;
  bool ordered;
  uint64_t pc;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void OnLaunch(const LaunchEvent&) {}
  virtual void OnBlockBegin(const Core&) {}
  // After the requirements held, before the instruction executes.
  virtual void OnInstruction(const InstructionEvent&) {}
  virtual void OnScalar(const ScalarEvent&) {}
  virtual void OnBlockEnd(const Core&) {}
  virtual void OnLaunchEnd() {}
};

}  // namespace belay::npu

#endif  // BELAY_NPU_OBSERVER_H_
