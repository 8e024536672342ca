// SPDX-License-Identifier: Apache-2.0
// The caged side of sessions with operators in AscendC.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <string>

#include "base/catalogue.h"
#include "base/error.h"
#include "clock/clock_spec.h"
#include "clock/log_file.h"
#include "guest/broker.h"
#include "guest/operator_host.h"
#include "guest/operator_kernel.h"
#include "judge/operator_message.h"
#include "judge/session.h"
#include "npu/poisoned_pages.h"
#include "toolchain/host_compiler.h"

namespace belay::judge {
namespace {

using nlohmann::json;

// The shared memory of one launch.
class MappedMemory {
 public:
  MappedMemory(int file, size_t bytes) : bytes_(bytes) {
    if (bytes_ == 0) return;
    void* memory =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(memory);
  }
  ~MappedMemory() {
    if (data_ != nullptr) munmap(data_, bytes_);
  }
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;

  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  size_t bytes_;
};

// Children get what the question allows, and lose the channel: answers are this
// process's to give.
void LimitChildren(const json& question, int channel) {
  const double cpu_seconds = question.at("cpu_seconds").get<double>();
  guest::ChildRules rules;
  rules.cpu_seconds = cpu_seconds;
  rules.wall_seconds = question.at("wall_seconds").get<double>();
  rules.prepare = [channel] { close(channel); };
  rules.before_guest = [cpu_seconds] { guest::EnterInnerCage(cpu_seconds); };
  guest::SetChildRules(std::move(rules));
}

guest::HostOptions HostOptionsOf(const json& question) {
  guest::HostOptions options;
  question.at("module").get_to(options.module);
  question.at("cpu_seconds").get_to(options.limits.seconds);
  question.at("memory_bytes").get_to(options.limits.bytes);
  return options;
}

// The name of the system call for which a child was ended.
void NameForbiddenCall(std::vector<Diagnostic>& diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.code != code::kJ103) continue;
    const std::string name = guest::LastForbiddenCall();
    if (!name.empty()) diagnostic.message += fmt::format(": {}", name);
  }
}

json DescribeHere(const json& question) {
  guest::OperatorsFound found = guest::DescribeOperators(
      HostOptionsOf(question), question.at("chip").get<std::string>());
  NameForbiddenCall(found.diagnostics);
  return {{"diagnostics", found.diagnostics},
          {"operators", found.operators},
          {"killed", found.killed}};
}

json PlanHere(const json& question) {
  guest::HostPlan planned =
      guest::PlanInChild(HostOptionsOf(question),
                         question.at("call").get<runtime::OperatorCall>());
  NameForbiddenCall(planned.diagnostics);
  json answer = {{"diagnostics", planned.diagnostics},
                 {"killed", planned.killed}};
  if (planned.plan) answer["plan"] = *planned.plan;
  return answer;
}

LaunchEnd EndOf(const guest::KernelOutcome& outcome) {
  const guest::ChildResult& child = outcome.child;
  if (child.out_of_time) return LaunchEnd::kOutOfTime;
  if (child.signal == SIGSYS) return LaunchEnd::kForbidden;
  if (child.signal == SIGKILL) return LaunchEnd::kKilled;
  if (child.signal != 0) return LaunchEnd::kFailed;
  if (child.exit_code == guest::kChildOutOfMemory) {
    return LaunchEnd::kOutOfMemory;
  }
  if (outcome.finished) return LaunchEnd::kFinished;
  if (outcome.diagnostics.empty()) return LaunchEnd::kBroke;
  return outcome.kernel.empty() ? LaunchEnd::kNoKernel : LaunchEnd::kFailed;
}

// Launches kernels; remembers what it read of their modules.
class Launcher {
 public:
  // What is recorded goes to the second descriptor.
  json Launch(const json& question, guest::Message& message) {
    const json& asked = question.at("run");
    const MappedMemory memory(message.descriptors.at(0).get(),
                              question.at("bytes").get<size_t>());
    guest::KernelRun run = RunFromJson(asked, memory.data());
    if (question.at("check").get<bool>()) {
      run.device.check = check::CheckOptions();
    }
    const bool record = question.at("record").get<bool>();
    if (record) run.record = guest::RecordOptions{};
    const guest::KernelOutcome outcome = Run(run);
    if (record) {
      WriteLaunches(outcome.recorded.launches, message.descriptors.at(1).get());
    }
    return Answered(outcome);
  }

