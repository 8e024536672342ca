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
  uint64_t argument_bytes = 0;
  // Cores of each type that one block takes.
  int cube_cores = 0;
  int vector_cores = 1;
  // Whether the chip passes flags between cores on for this kind of kernel.
  bool has_scheduler = true;
};

struct InstructionEvent {
  const Core& core;
  const abi::Instruction& instruction;  // pc and repeat limits checked
  const Lanes* lanes;                   // vector instructions only
  abi::Pipe pipe;
};

// A scalar load or store. `ordered`: made by GetValue or SetValue of a tensor,
// which compiler auto-sync orders with the other pipes. `direct`: past the
// data cache.
struct ScalarEvent {
  const Core& core;
  uint64_t address;
  uint64_t bytes;
  bool write;
  bool ordered;
  uint64_t pc;
  bool direct = false;
};

// A scalar access through a tensor that leaves what the tensor may touch: its
// buffer, or the size it was declared with. The access itself comes after.
struct OutsideBufferEvent {
  const Core& core;
  uint64_t address;
  uint64_t bytes;
  uint64_t buffer;
  uint64_t buffer_bytes;
  uint64_t pc;
};

// Bytes of global memory written by the host.
struct HostWriteEvent {
  uint64_t address;
  uint64_t bytes;
  uint64_t source;  // in global memory, when copied from there; else 0
};

// The scalar unit reads a register.
struct RegisterEvent {
  const Core& core;
  abi::Register which;
  uint64_t pc;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void OnLaunch(const LaunchEvent&) {}
  virtual void OnBlockBegin(const Core&) {}
  // After the requirements held, before the instruction executes.
  virtual void OnInstruction(const InstructionEvent&) {}
  // Offsets or addresses in memory lead where the instruction may not go: it
  // traps next. OnInstruction is not called.
  virtual void OnRefusedByData(const InstructionEvent&) {}
  // A block that waited for other blocks (SyncAll, IbWait, WaitPreBlock) goes
  // on; OnInstruction came when it began to wait.
  virtual void OnWaited(const InstructionEvent&) {}
  virtual void OnScalar(const ScalarEvent&) {}
  virtual void OnRegister(const RegisterEvent&) {}
  virtual void OnOutsideBuffer(const OutsideBufferEvent&) {}
  // The block lets others run.
  virtual void OnYield(const Core&) {}
  virtual void OnBlockEnd(const Core&) {}
  // Fresh global memory, which nobody wrote yet. What was never announced
  // counts as written.
  virtual void OnAllocate(uint64_t /*address*/, uint64_t /*bytes*/) {}
  virtual void OnHostWrite(const HostWriteEvent&) {}
  virtual void OnLaunchEnd() {}
};

}  // namespace belay::npu

#endif  // BELAY_NPU_OBSERVER_H_
