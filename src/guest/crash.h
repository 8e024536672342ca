// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_CRASH_H_
#define BELAY_GUEST_CRASH_H_

// Signals of guest code become faults: in a kernel the block ends and the
// program goes on, in host code the program ends with the place reported.

namespace belay::guest {

// What becomes of a signal in host code.
enum class HostCrash {
  kReport,  // the place is reported and the process ends
  kPassOn,  // whoever handled the signal before gets it
};

// Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and (for kReport)
// SIGABRT in this process, on a stack of their own for the calling thread.
// Needs runtime::Device::Install first.
void CatchCrashes(HostCrash in_host_code = HostCrash::kReport);

// Gives the calling thread a stack for the handlers unless it has one.
void PrepareThreadForCrashes();

}  // namespace belay::guest

#endif  // BELAY_GUEST_CRASH_H_
