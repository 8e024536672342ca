// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_OPERATOR_RUN_H_
#define BELAY_GUEST_OPERATOR_RUN_H_

// One call of an operator from its sources to its outputs: compiles op_host,
// lets it plan the launch, compiles the kernel for that plan, launches it,
// writes and compares what it computed.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "guest/host_crash.h"
#include "guest/instruction_trace.h"
#include "guest/operator_compare.h"
#include "guest/operator_request.h"
#include "guest/record_launches.h"
#include "runtime/device.h"
#include "toolchain/compile.h"

namespace belay::guest {

struct OperatorOptions {
  std::string folder;       // of the project; empty: a kernel alone
  std::string kernel_file;  // without op_host
  std::string type;         // which operator, or which kernel of the file
  std::vector<InputRequest> inputs;
  std::vector<AttributeRequest> attributes;
  std::vector<OutputRequest> outputs;
  std::string dtype;  // which column
  // What tiling decides; these override it.
  std::optional<uint64_t> tiling_key;
  std::optional<uint32_t> blocks;
  std::string tiling_file;                  // a kernel's alone
  std::optional<uint64_t> workspace_bytes;  // a kernel's alone: its own part

  std::optional<double> rtol;
  std::optional<double> atol;
  HostLimits host_limits;
  std::vector<std::string> include_dirs;
  std::vector<std::string> defines;
  runtime::DeviceOptions device;
  std::string keep;  // folder to leave all that was compiled in
  TraceOptions trace;
  std::optional<RecordOptions> record;  // the launch, for the clock
  bool output_to_stderr = false;        // what guest code prints
};

// One tensor that the operator computed.
struct OutputReport {
  std::string name;  // "y", or "y[2]" in a list
  DType dtype = DType::kNone;
  Shape shape;
  std::string file;      // it was written to, or empty
  std::string expected;  // the file it was compared with, or empty
  Tolerance tolerance;
  Comparison comparison;
};

struct OperatorResult {
  std::vector<Diagnostic> diagnostics;
  bool compiled = false;           // host code and kernel
  bool launched = false;           // and ran to its end, whatever checkers say
  double launch_milliseconds = 0;  // of this simulation, not of the chip
  RecordedLaunches recorded;
  std::string type;  // empty for a kernel alone
  std::string kernel;
  size_t column = 0;
  uint32_t blocks = 0;
  uint64_t tiling_key = 0;
  uint64_t tiling_bytes = 0;
  uint64_t workspace_bytes = 0;
  std::vector<OutputReport> outputs;
  toolchain::PhaseTimes host_compile_milliseconds;
  toolchain::PhaseTimes kernel_compile_milliseconds;
};

// Throws UserError when files are missing or the call does not fit the
// operator.
OperatorResult RunOperator(const OperatorOptions& options);

}  // namespace belay::guest

#endif  // BELAY_GUEST_OPERATOR_RUN_H_
