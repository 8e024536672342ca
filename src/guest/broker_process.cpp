// SPDX-License-Identifier: Apache-2.0
#include "guest/broker_process.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <vector>

#include "base/error.h"
#include "guest/cage_filter.h"

namespace belay::guest {
namespace {

using Json = nlohmann::json;

// Where a caged child has its descriptors; the second is closed before the
// service begins.
constexpr int kChannelDescriptor = 3;
constexpr int kReadyDescriptor = 4;

CageOptions OptionsFromJson(const Json& json) {
  CageOptions options;
  options.limits.cpu_seconds = json.at("cpu_seconds");
  options.limits.memory_bytes = json.at("memory_bytes");
  options.limits.resident_bytes = json.at("resident_bytes");
  options.limits.file_bytes = json.at("file_bytes");
  options.limits.stack_bytes = json.at("stack_bytes");
  options.readable = json.at("readable").get<std::vector<std::string>>();
  options.writable = json.at("writable").get<std::vector<std::string>>();
  options.may_fork = json.at("may_fork");
  return options;
}

// How often the kernel has killed a process for want of memory; 0 where it
// does not say.
uint64_t OutOfMemoryKills() {
  std::FILE* file = std::fopen("/proc/vmstat", "re");
  if (file == nullptr) return 0;
  char line[256];
  unsigned long long count = 0;
  while (std::fgets(line, sizeof line, file) != nullptr) {
    if (std::sscanf(line, "oom_kill %llu", &count) == 1) break;
  }
  std::fclose(file);
  return count;
}

struct Used {
  pid_t group = 0;
  uint64_t bytes = 0;  // its own: neither of files nor shared
};

// Of a process, by its number; nothing where it is gone.
std::optional<Used> UsedBy(pid_t pid) {
  Used used;
  std::FILE* file = std::fopen(fmt::format("/proc/{}/stat", pid).c_str(), "re");
  if (file == nullptr) return std::nullopt;
  // The name in brackets is the child's to choose, but never longer than this.
  char line[512] = {};
  const bool read = std::fgets(line, sizeof line, file) != nullptr;
  std::fclose(file);
  const char* after = read ? std::strrchr(line, ')') : nullptr;
  char state = 0;
  int parent = 0;
  if (after == nullptr ||
      std::sscanf(after, ") %c %d %d", &state, &parent, &used.group) != 3) {
    return std::nullopt;
  }
  file = std::fopen(fmt::format("/proc/{}/statm", pid).c_str(), "re");
  if (file == nullptr) return std::nullopt;
  unsigned long long total = 0, resident = 0, shared = 0;
  const int count =
      std::fscanf(file, "%llu %llu %llu", &total, &resident, &shared);
  std::fclose(file);
  if (count != 3 || resident < shared) return std::nullopt;
  used.bytes =
      (resident - shared) * static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
  return used;
}

// All processes that can be seen.
std::vector<pid_t> Processes() {
  std::vector<pid_t> found;
  DIR* folder = opendir("/proc");
  if (folder == nullptr) return found;
  while (const dirent* entry = readdir(folder)) {
    const int pid = std::atoi(entry->d_name);
    if (pid > 1) found.push_back(pid);
  }
  closedir(folder);
  return found;
}

// Everything else of the broker's is closed.
void KeepDescriptors(const Message& start) {
  // First above every place that is about to be taken.
  const int channel = fcntl(start.descriptors[0].get(), F_DUPFD, 100);
  const int output = fcntl(start.descriptors[1].get(), F_DUPFD, 100);
  const int ready = fcntl(start.descriptors[2].get(), F_DUPFD, 100);
  const int null = open("/dev/null", O_RDONLY);
  if (channel < 0 || output < 0 || ready < 0 || null < 0 ||
      dup2(null, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
      dup2(output, STDERR_FILENO) < 0 ||
      dup2(channel, kChannelDescriptor) < 0 ||
      dup2(ready, kReadyDescriptor) < 0 ||
      close_range(kReadyDescriptor + 1, ~0U, 0) != 0) {
    _exit(kServiceBugExit);
  }
}

int Serve(Service service) {
  Channel channel{Descriptor(kChannelDescriptor)};
  try {
    return service(channel);
  } catch (const std::bad_alloc&) {
    return kOutOfMemoryExit;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "belay: internal error: %s\n", error.what());
    return kServiceBugExit;
  }
}

[[noreturn]] void BeCaged(Service service, const CageOptions& options,
                          const Message& start, ForbiddenCall* forbidden,
                          pid_t broker) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != broker) _exit(kServiceBugExit);
  prctl(PR_SET_NAME, "belay-caged");
  setsid();
  for (int signal = 1; signal < NSIG; ++signal) {
    ::signal(signal, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  clearenv();
  setenv("LC_ALL", "C.UTF-8", 1);
  KeepDescriptors(start);
  {
    Channel ready{Descriptor(kReadyDescriptor)};
    try {
      SetForbiddenCallPlace(forbidden);
      EnterCage(options);
      ready.Send({{"ready", true}});
    } catch (const std::exception& error) {
      ready.Send({{"failed", error.what()}});
      _exit(kServiceBugExit);
    }
  }
  const int code = Serve(service);
  std::fflush(nullptr);
  // Exit handlers of the owner's libraries are not the child's to run.
  _exit(code);
}

class BrokerLoop {
 public:
  BrokerLoop(Channel control, const std::map<std::string, Service>& services)
      : control_(std::move(control)), services_(services) {}

  void Run() {
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, nullptr);
    const Descriptor signals(signalfd(-1, &ends, SFD_NONBLOCK | SFD_CLOEXEC));
    for (;;) {
      pollfd sources[] = {{control_.descriptor(), POLLIN, 0},
                          {signals.get(), POLLIN, 0}};
      const int wait = watches_memory() ? kWatchMilliseconds : -1;
      if (poll(sources, 2, wait) < 0 && errno != EINTR) return;
      signalfd_siginfo ignored;
      while (read(signals.get(), &ignored, sizeof ignored) > 0) {
      }
      Reap();
      if (watches_memory()) WatchMemory();
      if (sources[0].revents == 0) continue;
      Message message;
      if (control_.Receive(message) != Channel::Status::kMessage) return;
      if (message.value.contains("quit")) return;
      if (message.value.contains("kill")) {
        Kill(message.value["kill"]);
      } else {
        Start(message);
      }
    }
  }

 private:
  struct Child {
    int64_t id = 0;
    Channel to_owner;
    CageLimits limits;
    ForbiddenCall* forbidden = nullptr;  // memory shared with the child
    uint64_t kills_before = 0;
    bool killed = false;     // by its owner
    bool too_large = false;  // killed for the memory it used
  };

  static constexpr int kWatchMilliseconds = 100;

  bool watches_memory() const {
    return std::any_of(children_.begin(), children_.end(), [](const auto& one) {
      return one.second.limits.resident_bytes > 0;
    });
  }

  void WatchMemory() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_watch_) return;
    next_watch_ = now + std::chrono::milliseconds(kWatchMilliseconds);
    for (const pid_t pid : Processes()) {
      const std::optional<Used> used = UsedBy(pid);
      if (!used) continue;
      const auto child = children_.find(used->group);
      if (child == children_.end()) continue;
      const uint64_t limit = child->second.limits.resident_bytes;
      if (limit == 0 || used->bytes <= limit) continue;
      child->second.too_large = true;
      kill(-child->first, SIGKILL);
    }
  }

  void Start(Message& message) {
    const Json& value = message.value;
    Channel to_owner(std::move(message.descriptors.at(2)));
    const auto refuse = [&](const std::string& why) {
      to_owner.Send({{"failed", why}});
    };
    const auto service = services_.find(value.at("start").get<std::string>());
    if (service == services_.end()) {
      return refuse(fmt::format("no service is called \"{}\"",
                                value.at("start").get<std::string>()));
    }
    const CageOptions options = OptionsFromJson(value.at("options"));
    void* shared = mmap(nullptr, sizeof(ForbiddenCall), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
      return refuse(fmt::format("no memory: {}", std::strerror(errno)));
    }
    auto* forbidden = static_cast<ForbiddenCall*>(shared);
    const pid_t broker = getpid();
    const uint64_t kills_before = OutOfMemoryKills();
    const pid_t pid = fork();
    if (pid < 0) {
      const int error = errno;
      munmap(shared, sizeof(ForbiddenCall));
      return refuse(fmt::format("cannot fork: {}", std::strerror(error)));
    }
    if (pid == 0) {
      // Moved out above, for the broker's sake; the child needs it in place.
      message.descriptors[2] = Descriptor(dup(to_owner.descriptor()));
      BeCaged(service->second, options, message, forbidden, broker);
    }
    children_.emplace(pid,
                      Child{value.at("id"), std::move(to_owner), options.limits,
                            forbidden, kills_before, false, false});
  }

  void Kill(int64_t id) {
    for (auto& [pid, child] : children_) {
      if (child.id != id) continue;
      child.killed = true;
      kill(-pid, SIGKILL);
      kill(pid, SIGKILL);  // where it has no session of its own yet
    }
  }

  void Reap() {
    for (;;) {
      siginfo_t info{};
      if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
          info.si_pid == 0) {
        return;
      }
      const pid_t pid = info.si_pid;
      const auto child = children_.find(pid);
      // What it left behind must not outlive it.
      if (child != children_.end()) kill(-pid, SIGKILL);
      int status = 0;
      rusage usage{};
      if (wait4(pid, &status, 0, &usage) != pid) return;
      if (child == children_.end()) continue;
      Tell(child->second, status, usage);
      munmap(child->second.forbidden, sizeof(ForbiddenCall));
      children_.erase(child);
    }
  }

  static void Tell(Child& child, int status, const rusage& usage) {
    ChildEnd end;
    if (WIFSIGNALED(status)) {
      end.signal = WTERMSIG(status);
    } else {
      end.exit_code = WEXITSTATUS(status);
    }
    const double cpu_seconds =
        static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
        1e-6 * static_cast<double>(usage.ru_utime.tv_usec +
                                   usage.ru_stime.tv_usec);
    const bool killed = end.signal == SIGKILL;
    const bool too_large = killed && child.too_large;
    end.out_of_time =
        end.signal == SIGXCPU ||
        (killed && !too_large &&
         (child.killed || cpu_seconds >= child.limits.cpu_seconds));
    const uint64_t largest = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
    const uint64_t limit = child.limits.resident_bytes > 0
                               ? child.limits.resident_bytes
                               : child.limits.memory_bytes;
    end.out_of_memory =
        too_large || (end.signal == 0 && end.exit_code == kOutOfMemoryExit) ||
        (killed && !end.out_of_time && largest >= limit / 4 &&
         OutOfMemoryKills() > child.kills_before);
    end.forbidden_call = end.signal == SIGSYS;
    if (end.forbidden_call) end.forbidden_name = NameOf(*child.forbidden);
    child.to_owner.Send({{"end", EndToJson(end)}});
  }

  Channel control_;
  const std::map<std::string, Service>& services_;
  std::map<pid_t, Child> children_;
  std::chrono::steady_clock::time_point next_watch_;
};

}  // namespace

