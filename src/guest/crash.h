// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_CRASH_H_
#define BELAY_GUEST_CRASH_H_

// Signals of guest code become faults: in a kernel the block ends and the
// program goes on, in host code the program ends with the place reported.

namespace belay::guest {

// Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT in this
// process, on a stack of their own. Needs runtime::Device::Install first.
void CatchCrashes();

}  // namespace belay::guest

#endif  // BELAY_GUEST_CRASH_H_
