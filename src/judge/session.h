// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_SESSION_H_
#define BELAY_JUDGE_SESSION_H_

// A candidate at work on the cases of a task: compiled and run in the cage, on
// the back end `sim`. Nothing here knows what is right.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "bench/inputs.h"
#include "clock/log.h"
#include "guest/broker.h"
#include "judge/candidate.h"

namespace belay::judge {

// What may be spent on one candidate; each a limit of its own.
struct Limits {
  double compile_seconds = 60;  // of processor time, for each module
  double tiling_seconds = 10;   // for each case
  double run_seconds = 120;     // for each launch; wall time is four times it
  uint64_t memory_bytes = uint64_t{8} << 30;
};

struct SessionOptions {
  std::string chip = "ascend910b1";
  Limits limits;
  const bench::Case* only = nullptr;  // a static problem's case
};

// How far one call came.
enum class CallEnd {
  kFinished,
  kNotCompiled,     // the kernel, for the dtypes of this case
  kRefused,         // by the candidate's tiling, or its shapes do not fit
  kFault,           // trap, crash, deadlock, out of time or memory, forbidden
  kInfrastructure,  // not the candidate's fault
};

struct CallReport {
  CallEnd end = CallEnd::kFinished;
  // The candidate's paths in locations are as CandidateFile has them. Findings
  // of checkers are errors in a call that finished.
  std::vector<Diagnostic> diagnostics;
  bench::Arguments outputs;  // of the signature, when finished
  uint32_t blocks = 0;
  std::string trouble;  // kInfrastructure: what happened
};

struct RunOptions {
  bool check = true;  // under all checkers
};

struct TimeReport {
  CallEnd end = CallEnd::kFinished;
  std::vector<Diagnostic> diagnostics;
  std::vector<clock::LaunchLog> launches;  // with lines of the source
  std::string trouble;
};

// What an input of a large call shows over and over: whole pages of bytes.
struct InputPattern {
  size_t input = 0;   // of the signature
  size_t tensor = 0;  // of a list
  std::vector<std::byte> bytes;
};

// Bytes of an output, from `begin` to before `end`.
struct OutputWindow {
  size_t output = 0;  // of the signature
  size_t tensor = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
};

// A part of a call that is too large to be run in full.
struct PartRequest {
  std::set<int> blocks;  // that run
  std::vector<InputPattern> patterns;
  std::vector<OutputWindow> windows;
  bool record = false;  // whether the report is to tell the blocks' course
};

struct PartReport {
  bool supported = true;
  CallEnd end = CallEnd::kFinished;
  std::vector<Diagnostic> diagnostics;
  std::vector<std::byte> bytes;  // of the windows, one after the other
  // If it was to be recorded; none of a candidate whose course cannot depend on
  // whether it is timed.
  std::vector<clock::LaunchLog> launches;
  std::string trouble;
};

struct CompileReport {
  bool ok = false;
  CallEnd end = CallEnd::kFinished;  // kNotCompiled, kFault, kInfrastructure
  std::vector<Diagnostic> diagnostics;
  std::string trouble;
  double milliseconds = 0;  // wall time
};

class Session {
 public:
  virtual ~Session() = default;

  // Compiles all that these cases need, as far as that can be known without
  // their values. Calls may compile more (another tiling's structs).
  virtual CompileReport Compile(
      const std::vector<const bench::Case*>& cases) = 0;

  // One call with values. Each sees the module as fresh: nothing a call leaves
  // behind reaches another.
  virtual CallReport Run(const bench::Case& one_case,
                         const bench::Arguments& inputs,
                         const RunOptions& options) = 0;

  // One call for time only: shapes, no values (but for inputs whose values the
  // host may read, which `inputs` has with data; others come without data).
  virtual TimeReport Time(const bench::Case& one_case,
                          const bench::Arguments& inputs) = 0;

  // Some blocks of one call, with values. `inputs` have data, or a pattern in
  // the request.
  virtual PartReport RunParts(const bench::Case& /*one_case*/,
                              const bench::Arguments& /*inputs*/,
                              const PartRequest& /*request*/) {
    PartReport report;
    report.supported = false;
    return report;
  }
};

// Children are taken from `broker`, which must outlive the session; task and
// candidate, too.
std::unique_ptr<Session> OpenSession(const bench::Task& task,
                                     const Candidate& candidate,
                                     const SessionOptions& options,
                                     guest::Broker& broker);

// The two kinds, for OpenSession alone.
std::unique_ptr<Session> OpenOperatorSession(const bench::Task& task,
                                             const Candidate& candidate,
                                             const SessionOptions& options,
                                             guest::Broker& broker);
std::unique_ptr<Session> OpenCruxSession(const bench::Task& task,
                                         const Candidate& candidate,
                                         const SessionOptions& options,
                                         guest::Broker& broker);

// Registers the services that sessions ask a broker for. Call before
// StartBroker.
void RegisterOperatorServices();
void RegisterCruxServices();

}  // namespace belay::judge

#endif  // BELAY_JUDGE_SESSION_H_
