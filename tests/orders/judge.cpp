// SPDX-License-Identifier: Apache-2.0
#include "judge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "legal_orders.h"
#include "mutants.h"
#include "recorder.h"
#include "replay.h"
#include "unordered.h"

namespace belay::orders {
namespace {

nlohmann::json ToJson(const Verdict& verdict) {
  return {{"group", verdict.group},           {"what", verdict.what},
          {"found", verdict.found},           {"trapped", verdict.trapped},
          {"differing", verdict.differing},   {"orders", verdict.orders},
          {"reproduced", verdict.reproduced}, {"races", verdict.races},
          {"race_told", verdict.race_told}};
}

Verdict FromJson(const nlohmann::json& json) {
  Verdict verdict;
  json.at("group").get_to(verdict.group);
  json.at("what").get_to(verdict.what);
  json.at("found").get_to(verdict.found);
  json.at("trapped").get_to(verdict.trapped);
  json.at("differing").get_to(verdict.differing);
  json.at("orders").get_to(verdict.orders);
  json.at("reproduced").get_to(verdict.reproduced);
  json.at("races").get_to(verdict.races);
  json.at("race_told").get_to(verdict.race_told);
  return verdict;
}

// Orders tried of a mutant that was found anyway.
constexpr int kOrdersWhenFound = 20;

// Whether the executor's program order gave what the recorded one did.
bool Reproduces(const Recording& recording, const Outcome& outcome,
                const std::vector<std::byte>& memory_after) {
  if (outcome.memory != memory_after || !outcome.trap.empty()) return false;
  size_t at = 0;
  for (const Event& event : recording.events) {
    if (event.kind == Event::Kind::kRegister ||
        (event.kind == Event::Kind::kInstruction &&
         event.instruction.op == abi::Op::kGatherMask)) {
      at += sizeof(uint64_t);
    }
    if (event.kind != Event::Kind::kScalar || event.write) continue;
    if (!std::equal(event.value.begin(), event.value.end(),
                    outcome.seen.begin() + static_cast<long>(at))) {
      return false;
    }
    at += event.bytes;
  }
  return true;
}

// The bytes of global memory that the launch writes, as they are now.
std::vector<std::byte> WrittenMemory(const Recording& recording,
                                     const npu::Chip& chip) {
  ByteRanges written;
  for (const Event& event : recording.events) {
    for (const Touch& touch : event.touches) {
      if (touch.write && !chip.on_chip().Spans(touch.begin)) {
        written.Add(touch.begin, touch.end);
      }
    }
  }
  std::vector<std::byte> bytes;
  for (const ByteRange& range : written.List()) {
    bytes.insert(bytes.end(), reinterpret_cast<std::byte*>(range.begin),
                 reinterpret_cast<std::byte*>(range.end));
  }
  return bytes;
}

// Judges the events in this process, which is spent afterwards. `known`:
// findings that do not count.
Verdict JudgeEvents(const Recording& recording,
                    const std::vector<Event>& events,
                    const std::set<std::string>& known,
                    const JudgeOptions& options, npu::Chip& chip) {
  Verdict verdict;
  const CheckedReplay replay =
      ReplayUnderCheckers(recording, events, options.auto_sync, chip);
  if (replay.trap) {
    verdict.trapped = true;
    verdict.found = {*replay.trap};
    return verdict;
  }
  std::set<std::string> found;
  for (const Finding& finding : replay.findings) {
    if (finding.code.starts_with("BLY-R")) verdict.race_told = true;
    if (!finding.is_note && !known.contains(finding.code)) {
      found.insert(finding.code);
    }
  }
  verdict.found = {found.begin(), found.end()};
  const std::vector<std::byte> after = WrittenMemory(replay.recording, chip);
  LegalOrders orders(replay.recording, options.auto_sync, chip);
  verdict.races = FindUnordered(replay.recording, orders.nodes()).has_value();
  const Outcome expected = orders.RunProgramOrder();
  verdict.reproduced = Reproduces(replay.recording, expected, after);
  const bool is_kernel = &events == &recording.events;
  verdict.orders = found.empty() ? options.orders
                                 : std::min(options.orders, kOrdersWhenFound);
  verdict.differing =
      orders.CountDiffering(expected, options.seed, verdict.orders, !is_kernel);
  return verdict;
}

// Runs `judge` in a process of its own; the chip here stays as it is.
Verdict InOwnProcess(const std::function<Verdict()>& judge) {
  int ends[2];
  if (pipe(ends) != 0) throw InternalError("[orders] no pipe");
  const pid_t pid = fork();
  if (pid < 0) throw InternalError("[orders] cannot fork");
  if (pid == 0) {
    close(ends[0]);
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
      signal(number, SIG_DFL);
    }
    std::string text;
    try {
      text = ToJson(judge()).dump();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "[orders] %s\n", error.what());
      _exit(1);
    }
    const ssize_t count = write(ends[1], text.data(), text.size());
    _exit(count == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (status == 0 && json.is_object()) return FromJson(json);
  Verdict crashed;
  crashed.crashed = true;
  return crashed;
}

// Lives in the process that runs the kernels; its answers go to `file`.
class LaunchJudge {
 public:
  LaunchJudge(npu::Chip& chip, const JudgeOptions& options, int file)
      : chip_(chip),
        options_(options),
        file_(file),
        recorder_(chip,
                  [this](const Recording& recording) { Judge(recording); }) {
    chip.AddObserver(&recorder_);
  }

