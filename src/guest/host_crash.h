// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_HOST_CRASH_H_
#define BELAY_GUEST_HOST_CRASH_H_

// How a child that runs an operator's host code tells its parent that this
// code crashed or did not end, and where.

#include <cstdint>

namespace belay::guest {

// Written by the child's signal handler, read by the parent afterwards.
struct HostCrashReport {
  static constexpr int kMaxPlaces = 16;

  int signal = 0;  // 0: nothing happened
  bool timed_out = false;
  uint64_t address = 0;  // that a memory fault was at
  // Offsets into the module that may be the place, the likeliest first.
  uint64_t places[kMaxPlaces] = {};
  int place_count = 0;
  char question[256] = {};     // what the host code asked last
  char null_answer[256] = {};  // and what was last answered with null
};

struct HostLimits {
  double seconds = 10;                 // of processor time
  uint64_t bytes = uint64_t{4} << 30;  // of memory
};

// In the child: sets the limits, and handlers that fill in the report and end
// the process. `module` is the file whose code is to be found; it need not be
// loaded yet. Everything the handlers do is safe in a signal handler.
void GuardHostCode(HostCrashReport& report, const char* module,
                   const HostLimits& limits);

}  // namespace belay::guest

#endif  // BELAY_GUEST_HOST_CRASH_H_