void BeBroker(Channel control, const std::map<std::string, Service>& services) {
  prctl(PR_SET_NAME, "belay-broker");
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  signal(SIGPIPE, SIG_IGN);
  int code = 0;
  try {
    BrokerLoop(std::move(control), services).Run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "belay: broker: %s\n", error.what());
    code = kServiceBugExit;
  }
  // Its children die with it: it is the first of its process namespace, and
  // each has asked to be killed when its parent ends.
  _exit(code);
}

nlohmann::json OptionsToJson(const CageOptions& options) {
  return {{"cpu_seconds", options.limits.cpu_seconds},
          {"memory_bytes", options.limits.memory_bytes},
          {"resident_bytes", options.limits.resident_bytes},
          {"file_bytes", options.limits.file_bytes},
          {"stack_bytes", options.limits.stack_bytes},
          {"readable", options.readable},
          {"writable", options.writable},
          {"may_fork", options.may_fork}};
}

nlohmann::json EndToJson(const ChildEnd& end) {
  return {{"exit_code", end.exit_code},
          {"signal", end.signal},
          {"out_of_time", end.out_of_time},
          {"out_of_memory", end.out_of_memory},
          {"forbidden_call", end.forbidden_call},
          {"forbidden_name", end.forbidden_name}};
}

ChildEnd EndFromJson(const nlohmann::json& json) {
  ChildEnd end;
  end.exit_code = json.at("exit_code");
  end.signal = json.at("signal");
  end.out_of_time = json.at("out_of_time");
  end.out_of_memory = json.at("out_of_memory");
  end.forbidden_call = json.at("forbidden_call");
  end.forbidden_name = json.at("forbidden_name");
  return end;
}

}  // namespace belay::guest