 private:
  void Judge(const Recording& recording) {
    const auto judge = [&](const std::vector<Event>& events,
                           const std::set<std::string>& known) {
      return InOwnProcess([&] {
        recorder_.SetOn(false);
        return JudgeEvents(recording, events, known, options_, chip_);
      });
    };
    Verdict kernel = judge(recording.events, {});
    kernel.what = recording.launch.kernel;
    Tell(kernel);
    if (options_.mutant_step == 0 || kernel.crashed) return;
    const std::set<std::string> known(kernel.found.begin(), kernel.found.end());
    const std::vector<Mutant> mutants = MakeMutants(recording);
    for (size_t i = options_.mutant_offset; i < mutants.size();
         i += options_.mutant_step) {
      const std::vector<Event> events = Apply(mutants[i], recording);
      Verdict verdict = judge(events, known);
      verdict.group = mutants[i].group;
      verdict.what = recording.launch.kernel + ": " + mutants[i].what;
      Tell(verdict);
    }
  }

  void Tell(const Verdict& verdict) {
    nlohmann::json json = ToJson(verdict);
    json["crashed"] = verdict.crashed;
    const std::string line = json.dump() + "\n";
    if (write(file_, line.data(), line.size()) !=
        static_cast<ssize_t>(line.size())) {
      throw InternalError("[orders] cannot tell a verdict");
    }
  }

  npu::Chip& chip_;
  const JudgeOptions options_;
  const int file_;
  Recorder recorder_;
};

std::string ReadAll(int file) {
  lseek(file, 0, SEEK_SET);
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = read(file, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<size_t>(count));
  }
  return text;
}

// Runs `run` with a device whose launches are judged.
Judgement Judge(const JudgeOptions& options,
                const std::function<std::vector<Diagnostic>(
                    const std::function<void(npu::Chip&)>& attach)>& run) {
  const int file = memfd_create("verdicts", 0);
  if (file < 0) throw InternalError("[orders] no memory file");
  std::unique_ptr<LaunchJudge> judge;
  const std::vector<Diagnostic> diagnostics = run([&](npu::Chip& chip) {
    judge = std::make_unique<LaunchJudge>(chip, options, file);
  });
  Judgement judgement;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == Severity::kError) {
      judgement.errors.push_back(diagnostic.code + " " + diagnostic.message);
    }
  }
  const std::string text = ReadAll(file);
  close(file);
  size_t start = 0;
  for (size_t end; (end = text.find('\n', start)) != std::string::npos;
       start = end + 1) {
    const auto json = nlohmann::json::parse(text.substr(start, end - start));
    Verdict verdict = FromJson(json);
    json.at("crashed").get_to(verdict.crashed);
    (verdict.group.empty() ? judgement.kernels : judgement.mutants)
        .push_back(std::move(verdict));
  }
  return judgement;
}

}  // namespace

Judgement JudgeProgram(guest::ProgramOptions program,
                       const JudgeOptions& options) {
  program.output_to_stderr = true;
  return Judge(options, [&](const auto& attach) {
    program.device.attach = attach;
    return guest::RunProgram(program).diagnostics;
  });
}

Judgement JudgeOperator(guest::OperatorOptions call,
                        const JudgeOptions& options) {
  return Judge(options, [&](const auto& attach) {
    call.device.attach = attach;
    return guest::RunOperator(call).diagnostics;
  });
}

std::string Summarize(const Judgement& judgement) {
  struct Counts {
    int mutants = 0, trapped = 0, differing = 0, racing = 0, found = 0,
        missed = 0;
  };
  std::map<std::string, Counts> groups;
  for (const Verdict& verdict : judgement.mutants) {
    for (const std::string& group : {verdict.group, std::string("~ all")}) {
      Counts& counts = groups[group];
      ++counts.mutants;
      counts.trapped += verdict.trapped;
      counts.differing += verdict.differing > 0;
      counts.racing += verdict.races;
      counts.found += !verdict.found.empty();
      counts.missed += verdict.is_missed();
    }
  }
  std::string text = fmt::format("{:16} {:>8} {:>8} {:>10} {:>7} {:>7} {:>7}\n",
                                 "changed", "mutants", "trapped", "differing",
                                 "racing", "found", "missed");
  for (const auto& [group, counts] : groups) {
    text += fmt::format("{:16} {:8} {:8} {:10} {:7} {:7} {:7}\n",
                        group == "~ all" ? "all" : group, counts.mutants,
                        counts.trapped, counts.differing, counts.racing,
                        counts.found, counts.missed);
  }
  return text;
}

}  // namespace belay::orders
