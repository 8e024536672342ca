// SPDX-License-Identifier: Apache-2.0
#include "guest/broker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

#include "base/error.h"
#include "guest/broker_process.h"
#include "guest/child.h"
#include "guest/namespaces.h"

namespace belay::guest {
namespace {

constexpr size_t kMostOutputBytes = size_t{64} << 10;
constexpr double kStartPatienceSeconds = 60;
// A killed child's end comes soon, unless the machine is stuck.
constexpr double kEndPatienceSeconds = 60;

std::map<std::string, Service>& Services() {
  static std::map<std::string, Service> services;
  return services;
}

// The way to the broker, shared with its children's owners.
class Control {
 public:
  explicit Control(Channel channel) : channel_(std::move(channel)) {}

  bool Send(const nlohmann::json& value, const std::vector<int>& descriptors) {
    const std::lock_guard lock(mutex_);
    return channel_.Send(value, {}, descriptors);
  }
  int64_t NextId() {
    const std::lock_guard lock(mutex_);
    return ++last_id_;
  }

 private:
  std::mutex mutex_;
  Channel channel_;
  int64_t last_id_ = 0;
};

class BrokersChild : public CagedChild {
 public:
  BrokersChild(std::shared_ptr<Control> control, const std::string& service,
               const CageOptions& options)
      : control_(std::move(control)), id_(control_->NextId()) {
    auto [mine, childs] = MakeChannels();
    auto [told, tells] = MakeChannels();
    // Of fixed length: what does not fit is lost, and nobody waits for a
    // reader.
    output_ = MakeSharedMemory(kMostOutputBytes);
    channel_.emplace(std::move(mine));
    told_.emplace(std::move(told));
    const nlohmann::json request = {
        {"start", service}, {"id", id_}, {"options", OptionsToJson(options)}};
    if (!control_->Send(request, {childs.descriptor(), output_.get(),
                                  tells.descriptor()})) {
      throw InternalError("[cage] the broker is gone");
    }
    {
      // Ours must be closed, for the end of the other side to be seen.
      const Channel close_childs = std::move(childs);
      const Channel close_tells = std::move(tells);
    }
    Message answer;
    const Channel::Status status =
        told_->Receive(answer, kStartPatienceSeconds);
    if (status == Channel::Status::kMessage && answer.value.contains("ready")) {
      return;
    }
    control_->Send({{"kill", id_}}, {});
    throw InternalError(fmt::format(
        "[cage] no caged child could be started for \"{}\": {}", service,
        status == Channel::Status::kMessage
            ? answer.value.value("failed", answer.value.dump())
            : "the broker does not answer"));
  }

  ~BrokersChild() override {
    if (end_ || !control_->Send({{"kill", id_}}, {})) return;
    // Its descriptors and memory are free when this returns.
    Message ignored;
    told_->Receive(ignored, kEndPatienceSeconds);
  }

  Channel& channel() override { return *channel_; }

  std::string output() override {
    std::string text(kMostOutputBytes, '\0');
    const ssize_t count = pread(output_.get(), text.data(), text.size(), 0);
    text.resize(count < 0 ? 0 : static_cast<size_t>(count));
    const size_t last = text.find_last_not_of('\0');
    text.resize(last == std::string::npos ? 0 : last + 1);
    return text;
  }

  ChildEnd Wait(double seconds) override {
    if (end_) return *end_;
    Message message;
    Channel::Status status = told_->Receive(message, seconds);
    if (status == Channel::Status::kTimeout) {
      control_->Send({{"kill", id_}}, {});
      status = told_->Receive(message, kEndPatienceSeconds);
    }
    if (status != Channel::Status::kMessage || !message.value.contains("end")) {
      throw InternalError("[cage] the broker is gone");
    }
    end_ = EndFromJson(message.value["end"]);
    return *end_;
  }

 private:
  std::shared_ptr<Control> control_;
  int64_t id_;
  Descriptor output_;
  std::optional<Channel> channel_;
  std::optional<Channel> told_;  // by child and broker: ready, end
  std::optional<ChildEnd> end_;
};

class ForkedBroker : public Broker {
 public:
  ForkedBroker(Channel control, pid_t keeper)
      : control_(std::make_shared<Control>(std::move(control))),
        keeper_(keeper) {}

  ~ForkedBroker() override {
    kept_.clear();
    control_->Send({{"quit", true}}, {});
    while (waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  std::unique_ptr<CagedChild> Start(const std::string& service,
                                    const CageOptions& options) override {
    return std::make_unique<BrokersChild>(control_, service, options);
  }

 private:
  std::shared_ptr<Control> control_;
  pid_t keeper_;
};

// Enters the namespaces, starts the broker as their first process, and waits
// for its end: the broker's parent must live for as long as it does.
[[noreturn]] void BeKeeper(Channel control, pid_t owner) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NAME, "belay-keeper");
  if (getppid() != owner) _exit(kServiceBugExit);
  setsid();  // Ctrl-C is the owner's to handle
  const auto kept = static_cast<unsigned>(control.descriptor());
  if (kept > 3) close_range(3, kept - 1, 0);
  close_range(kept + 1, ~0U, 0);
  const bool apart = AvailableCage().namespaces && EnterNamespaces();
  const pid_t broker = fork();
  if (broker == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (apart) HideOtherProcesses();
    BeBroker(std::move(control), Services());
  }
  {
    const Channel close_control = std::move(control);
  }
  if (broker < 0) _exit(kServiceBugExit);
  int status = 0;
  while (waitpid(broker, &status, 0) < 0 && errno == EINTR) {
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : kServiceBugExit);
}

}  // namespace

void RegisterService(const std::string& name, Service service) {
  Services()[name] = service;
}

std::string ChildEnd::ToText() const {
  if (forbidden_call) {
    return forbidden_name.empty()
               ? "made a system call that the cage forbids"
               : fmt::format("made the system call {}, which the cage forbids",
                             forbidden_name);
  }
  if (out_of_time) return "ran out of time";
  if (out_of_memory) return "ran out of memory";
  if (signal != 0) {
    return fmt::format("was killed by {}", DescribeSignal(signal));
  }
  return fmt::format("ended with exit code {}", exit_code);
}

std::unique_ptr<Broker> StartBroker() {
  auto [mine, brokers] = MakeChannels();
  // Found out once, here, for all children.
  AvailableCage();
  std::fflush(nullptr);
  const pid_t owner = getpid();
  const pid_t keeper = fork();
  if (keeper < 0) {
    throw InternalError(
        fmt::format("[cage] cannot fork: {}", std::strerror(errno)));
  }
  if (keeper == 0) {
    {
      const Channel close_mine = std::move(mine);
    }
    BeKeeper(std::move(brokers), owner);
  }
  return std::make_unique<ForkedBroker>(std::move(mine), keeper);
}

}  // namespace belay::guest
