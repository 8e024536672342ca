// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_CAGE_H_
#define BELAY_GUEST_CAGE_H_

// What a process may still do once it runs code that nobody trusts: read the
// files it was given, write those it was given, compute for a while in so much
// memory, and talk on the channel it has. No network, no other processes, no
// other files, no new privileges.

#include <cstdint>
#include <string>
#include <vector>

namespace belay::guest {

struct CageLimits {
  double cpu_seconds = 60;
  uint64_t memory_bytes = uint64_t{8} << 30;  // of address space beyond what is
                                              // mapped when the cage closes
  // Of memory really used, by each process of the cage, looked at ten times a
  // second; 0: only the limit above.
  uint64_t resident_bytes = 0;
  uint64_t file_bytes = uint64_t{1} << 30;  // largest file it may write
  uint64_t stack_bytes = uint64_t{64} << 20;
};

struct CageOptions {
  CageLimits limits;
  std::vector<std::string> readable;  // files and folders, with what is below
  std::vector<std::string> writable;  // folders: may be read, too
  bool may_fork = false;  // plain children, caged alike; never threads or exec
};

// What of the cage this kernel can do; results say so.
struct CageStrength {
  bool seccomp = false;
  bool landlock = false;
  bool namespaces = false;

  bool full() const { return seccomp && landlock && namespaces; }
  std::string ToText() const;  // "seccomp, landlock, namespaces"
};
CageStrength AvailableCage();

// Closes the cage around the calling process, for ever. Call in a child with
// one thread. Throws InternalError where a part that AvailableCage names cannot
// be had: nothing untrusted may run then.
void EnterCage(const CageOptions& options);

// For a child that a service with `may_fork` forks for each piece of untrusted
// code: forbids, on top of the cage, processes, signals to others, anonymous
// files and changes of limits, and allows so much processor time from now on.
// Costs a few microseconds.
void EnterInnerCage(double cpu_seconds);

// The system call that a process of this cage was last killed for (its end is
// SIGSYS), or "". For a service that has forked.
std::string LastForbiddenCall();

// What programs need to run and load libraries: the system's libraries and
// their cache, /dev/null, /dev/urandom. The rest of a list is the caller's.
std::vector<std::string> SystemLibraries();
// What compilers need on top: the system's headers.
std::vector<std::string> SystemHeaders();

}  // namespace belay::guest

#endif  // BELAY_GUEST_CAGE_H_
