// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_RECORD_LAUNCHES_H_
#define BELAY_GUEST_RECORD_LAUNCHES_H_

// What the launches of a guest did, for the clock: written by the process that
// runs it, read by its parent.

#include <string>
#include <vector>

#include "clock/log.h"
#include "guest/channel.h"
#include "guest/child.h"
#include "runtime/device.h"
#include "toolchain/symbolize.h"

namespace belay::guest {

struct RecordOptions {
  std::string save_log;  // file to keep the logs in, or empty
};

struct RecordedLaunches {
  std::vector<clock::LaunchLog> launches;  // that ended without a fault
  std::vector<std::string> unrecorded;     // kernels of the others
};

// An anonymous file, shared with children, for the logs of a guest.
Descriptor MakeLogFile();

// In the guest's process: leaves the logs in `file` and tells the parent what
// is not in them, at the latest when the program calls exit. Does nothing when
// the device does not record. One at a time.
class LaunchRecording {
 public:
  // The module is loaded at `base`.
  LaunchRecording(runtime::Device& device, int file, uint64_t base,
                  const SendLine& send);
  ~LaunchRecording();
  LaunchRecording(const LaunchRecording&) = delete;
  LaunchRecording& operator=(const LaunchRecording&) = delete;

  void Finish();

 private:
  static LaunchRecording* at_exit_;

  clock::Recorder* recorder_;
  int file_;
  const SendLine& send_;
};

// In the parent: the logs in `file`, as far as the guest left any, with the
// lines of its source; saved again where options say so. `lines` are what the
// guest sent. Throws UserError when they cannot be saved, or are no logs.
RecordedLaunches LoadLaunches(int file, const std::vector<std::string>& lines,
                              toolchain::Symbolizer& symbolizer,
                              const RecordOptions& options);

}  // namespace belay::guest

#endif  // BELAY_GUEST_RECORD_LAUNCHES_H_
