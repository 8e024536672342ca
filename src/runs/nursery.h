// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_NURSERY_H_
#define BELAY_RUNS_NURSERY_H_

// A process that forks workers for its owner, whenever it wants one. It is
// forked before its owner has loaded anything: what a worker's children inherit
// holds no secret and no truth, however late the worker is started.

#include <sys/types.h>

#include <functional>
#include <string>

#include "guest/channel.h"

namespace belay::runs {

class Nursery {
 public:
  // What a worker does, until the other side closes the channel.
  using Work = std::function<void(guest::Channel& channel)>;

  // Forks. The caller must have one thread. Workers ignore SIGINT, and die with
  // the nursery, as it dies with its owner.
  explicit Nursery(const Work& work);
  ~Nursery();  // kills what still runs
  Nursery(const Nursery&) = delete;
  Nursery& operator=(const Nursery&) = delete;

  struct Worker {
    pid_t pid = 0;
    guest::Channel channel{guest::Descriptor()};
  };
  // Throws InternalError when the nursery is gone or cannot fork.
  Worker Start();

  // Waits `grace` seconds for the worker's end, then kills it. Says how it
  // ended: "exit code 0", "signal 9 (Killed)".
  std::string End(pid_t pid, double grace);

 private:
  guest::Channel channel_{guest::Descriptor()};
  pid_t pid_ = 0;
};

}  // namespace belay::runs

#endif  // BELAY_RUNS_NURSERY_H_
