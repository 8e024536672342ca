// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_RUNNER_H_
#define BELAY_CRUX_RUN_RUNNER_H_

// Runs compiled kernels on the simulated chip in this process, with no C++
// compiler: every statement calls the AscendC headers the printed kernel would
// include, so instructions, addresses and checks are the same.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "check/checkers.h"
#include "clock/log.h"
#include "crux/compile.h"
#include "crux/interpret/host_call.h"
#include "crux/interpret/interpret.h"
#include "crux/run/plan_call.h"
#include "crux/run/program.h"
#include "runtime/device.h"

namespace belay::crux::run {

class CallMemory;
struct Launch;

// A kernel compiled for a call, ready to be launched again and again.
struct Prepared {
  CompiledVariant variant;
  Program program;
  CallPlan plan;
};

// Compiles what the call asks for: host conditions are answered by it, fits()
// by whether the plan fits (the variant has these answers). Throws
// interpret::CallRefused and ir::Refusal (BLY-X302 when nothing fits).
Prepared Prepare(interpret::HostCall& call, const npu::ChipSpec& chip,
                 const PassDump& dump = {});

struct RunResult {
  // At most one error, then no outputs; findings of checkers are errors, too.
  std::vector<Diagnostic> diagnostics;
  std::vector<interpret::OutputTensor> outputs;  // in the kernel's order
  // When the device records: the launch, with lines of the program.
  std::optional<clock::LaunchLog> launch;

  bool ok() const;
  const interpret::OutputTensor* Find(std::string_view name) const;
};

class Runner {
 public:
  // One at a time in a process: it owns the process's device.
  explicit Runner(runtime::DeviceOptions options);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  const npu::ChipSpec& chip() { return device_.chip().spec(); }

  // Compiles and launches. What the program or the call does wrong is a
  // diagnostic; throws InternalError only for a bug of ours. Arrays may come
  // without data when the device runs timing only; outputs are then empty.
  // `file` is what diagnostics call the program's file.
  RunResult Run(const typed::Kernel& kernel,
                const interpret::Arguments& arguments, const std::string& file);

  // Launches what was prepared for this call.
  RunResult Launch(const Prepared& prepared, interpret::HostCall& call,
                   const interpret::Arguments& arguments,
                   const std::string& file);

 private:
  run::Launch PlaceCall(const Prepared& prepared, interpret::HostCall& call,
                        const interpret::Arguments& arguments,
                        CallMemory& memory) const;
  // Diagnostics go into the result. Rethrows a bug of ours.
  void LaunchBlocks(const Prepared& prepared, const run::Launch& launch,
                    const std::string& file, RunResult& result);
  void TakeLog(const Prepared& prepared, const std::string& file,
               RunResult& result);
  Diagnostic PlaceFault(const npu::Fault& fault, const Prepared& prepared,
                        const std::string& file) const;

  runtime::Device device_;
  uint64_t place_base_ = 1;  // places of each launch are new
};

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_RUNNER_H_
