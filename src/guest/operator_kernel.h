// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_OPERATOR_KERNEL_H_
#define BELAY_GUEST_OPERATOR_KERNEL_H_

// A compiled kernel launched with tensors on a device of its own, in a child
// process.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/npy.h"
#include "guest/instruction_trace.h"
#include "guest/record_launches.h"
#include "runtime/device.h"

namespace belay::guest {

struct KernelTensor {
  DType dtype = DType::kNone;
  Shape shape;
  const Array* contents = nullptr;  // null: nobody has written it yet
  // Where its bytes go after the launch, in memory shared with the child; or
  // null.
  std::byte* result = nullptr;
};

// One parameter of the kernel.
struct KernelArgument {
  std::string label;  // "input 'x'"
  bool is_list = false;
  std::vector<KernelTensor> tensors;  // none: a null pointer
  // What its memory holds before the launch, over and over; empty: nothing in
  // particular.
  std::vector<std::byte> fill = {};
  // The argument whose memory this one shares: it is worked on in place.
  std::optional<size_t> same_as = {};
  bool read_only = false;  // the kernel must leave it as it is
};

struct KernelRun {
  std::string module;  // compiled from `source`
  std::string source;
  std::string kernel;  // its name; empty: the only one there is
  std::vector<KernelArgument> arguments;
  // Whether workspace and tiling must follow the arguments. If not, they do as
  // far as the kernel has parameters for them.
  bool needs_all_parameters = true;
  uint64_t workspace_bytes = 0;
  std::optional<std::vector<std::byte>> tiling;
  uint64_t tiling_key = 0;
  uint32_t blocks = 1;
  runtime::DeviceOptions device;
  TraceOptions trace;
  std::optional<RecordOptions> record;  // the launch, for the clock
  bool output_to_stderr = false;        // what the kernel prints
  bool discard_output = false;
};

// What came of it; results are in place when there is no error.
struct KernelOutcome {
  std::vector<Diagnostic> diagnostics;
  std::string kernel;     // the one that was launched
  bool finished = false;  // it ran to its end, whatever checkers say
  double launch_milliseconds = 0;
  RecordedLaunches recorded;
};

KernelOutcome RunKernelInChild(const KernelRun& run);

}  // namespace belay::guest

#endif  // BELAY_GUEST_OPERATOR_KERNEL_H_
