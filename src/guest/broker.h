// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_BROKER_H_
#define BELAY_GUEST_BROKER_H_

// A process that starts caged children for another. It is forked before its
// owner has anything to hide: what a child inherits of memory holds no truth,
// no seed and no result. It lives in namespaces of its own: no network, no
// sight of other processes.

#include <signal.h>

#include <map>
#include <memory>
#include <string>

#include "guest/cage.h"
#include "guest/channel.h"

namespace belay::guest {

// What a caged child does: serves requests on its channel until the other side
// closes it. Returns its exit code.
using Service = int (*)(Channel& channel);

// Makes a service known under a name. Call before any broker is started, as a
// rule from a function the program's main calls; a second registration of the
// name replaces the first.
void RegisterService(const std::string& name, Service service);

// How a caged child ended.
struct ChildEnd {
  int exit_code = 0;  // meaningful when signal is 0
  int signal = 0;
  bool out_of_time = false;     // killed by its owner, or by the limit on
                                // processor time
  bool out_of_memory = false;   // as far as can be told
  bool forbidden_call = false;  // killed by the system call filter
  std::string forbidden_name;   // of the system call, or empty

  bool ok() const { return signal == 0 && exit_code == 0; }
  // Somebody else killed it: the guest cannot end itself so.
  bool machines_fault() const {
    return signal == SIGKILL && !out_of_time && !out_of_memory;
  }
  // "ran out of processor time", "was killed by SIGSEGV …": for a sentence
  // that begins with what ended.
  std::string ToText() const;
};
// With this code a service's child ends that could get no more memory.
inline constexpr int kOutOfMemoryExit = 86;
// And with this one where the service threw an InternalError: a bug of ours.
inline constexpr int kServiceBugExit = 70;

class CagedChild {
 public:
  virtual ~CagedChild() = default;  // kills and reaps it
  virtual Channel& channel() = 0;
  // What it wrote to standard output and error, cut at a limit (64 KiB).
  virtual std::string output() = 0;
  // Kills it where it still runs after `seconds` of wall time. Throws
  // InternalError when the broker is gone.
  virtual ChildEnd Wait(double seconds) = 0;
};

class Broker {
 public:
  virtual ~Broker() = default;  // ends it and every child
  // A child that has closed the cage around itself and called the service. The
  // service runs caged from its first line, with standard input empty. Throws
  // InternalError when none can be started: the machine's fault, never the
  // guest's. May be called from several threads.
  virtual std::unique_ptr<CagedChild> Start(const std::string& service,
                                            const CageOptions& options) = 0;

  // Something that goes when the broker goes, by name; empty at first: children
  // that serve one after the other.
  std::shared_ptr<void>& kept(const std::string& name) { return kept_[name]; }

 protected:
  // To be emptied before the broker ends.
  std::map<std::string, std::shared_ptr<void>> kept_;
};

// Forks the broker. The caller must have one thread, and should have loaded
// nothing secret. The broker ends with the thread that started it.
std::unique_ptr<Broker> StartBroker();

}  // namespace belay::guest

#endif  // BELAY_GUEST_BROKER_H_
