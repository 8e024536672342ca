// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_OPERATOR_KERNEL_H_
#define BELAY_GUEST_OPERATOR_KERNEL_H_

// A compiled kernel launched with tensors on a device of its own, in a child
// process.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/npy.h"
#include "guest/child.h"
#include "guest/instruction_trace.h"
#include "guest/record_launches.h"
#include "runtime/device.h"
#include "toolchain/symbolize.h"

namespace belay::guest {

struct KernelTensor {
  DType dtype = DType::kNone;
  Shape shape;
  // As many bytes as the shape says; null: nobody has written it yet.
  const std::byte* contents = nullptr;
  std::optional<size_t> result = {};  // where in KernelRun::results it goes
  // Instead of contents: what it shows over and over, as MapRepeated wants it
  // (npu/repeated_pages.h).
  std::span<const std::byte> pattern = {};
  // Bytes of it, from `begin` to before `end`, that go to KernelRun::results.
  struct Window {
    uint64_t begin;
    uint64_t end;
    size_t result;
  };
  std::vector<Window> windows = {};
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
  // Where results go after the launch: memory shared with the child.
  std::byte* results = nullptr;
  runtime::DeviceOptions device;
  TraceOptions trace;
  std::optional<RecordOptions> record;  // the launch, for the clock
  bool output_to_stderr = false;        // what the kernel prints
  bool discard_output = false;
};

// What came of it; results are in place when there is no error.
struct KernelOutcome {
  std::vector<Diagnostic> diagnostics;
  std::string kernel;     // that was to be launched; empty: none fits
  bool finished = false;  // it ran to its end, whatever checkers say
  ChildResult child;      // how its process ended; without lines
  double launch_milliseconds = 0;
  RecordedLaunches recorded;
};

KernelOutcome RunKernelInChild(const KernelRun& run);
// The same with what was read of the module before, and on a copy of a device
// that was made with the run's options and not used yet; null: on a new one.
KernelOutcome RunKernelInChild(const KernelRun& run,
                               toolchain::Symbolizer& symbolizer,
                               runtime::Device* prepared = nullptr);

// The options of the device that a run makes for itself.
runtime::DeviceOptions DeviceOptionsOf(const KernelRun& run);

}  // namespace belay::guest

#endif  // BELAY_GUEST_OPERATOR_KERNEL_H_
