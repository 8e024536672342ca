// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_RUNNER_H_
#define BELAY_CRUX_RUN_RUNNER_H_

// Runs compiled kernels on the simulated chip in this process, with no C++
// compiler: every statement calls the AscendC headers the printed kernel would
// include, so instructions, addresses and checks are the same.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "check/checkers.h"
#include "check/input_writes.h"
#include "clock/log.h"
#include "crux/compile.h"
#include "crux/interpret/host_call.h"
#include "crux/interpret/interpret.h"
#include "crux/run/part_of_launch.h"
#include "crux/run/plan_call.h"
#include "crux/run/program.h"
#include "runtime/device.h"

namespace belay::crux::run {

class CallMemory;
struct Launch;

// A kernel compiled for a call, ready to be launched again and again.
struct Prepared {
  CompiledVariant variant;
  std::shared_ptr<const Program> program;
  CallPlan plan;
};

// Compiles what the call asks for: host conditions are answered by it, fits()
// by whether the plan fits (the variant has these answers). Throws
// interpret::CallRefused and ir::Refusal (BLY-X302 when nothing fits).
Prepared Prepare(interpret::HostCall& call, const npu::ChipSpec& chip,
                 const PassDump& dump = {});

// Prepares as Prepare does, but compiles each variant of a kernel once.
class VariantCache {
 public:
  // Calls must be of one kernel, which must outlive this.
  Prepared Prepare(interpret::HostCall& call, const npu::ChipSpec& chip);

 private:
  std::vector<Prepared> variants_;  // without plans
};

struct RunResult {
  // Findings of checkers are errors, too; they come with outputs.
  std::vector<Diagnostic> diagnostics;
  bool finished = false;                         // every block ran to its end
  std::vector<interpret::OutputTensor> outputs;  // in the kernel's order
  // When the device records: the launch, with lines of the program.
  std::optional<clock::LaunchLog> launch;
  std::vector<std::byte> windows;  // of a part, one after the other

  bool ok() const;
  const interpret::OutputTensor* Find(std::string_view name) const;
};

class Runner {
 public:
  // One at a time in a process: it owns the process's device. Under checkers,
  // stores to inputs are findings, too (BLY-H115).
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

  // The same for a part of a launch: inputs may show patterns instead of data,
  // and of outputs only windows are read. Which blocks run is an option of the
  // device.
  RunResult LaunchPart(const Prepared& prepared, interpret::HostCall& call,
                       const interpret::Arguments& arguments,
                       const std::string& file, const PartOfLaunch& part);

 private:
  RunResult Launch(const Prepared& prepared, interpret::HostCall& call,
                   const interpret::Arguments& arguments,
                   const std::string& file, const PartOfLaunch* part);
  run::Launch PlaceCall(const Prepared& prepared, interpret::HostCall& call,
                        const interpret::Arguments& arguments,
                        CallMemory& memory) const;
  // Diagnostics go into the result, and whether it finished. Rethrows a bug of
  // ours.
  void LaunchBlocks(const Prepared& prepared, const run::Launch& launch,
                    const std::string& file, RunResult& result);
  void TakeLog(const Prepared& prepared, const std::string& file,
               RunResult& result);
  Diagnostic PlaceFault(const npu::Fault& fault, const Prepared& prepared,
                        const std::string& file) const;

  std::unique_ptr<check::InputWrites> input_writes_;
  std::function<void(npu::Fault)> sink_;  // while a launch runs
  runtime::Device device_;
  uint64_t place_base_ = 1;  // places of each launch are new
};

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_RUNNER_H_
