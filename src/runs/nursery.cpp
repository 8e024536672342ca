// SPDX-License-Identifier: Apache-2.0
#include "runs/nursery.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <set>

#include "base/error.h"

namespace belay::runs {
namespace {

using guest::Channel;
using guest::Message;

// The child dies when the process that forked it does. True if that has
// happened already.
bool TieTo(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return getppid() != parent;
}

std::string HowItEnded(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return fmt::format("signal {} ({})", signal, strsignal(signal));
  }
  return fmt::format("exit code {}", WEXITSTATUS(status));
}

// Both process and answer: what a worker that was asked to go away did.
std::string WaitOrKill(pid_t pid, double grace) {
  const auto until =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(grace);
  int status = 0;
  while (std::chrono::steady_clock::now() < until) {
    if (waitpid(pid, &status, WNOHANG) == pid) return HowItEnded(status);
    usleep(2'000);
  }
  kill(pid, SIGKILL);
  waitpid(pid, &status, 0);
  return HowItEnded(status);
}

class NurseryLoop {
 public:
  NurseryLoop(Channel channel, const Nursery::Work& work)
      : channel_(std::move(channel)), work_(work) {}

  void Run() {
    Message message;
    while (channel_.Receive(message) == Channel::Status::kMessage) {
      if (message.value.contains("start")) {
        Start();
      } else {
        const pid_t pid = message.value.at("end").get<pid_t>();
        // A process of the nursery's own, or nobody's.
        std::string how = "never started";
        if (workers_.erase(pid) > 0) {
          how = WaitOrKill(pid, message.value.at("grace").get<double>());
        }
        channel_.Send({{"ended", how}});
      }
    }
    for (const pid_t pid : workers_) kill(pid, SIGKILL);
    for (const pid_t pid : workers_) waitpid(pid, nullptr, 0);
  }

 private:
  void Start() {
    auto [owners, workers] = guest::MakeChannels();
    const pid_t self = getpid();
    const pid_t pid = fork();
    if (pid == 0) {
      if (TieTo(self)) _exit(1);
      channel_ = Channel(guest::Descriptor());
      owners = Channel(guest::Descriptor());
      int code = 0;
      try {
        work_(workers);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "belay: a worker failed: %s\n", error.what());
        code = 1;
      }
      std::fflush(nullptr);
      _exit(code);
    }
    if (pid < 0) {
      channel_.Send({{"error", std::strerror(errno)}});
      return;
    }
    workers_.insert(pid);
    channel_.Send({{"pid", pid}}, {}, {owners.descriptor()});
  }

  Channel channel_;
  const Nursery::Work& work_;
  std::set<pid_t> workers_;
};

}  // namespace

Nursery::Nursery(const Work& work) {
  auto [own, other] = guest::MakeChannels();
  std::fflush(nullptr);
  const pid_t self = getpid();
  pid_ = fork();
  if (pid_ < 0) {
    throw InternalError(
        fmt::format("[bench] cannot fork: {}", std::strerror(errno)));
  }
  if (pid_ == 0) {
    if (TieTo(self)) _exit(1);
    signal(SIGINT, SIG_IGN);
    own = Channel(guest::Descriptor());
    try {
      NurseryLoop(std::move(other), work).Run();
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  channel_ = std::move(own);
}

Nursery::~Nursery() {
  channel_ = Channel(guest::Descriptor());
  waitpid(pid_, nullptr, 0);
}

Nursery::Worker Nursery::Start() {
  Message message;
  if (!channel_.Send({{"start", true}}) ||
      channel_.Receive(message) != Channel::Status::kMessage) {
    throw InternalError("[bench] the process that starts workers is gone");
  }
  if (message.descriptors.size() != 1) {
    throw InternalError(
        fmt::format("[bench] no worker can be started: {}",
                    message.value.value("error", "no channel came back")));
  }
  return {message.value.at("pid").get<pid_t>(),
          Channel(std::move(message.descriptors.front()))};
}

std::string Nursery::End(pid_t pid, double grace) {
  Message message;
  if (!channel_.Send({{"end", pid}, {"grace", grace}}) ||
      channel_.Receive(message) != Channel::Status::kMessage) {
    throw InternalError("[bench] the process that starts workers is gone");
  }
  return message.value.at("ended").get<std::string>();
}

}  // namespace belay::runs