  // The launches go to the second descriptor.
  json Time(const json& question, guest::Message& message) {
    const MappedMemory memory(message.descriptors.at(0).get(),
                              question.at("bytes").get<size_t>());
    guest::KernelRun run = RunFromJson(question.at("run"), memory.data());
    if (!question.at("values").get<bool>()) {
      run.device.timing_only = npu::kPretences[0];
    }
    run.record = guest::RecordOptions{};
    const guest::KernelOutcome outcome = Run(run);
    WriteLaunches(outcome.recorded.launches, message.descriptors.at(1).get());
    return Answered(outcome);
  }

 private:
  guest::KernelOutcome Run(const guest::KernelRun& run) {
    std::unique_ptr<toolchain::Symbolizer>& symbolizer =
        symbolizers_[run.module];
    if (!symbolizer) {
      symbolizer = std::make_unique<toolchain::Symbolizer>(run.module);
    }
    return guest::RunKernelInChild(run, *symbolizer, &DeviceFor(run));
  }

  // A device is made once for all runs that want the same one after the other,
  // and used by none: each run has its copy in a process of its own.
  runtime::Device& DeviceFor(const guest::KernelRun& run) {
    const bool checks = run.device.check.has_value();
    const bool computes = !run.device.timing_only.has_value();
    const std::string wanted = fmt::format(
        "{} {} {} {} {}", run.device.chip, checks, computes,
        run.record.has_value(), fmt::join(run.device.only_blocks, ","));
    if (!device_ || wanted != device_options_) {
      device_.reset();
      device_ = std::make_unique<runtime::Device>(guest::DeviceOptionsOf(run));
      device_options_ = wanted;
    }
    return *device_;
  }

  static json Answered(const guest::KernelOutcome& outcome) {
    const LaunchEnd end = EndOf(outcome);
    return {
        {"diagnostics", outcome.diagnostics},
        {"end", end},
        {"forbidden", end == LaunchEnd::kForbidden ? guest::LastForbiddenCall()
                                                   : std::string()},
        {"error", outcome.child.error},
        {"launch_milliseconds", outcome.launch_milliseconds}};
  }

  static void WriteLaunches(const std::vector<clock::LaunchLog>& launches,
                            int file) {
    const std::string bytes = clock::LogFile::Format(launches);
    size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t count =
          pwrite(file, bytes.data() + done, bytes.size() - done,
                 static_cast<off_t>(done));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) throw std::bad_alloc();
      done += static_cast<size_t>(count);
    }
  }

  std::map<std::string, std::unique_ptr<toolchain::Symbolizer>> symbolizers_;
  std::string device_options_;
  std::unique_ptr<runtime::Device> device_;
};

// Answers questions until the other side closes the channel.
int ServeQuestions(
    guest::Channel& channel,
    const std::function<json(const json& question, guest::Message&)>& answer) {
  for (;;) {
    guest::Message message;
    if (channel.Receive(message) != guest::Channel::Status::kMessage) return 0;
    json said = answer(message.value, message);
    said["number"] = message.value.at("number");
    if (!channel.Send(said)) return 0;
  }
}

json CompileHere(const json& question) {
  const toolchain::CompileResult compiled =
      toolchain::Compile(CompileOptionsFromJson(question.at("options")));
  return {{"ok", compiled.ok}, {"diagnostics", compiled.diagnostics}};
}

int ServeCompiling(guest::Channel& channel) {
  return ServeQuestions(channel, [](const json& question, guest::Message&) {
    return CompileHere(question);
  });
}

int ServeOperators(guest::Channel& channel) {
  npu::PreparePoisonedPages();
  Launcher launcher;
  return ServeQuestions(
      channel, [&](const json& question, guest::Message& message) {
        LimitChildren(question, channel.descriptor());
        const auto ask = question.at("ask").get<std::string>();
        if (ask == "describe") return DescribeHere(question);
        if (ask == "plan") return PlanHere(question);
        if (ask == "launch") return launcher.Launch(question, message);
        if (ask == "time") return launcher.Time(question, message);
        throw InternalError("[judge] the operator service cannot " + ask);
      });
}

}  // namespace

void RegisterOperatorServices() {
  // What all children share is read before there are any.
  toolchain::FindHostCompiler();
  for (const std::string& chip : npu::KnownChips()) {
    clock::LoadClockSpec(chip);
  }
  guest::RegisterService(kCompileService, ServeCompiling);
  guest::RegisterService(kOperatorService, ServeOperators);
}

}  // namespace belay::judge
