// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_PROGRAM_H_
#define BELAY_GUEST_PROGRAM_H_

// A single-source AscendC program from text to result: compiled in one child,
// run in another, its faults turned into diagnostics.

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "guest/compile_child.h"
#include "guest/instruction_trace.h"
#include "guest/record_launches.h"
#include "runtime/device.h"
#include "toolchain/compile.h"

namespace belay::guest {

struct ProgramOptions {
  std::vector<std::string> sources;
  std::vector<std::string> arguments;
  std::vector<std::string> include_dirs;
  std::vector<std::string> defines;
  runtime::DeviceOptions device;
  std::string keep;  // folder to leave the compiled module in
  TraceOptions trace;
  std::optional<RecordOptions> record;  // launches, for the clock
  bool output_to_stderr = false;        // the program's standard output
  bool discard_output = false;          // all it prints
};

struct ProgramResult {
  // 0 to 255 of the program itself, 1 when a signal ended it.
  int exit_code = 0;
  bool compiled = false;
  std::vector<Diagnostic> diagnostics;
  toolchain::PhaseTimes compile_milliseconds;
  // All launches of this simulation together; not the chip's time.
  double launch_milliseconds = 0;
  RecordedLaunches recorded;
};

// Throws UserError for sources that do not exist and options that cannot be.
ProgramResult RunProgram(const ProgramOptions& options);

}  // namespace belay::guest

#endif  // BELAY_GUEST_PROGRAM_H_
