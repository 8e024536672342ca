// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_INSTRUCTION_TRACE_H_
#define BELAY_GUEST_INSTRUCTION_TRACE_H_

// The trace of every instruction a guest issues, with lines of its source.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "runtime/device.h"

namespace belay::guest {

struct TraceOptions {
  bool instructions = false;
  std::string file;  // empty: standard error
};

// Traces what the device does; nothing when not asked for. Must outlive the
// device's use.
class InstructionTrace {
 public:
  // `module` is loaded at `base`. Throws UserError when the trace's file
  // cannot be written.
  InstructionTrace(const TraceOptions& options, runtime::Device& device,
                   const std::string& module, uint64_t base);
  ~InstructionTrace();
  InstructionTrace(const InstructionTrace&) = delete;
  InstructionTrace& operator=(const InstructionTrace&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace belay::guest

#endif  // BELAY_GUEST_INSTRUCTION_TRACE_H_
