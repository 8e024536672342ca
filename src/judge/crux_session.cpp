// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/resources.h"
#include "clock/log_file.h"
#include "judge/crux_call.h"
#include "judge/crux_child.h"
#include "judge/crux_service.h"
#include "judge/part_message.h"
#include "judge/tensor_message.h"

namespace belay::judge {
namespace {

// Wall time may be so many times processor time: the machine has others to
// serve.
constexpr double kPatience = 4;

// Crux has no tensors of rank 0: one of a single element stands for them.
void TakeOnesAsScalars(const bench::Task& task, const bench::Case& one_case,
                       bench::Arguments& outputs) {
  for (size_t i = 0; i < outputs.size() && i < task.outputs.size(); ++i) {
    const auto shapes = bench::OutputShapes(task.outputs[i], one_case);
    if (!shapes || shapes->size() != outputs[i].tensors.size()) continue;
    for (size_t j = 0; j < shapes->size(); ++j) {
      Shape& shape = outputs[i].tensors[j].shape;
      if ((*shapes)[j].empty() && shape == Shape{1}) shape.clear();
    }
  }
}

class CruxSession : public Session {
 public:
  CruxSession(const bench::Task& task, const Candidate& candidate,
              const SessionOptions& options, guest::Broker& broker)
      : task_(task),
        candidate_(candidate),
        options_(options),
        child_(CruxChild::Of(broker)) {
    child_->CountCandidate();
  }

  ~CruxSession() override {
    if (program_ == 0) return;
    // A process that has gone since has nothing to forget.
    child_->Forget(generation_, program_);
  }

  CompileReport Compile(const std::vector<const bench::Case*>& cases) override {
    const auto begin = std::chrono::steady_clock::now();
    CruxReply reply = Load();
    std::vector<Diagnostic> diagnostics = reply.diagnostics;
    if (reply.end == CallEnd::kFinished) {
      nlohmann::json calls = nlohmann::json::array();
      std::set<std::string> known;
      for (const bench::Case* one : cases) {
        if (!known.insert(one->name).second) continue;
        std::vector<std::byte> none;
        calls.push_back(
            PackCall(MakeCruxCall(task_, *one, ShapesOf(task_, *one)), none));
      }
      reply = Ask("compile", {{"calls", std::move(calls)}}, {},
                  options_.limits.compile_seconds);
      diagnostics.insert(diagnostics.end(), reply.diagnostics.begin(),
                         reply.diagnostics.end());
    }
    CompileReport report;
    report.ok = reply.end == CallEnd::kFinished;
    report.end = reply.end;
    report.diagnostics = std::move(diagnostics);
    report.trouble = std::move(reply.trouble);
    report.milliseconds = std::chrono::duration<double, std::milli>(
                              std::chrono::steady_clock::now() - begin)
                              .count();
    return report;
  }

  CallReport Run(const bench::Case& one_case, const bench::Arguments& inputs,
                 const RunOptions& options) override {
    CruxReply reply =
        AskCall("run", one_case, inputs, {{"check", options.check}});
    CallReport report;
    try {
      if (reply.end == CallEnd::kFinished) {
        report.outputs = UnpackTensors(
            MemberOf<nlohmann::json>(reply.value, "outputs"), reply.bytes);
        TakeOnesAsScalars(task_, one_case, report.outputs);
        report.blocks = MemberOf<uint32_t>(reply.value, "blocks");
      }
    } catch (const MessageError& error) {
      reply = Garbled(error.what());
    }
    report.end = reply.end;
    report.diagnostics = std::move(reply.diagnostics);
    report.trouble = std::move(reply.trouble);
    return report;
  }

