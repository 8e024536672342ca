// SPDX-License-Identifier: Apache-2.0
#include "judge/operator_session.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "base/catalogue.h"
#include "base/error.h"
#include "clock/log_file.h"
#include "guest/operator_arguments.h"
#include "guest/operator_results.h"
#include "judge/operator_message.h"
#include "npu/chip_spec.h"

namespace belay::judge {
using nlohmann::json;

struct OperatorSession::Prepared {
  guest::KernelRun run;
  guest::OperatorResults results;
};

namespace {

// Cases of a dtype that are tried until tiling plans one.
constexpr int kMostTries = 3;

void AppendNew(std::vector<Diagnostic>& all, std::vector<Diagnostic> more) {
  for (Diagnostic& one : more) {
    const bool known =
        std::any_of(all.begin(), all.end(), [&](const Diagnostic& d) {
          return d.code == one.code && d.message == one.message &&
                 d.location.file == one.location.file &&
                 d.location.line == one.location.line;
        });
    if (!known) all.push_back(std::move(one));
  }
}

Diagnostic NoAnswer() {
  return MakeError(code::kJ104,
                   "the candidate's process answered with what is no answer");
}

// Does the work; what it throws becomes the end of the report.
template <typename Report, typename Work>
void Guard(Report& report, const Work& work) {
  try {
    work();
  } catch (CallStopped& stop) {
    report.end = stop.end;
    AppendNew(report.diagnostics, std::move(stop.diagnostics));
    report.trouble = std::move(stop.trouble);
  } catch (const json::exception&) {
    report.end = CallEnd::kFault;
    report.diagnostics.push_back(NoAnswer());
  } catch (const std::exception& error) {
    // No room on the disk or in memory, no broker.
    report.end = CallEnd::kInfrastructure;
    report.trouble = error.what();
  }
}

// Whether every input that is there comes with its elements.
bool HasAllValues(const bench::Arguments& inputs) {
  for (const bench::Argument& input : inputs) {
    for (const Array& tensor : input.tensors) {
      if (tensor.data.empty() && ElementCount(tensor.shape) > 0) return false;
    }
  }
  return true;
}

// Puts the patterns and windows of a part into a run.
void AddPart(const bench::Task& task,
             const runtime::OperatorSignature& signature,
             const PartRequest& part,
             const std::vector<guest::ResultRequest>& results,
             guest::KernelRun& run) {
  run.device.only_blocks = part.blocks;
  for (const InputPattern& pattern : part.patterns) {
    const std::string& name = task.inputs.at(pattern.input).name;
    for (size_t i = 0; i < signature.inputs.size(); ++i) {
      if (signature.inputs[i].name != name) continue;
      run.arguments[i].tensors.at(pattern.tensor).pattern = pattern.bytes;
    }
  }
  size_t at = 0;
  for (const OutputWindow& window : part.windows) {
    const std::string& name = OperatorNameOf(task.outputs.at(window.output));
    for (const guest::ResultRequest& result : results) {
      if (result.name != name) continue;
      run.arguments[result.argument]
          .tensors.at(window.tensor)
          .windows.push_back({window.begin, window.end, at});
    }
    at += window.end - window.begin;
  }
}

void WriteAt(int file, std::span<const std::byte> bytes, size_t offset) {
  while (!bytes.empty()) {
    const ssize_t count =
        pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      throw InternalError(
          fmt::format("[judge] shared memory: {}", std::strerror(errno)));
    }
    bytes = bytes.subspan(static_cast<size_t>(count));
    offset += static_cast<size_t>(count);
  }
}

// As much as there is of [offset, offset + bytes).
template <typename Bytes>
Bytes ReadAt(int file, size_t offset, size_t bytes) {
  Bytes read(bytes, typename Bytes::value_type{});
  size_t done = 0;
  while (done < bytes) {
    const ssize_t count = pread(file, read.data() + done, bytes - done,
                                static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<size_t>(count);
  }
  return read;
}

}  // namespace

OperatorSession::Prepared OperatorSession::PrepareLaunch(
    const PlannedCall& planned, const bench::Arguments& inputs,
    const PartRequest* part) const {
  const runtime::OperatorSignature& signature = candidate_.signature();
  guest::OperatorArguments arguments = guest::ArgumentsOfCall(
      signature, planned.call.bound, planned.plan, planned.call.outputs);
  for (size_t i = 0; i < signature.inputs.size(); ++i) {
    const auto input = std::find_if(
        inputs.begin(), inputs.end(), [&](const bench::Argument& argument) {
          return argument.name == signature.inputs[i].name;
        });
    if (input == inputs.end()) continue;
    auto& tensors = arguments.arguments[i].tensors;
    for (size_t t = 0; t < tensors.size(); ++t) {
      const std::vector<std::byte>& data = input->tensors[t].data;
      tensors[t].contents = data.empty() ? nullptr : data.data();
    }
  }
  guest::KernelRun run;
  run.module = planned.module;
  run.source = candidate_.kernel_source();
  run.kernel = signature.kernel;
  run.arguments = std::move(arguments.arguments);
  run.workspace_bytes = planned.plan.workspace_bytes;
  run.tiling = planned.plan.tiling;
  run.tiling_key = planned.plan.tiling_key;
  run.blocks = planned.plan.blocks;
  run.device.chip = options_.chip;
  if (part != nullptr) {
    AddPart(task_, signature, *part, arguments.results, run);
    arguments.results.clear();
  }
  guest::OperatorResults results(arguments.results, run.arguments);
  return {std::move(run), std::move(results)};
}

void OperatorSession::RequireMemory(const Prepared& prepared) const {
  uint64_t bytes = prepared.run.workspace_bytes;
  for (const guest::KernelArgument& argument : prepared.run.arguments) {
    for (const guest::KernelTensor& tensor : argument.tensors) {
      bytes += BytesOf(tensor.dtype,
                       static_cast<size_t>(ElementCount(tensor.shape)));
    }
  }
  if (prepared.run.workspace_bytes <= options_.limits.memory_bytes &&
      bytes <= options_.limits.memory_bytes) {
    return;
  }
  throw CallStopped{
      CallEnd::kFault,
      {MakeError(code::kJ102,
                 fmt::format("the tensors and the workspace of {} bytes take "
                             "more than {} MB",
                             prepared.run.workspace_bytes,
                             options_.limits.memory_bytes >> 20),
                 "let tiling ask for the workspace that the kernel uses")},
      {}};
}

void OperatorSession::RequireFinished(const json& answer) const {
  std::vector<Diagnostic> diagnostics = candidate_.DiagnosticsOf(answer);
  const auto end = answer.at("end").get<LaunchEnd>();
  const auto replace = [&](const char* code, std::string message) {
    // What the process said about the signal that ended it.
    std::erase_if(diagnostics, [](const Diagnostic& diagnostic) {
      return diagnostic.code == code::kG106;
    });
    diagnostics.push_back(MakeError(code, std::move(message)));
  };
  CallEnd stop = CallEnd::kFault;
  switch (end) {
    case LaunchEnd::kFinished:
      return;
    case LaunchEnd::kFailed:
      break;
    case LaunchEnd::kNoKernel:
      stop = CallEnd::kNotCompiled;
      break;
    case LaunchEnd::kOutOfTime:
      replace(code::kJ101,
              fmt::format("the kernel did not end within {:g} s of processor "
                          "time or {:g} s by the clock",
                          options_.limits.run_seconds,
                          options_.limits.run_seconds * kWallFactor));
      break;
    case LaunchEnd::kOutOfMemory:
      replace(code::kJ102,
              fmt::format("the launch needs more than {} MB of memory",
                          options_.limits.memory_bytes >> 20));
      break;
    case LaunchEnd::kForbidden:
      replace(code::kJ103,
              fmt::format("the kernel's process made the forbidden system "
                          "call {}",
                          answer.at("forbidden").get<std::string>()));
      break;
    case LaunchEnd::kKilled:
      throw CallStopped{
          CallEnd::kInfrastructure, {}, "the kernel's process was killed"};
    case LaunchEnd::kBroke:
    default:
      replace(code::kJ104, fmt::format("the kernel's process broke: {}",
                                       answer.at("error").get<std::string>()));
      break;
  }
  throw CallStopped{stop, std::move(diagnostics), {}};
}

CompileReport OperatorSession::Compile(
    const std::vector<const bench::Case*>& cases) {
  const auto start = std::chrono::steady_clock::now();
  CompileReport report;
  std::map<std::map<std::string, DType>, int> tries;  // left, by dtypes
  Guard(report, [&] {
    candidate_.PrepareHost();
    for (const bench::Case* one_case : cases) {
      int& left = tries.try_emplace(one_case->types, kMostTries).first->second;
      if (left == 0) continue;
      --left;
      try {
        candidate_.Prepare(*one_case,
                           bench::DrawInputs(task_, *one_case,
                                             [](const bench::InputSpec& input) {
                                               return input.host_read;
                                             }),
                           report.diagnostics);
        left = 0;
      } catch (const CallStopped& stop) {
        // What tiling does with a case is not a matter of compiling.
        if (stop.end != CallEnd::kRefused) throw;
      }
    }
    report.ok = true;
  });
  report.milliseconds = std::chrono::duration<double, std::milli>(
                            std::chrono::steady_clock::now() - start)
                            .count();
  return report;
}

CallReport OperatorSession::Run(const bench::Case& one_case,
                                const bench::Arguments& inputs,
                                const RunOptions& options) {
  CallReport report;
  std::vector<Diagnostic> warnings;
  Guard(report, [&] {
    const PlannedCall planned = candidate_.Prepare(one_case, inputs, warnings);
    report.blocks = planned.plan.blocks;
    const Prepared prepared = PrepareLaunch(planned, inputs);
    RequireMemory(prepared);
    const std::vector<std::byte> bytes = Launch(
        prepared, prepared.results.bytes(), options.check, report.diagnostics);
    for (const bench::OutputSpec& output : task_.outputs) {
      bench::Argument argument{
          output.name, bench::IsPresent(output, one_case), output.list, {}};
      if (argument.present) {
        argument.tensors =
            prepared.results.Take(bytes.data(), OperatorNameOf(output));
      }
      report.outputs.push_back(std::move(argument));
    }
  });
  return report;
}

std::vector<std::byte> OperatorSession::Launch(
    const Prepared& prepared, size_t result_bytes, bool check,
    std::vector<Diagnostic>& diagnostics,
    std::vector<clock::LaunchLog>* launches) {
  const SharedLaunch shared(prepared.run, result_bytes);
  const guest::Descriptor memory = guest::MakeSharedMemory(shared.bytes());
  for (const SharedLaunch::Piece& piece : shared.pieces()) {
    WriteAt(memory.get(), piece.contents, piece.offset);
  }
  const guest::Descriptor log =
      launches == nullptr ? guest::Descriptor() : guest::MakeLogFile();
  std::vector<int> descriptors = {memory.get()};
  if (launches != nullptr) descriptors.push_back(log.get());
  const double seconds = options_.limits.run_seconds;
  const json answer = candidate_.Ask({{"ask", "launch"},
                                      {"run", shared.ToJson()},
                                      {"bytes", shared.bytes()},
                                      {"check", check},
                                      {"record", launches != nullptr},
                                      {"cpu_seconds", seconds},
                                      {"wall_seconds", seconds * kWallFactor}},
                                     descriptors, seconds * kWallFactor);
  RequireFinished(answer);
  diagnostics = candidate_.DiagnosticsOf(answer);
  if (launches != nullptr) *launches = ReadLaunches(log.get());
  return ReadAt<std::vector<std::byte>>(memory.get(), shared.results_at(),
                                        result_bytes);
}

PartReport OperatorSession::RunParts(const bench::Case& one_case,
                                     const bench::Arguments& inputs,
                                     const PartRequest& request) {
  PartReport report;
  std::vector<Diagnostic> warnings;
  Guard(report, [&] {
    const PlannedCall planned = candidate_.Prepare(one_case, inputs, warnings);
    size_t bytes = 0;
    for (const OutputWindow& window : request.windows) {
      bytes += window.end - window.begin;
    }
    report.bytes =
        Launch(PrepareLaunch(planned, inputs, &request), bytes, false,
               report.diagnostics, request.record ? &report.launches : nullptr);
  });
  return report;
}

std::vector<clock::LaunchLog> OperatorSession::ReadLaunches(int file) const {
  struct stat status{};
  fstat(file, &status);
  try {
    return clock::LogFile::Parse(
        ReadAt<std::string>(file, 0, static_cast<size_t>(status.st_size)),
        "the log");
  } catch (const UserError&) {
    throw CallStopped{CallEnd::kFault, {NoAnswer()}, {}};
  }
}

TimeReport OperatorSession::Time(const bench::Case& one_case,
                                 const bench::Arguments& inputs) {
  TimeReport report;
  std::vector<Diagnostic> warnings;
  Guard(report, [&] {
    const PlannedCall planned = candidate_.Prepare(one_case, inputs, warnings);
    const Prepared prepared = PrepareLaunch(planned, inputs);
    const bool values = HasAllValues(inputs);
    if (values) RequireMemory(prepared);
    const SharedLaunch shared(prepared.run,
                              values ? prepared.results.bytes() : 0);
    const guest::Descriptor memory = guest::MakeSharedMemory(shared.bytes());
    for (const SharedLaunch::Piece& piece : shared.pieces()) {
      WriteAt(memory.get(), piece.contents, piece.offset);
    }
    const guest::Descriptor log = guest::MakeLogFile();
    const double seconds = options_.limits.run_seconds;
    // Without values, global memory takes addresses, not memory.
    const json answer =
        candidate_.Ask({{"ask", "time"},
                        {"run", shared.ToJson()},
                        {"bytes", shared.bytes()},
                        {"values", values},
                        {"cpu_seconds", seconds},
                        {"wall_seconds", seconds * kWallFactor}},
                       {memory.get(), log.get()}, seconds * kWallFactor);
    RequireFinished(answer);
    report.diagnostics = candidate_.DiagnosticsOf(answer);
    report.launches = ReadLaunches(log.get());
    for (clock::LaunchLog& launch : report.launches) {
      for (auto& [place, location] : launch.places)
        candidate_.Clean(location.file);
    }
  });
  return report;
}

std::unique_ptr<Session> OpenOperatorSession(const bench::Task& task,
                                             const Candidate& candidate,
                                             const SessionOptions& options,
                                             guest::Broker& broker) {
  return std::make_unique<OperatorSession>(task, candidate, options, broker);
}

}  // namespace belay::judge
