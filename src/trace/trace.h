// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TRACE_TRACE_H_
#define BELAY_TRACE_TRACE_H_

// Pictures of simulated time: a writer is a sink of the replay that leaves a
// file behind.

#include <memory>
#include <string>

#include "clock/replay.h"

namespace belay::trace {

// What a reader must know of a run, whatever is in it.
struct RunFacts {
  std::string chip;         // "Ascend 910B1"
  double clock_mhz = 0;     // must be above 0
  std::string model_error;  // of the clock; empty when not known
  std::string program;      // what was run
};

// Launches come one after the other:
//
//   for each launch:
//     writer.BeginLaunch(log);
//     writer.EndLaunch(Replay(log, spec, {.sink = &writer}));
//   writer.Finish();
//
// `log` must live until EndLaunch returns. Source files that places of the log
// name are read as they are on disk then; those that cannot be read are left
// out.
class Writer : public clock::TimelineSink {
 public:
  virtual void BeginLaunch(const clock::LaunchLog& log) = 0;
  virtual void EndLaunch(const clock::LaunchTime& time) = 0;
  // Throws UserError when the file cannot be written.
  virtual void Finish() = 0;
};

// Whether OpenWriter knows the ending of a path.
bool IsTracePath(const std::string& path);

// By the path's ending: .html for a page that opens in a browser,
// .pftrace or .perfetto-trace for Perfetto. Throws UserError for others, and
// when the file cannot be written.
std::unique_ptr<Writer> OpenWriter(const std::string& path,
                                   const RunFacts& facts);

}  // namespace belay::trace

#endif  // BELAY_TRACE_TRACE_H_