  TimeReport Time(const bench::Case& one_case,
                  const bench::Arguments& inputs) override {
    CruxReply reply =
        AskCall("time", one_case, inputs, nlohmann::json::object());
    TimeReport report;
    if (reply.end == CallEnd::kFinished) {
      try {
        report.launches = clock::LogFile::Parse(
            std::string(reinterpret_cast<const char*>(reply.bytes.data()),
                        reply.bytes.size()),
            "the launch of " + file().path);
      } catch (const UserError& error) {
        reply = Garbled(error.what());
      }
    }
    report.end = reply.end;
    report.diagnostics = std::move(reply.diagnostics);
    report.trouble = std::move(reply.trouble);
    return report;
  }

  PartReport RunParts(const bench::Case& one_case,
                      const bench::Arguments& inputs,
                      const PartRequest& request) override {
    CruxReply reply = Load();
    if (reply.end == CallEnd::kFinished) {
      std::vector<std::byte> bytes;
      nlohmann::json message = ToJson(request);
      message["call"] = PackCall(MakeCruxCall(task_, one_case, inputs), bytes);
      message["call_bytes"] = bytes.size();
      for (const InputPattern& pattern : request.patterns) {
        bytes.insert(bytes.end(), pattern.bytes.begin(), pattern.bytes.end());
      }
      reply =
          Ask("part", std::move(message), bytes, options_.limits.run_seconds);
    }
    PartReport report;
    report.end = reply.end;
    report.diagnostics = std::move(reply.diagnostics);
    report.bytes = std::move(reply.bytes);
    report.trouble = std::move(reply.trouble);
    return report;
  }

 private:
  // Where Belay's own files are: the process has no environment to know it by.
  static std::string Home() { return Resource("data").parent_path().string(); }

  const CandidateFile& file() const { return candidate_.files.front(); }

  static CruxReply Garbled(const std::string& what) {
    CruxReply reply;
    reply.end = CallEnd::kInfrastructure;
    reply.trouble = "[crux] " + what;
    return reply;
  }

  // Hands the program to the process that serves now, unless it has it.
  CruxReply Load() {
    try {
      const int generation = child_->Generation(options_);
      if (generation == generation_ && program_ != 0) return {};
      generation_ = generation;
      program_ = 0;
    } catch (const InternalError& error) {
      return Garbled(error.what());
    }
    CruxReply reply = child_->Ask(
        {{"do", "load"},
         {"file", file().path},
         {"text", file().text},
         {"home", Home()},
         {"kernel", candidate_.kernel}},
        {}, kPatience * options_.limits.compile_seconds, file().path);
    if (reply.end != CallEnd::kFinished) return reply;
    try {
      program_ = MemberOf<int>(reply.value, "program");
    } catch (const MessageError& error) {
      return Garbled(error.what());
    }
    return reply;
  }

  CruxReply Ask(const char* what, nlohmann::json request,
                const std::vector<std::byte>& bytes, double seconds) {
    request["do"] = what;
    request["program"] = program_;
    request["chip"] = options_.chip;
    return child_->Ask(request, bytes, kPatience * seconds, file().path);
  }

  CruxReply AskCall(const char* what, const bench::Case& one_case,
                    const bench::Arguments& inputs, nlohmann::json request) {
    CruxReply loaded = Load();
    if (loaded.end != CallEnd::kFinished) return loaded;
    request["most_bytes"] = options_.limits.memory_bytes;
    std::vector<std::byte> bytes;
    request["call"] = PackCall(MakeCruxCall(task_, one_case, inputs), bytes);
    return Ask(what, std::move(request), bytes, options_.limits.run_seconds);
  }

  const bench::Task& task_;
  const Candidate& candidate_;
  const SessionOptions options_;
  std::shared_ptr<CruxChild> child_;
  int generation_ = 0;
  int program_ = 0;  // its number there; 0: none
};

}  // namespace

std::unique_ptr<Session> OpenCruxSession(const bench::Task& task,
                                         const Candidate& candidate,
                                         const SessionOptions& options,
                                         guest::Broker& broker) {
  if (candidate.files.size() != 1) {
    throw InternalError("[crux] a Crux candidate is one file");
  }
  return std::make_unique<CruxSession>(task, candidate, options, broker);
}

}  // namespace belay::judge
