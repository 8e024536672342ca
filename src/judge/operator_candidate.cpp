// SPDX-License-Identifier: Apache-2.0
#include "judge/operator_candidate.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/catalogue.h"
#include "base/error.h"
#include "guest/operator_compile.h"
#include "guest/operator_prelude.h"
#include "judge/operator_message.h"
#include "npu/chip_spec.h"

namespace belay::judge {
namespace fs = std::filesystem;
using nlohmann::json;
using runtime::LaunchPlan;
using runtime::OperatorSignature;

namespace {

// For what is not the candidate's work: starting, answering.
constexpr double kGraceSeconds = 20;
// What a service takes of memory for itself.
constexpr uint64_t kServiceBytes = uint64_t{1} << 30;
constexpr size_t kMostToldDiagnostics = 200;

bool IsErrorIn(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(
      diagnostics.begin(), diagnostics.end(),
      [](const Diagnostic& d) { return d.severity == Severity::kError; });
}

std::string Unbracketed(const UserError& error) {
  std::string text = error.what();
  if (text.starts_with('[')) {
    const size_t end = text.find("] ");
    if (end != std::string::npos) text.erase(0, end + 2);
  }
  const size_t code = text.rfind(" [BLY-");
  if (code != std::string::npos) text.erase(code);
  return text;
}

bool IsKernelFile(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  return extension == ".cpp" || extension == ".cc" || extension == ".cxx" ||
         extension == ".asc";
}

guest::CageOptions CageFor(const Limits& limits) {
  guest::CageOptions cage;
  cage.limits.memory_bytes = limits.memory_bytes;
  cage.limits.resident_bytes = limits.memory_bytes + kServiceBytes;
  cage.readable = guest::SystemLibraries();
  return cage;
}

}  // namespace

OperatorCandidate::OperatorCandidate(const bench::Task& task,
                                     const Candidate& candidate,
                                     const SessionOptions& options,
                                     guest::Broker& broker)
    : task_(task),
      candidate_(candidate),
      options_(options),
      hosts_(OperatorHosts::Of(broker)),
      folder_(""),
      sources_(folder_.File("candidate")),
      out_(folder_.File("out")),
      own_host_(candidate.kind == CandidateKind::kKernel) {
  const toolchain::CompileOptions kernel =
      guest::KernelCompileOptions({}, "", "");
  const toolchain::CompileOptions host = guest::HostCompileOptions({});
  guest::CageOptions compiler = CageFor(options.limits);
  compiler.limits.cpu_seconds = options.limits.compile_seconds;
  for (const std::string& file : guest::SystemHeaders()) {
    compiler.readable.push_back(file);
  }
  for (const std::string& file :
       {kernel.headers, kernel.precompiled_header,
        kernel.cube_precompiled_header, host.precompiled_header, sources_,
        hosts_->folder()}) {
    if (!file.empty()) compiler.readable.push_back(file);
  }
  compiler.writable = {out_};
  compiler_ = std::make_unique<CagedCalls>(broker, kCompileService, compiler,
                                           "the compiler");

  guest::CageOptions runner = CageFor(options.limits);
  runner.limits.cpu_seconds =
      std::max(options.limits.run_seconds, options.limits.tiling_seconds);
  // Addresses for global memory and what checkers know about it; how much of
  // it is used is for tiling to say, and known before a launch.
  runner.limits.memory_bytes += 4 * npu::LoadChip(options.chip).bytes[0];
  runner.may_fork = true;
  for (const std::string& file :
       {out_, sources_, hosts_->folder(), kernel.headers}) {
    runner.readable.push_back(file);
  }
  tiling_ = std::make_unique<CagedCalls>(broker, kOperatorService, runner,
                                         "the process of the host part");
  launcher_ = std::make_unique<CagedCalls>(broker, kOperatorService, runner,
                                           "the process of the kernel");
}

void OperatorCandidate::Clean(std::string& text) const {
  for (const std::string& folder :
       {sources_, host_ == nullptr ? out_ : host_->project.folder}) {
    for (size_t at = 0; (at = text.find(folder, at)) != std::string::npos;) {
      size_t end = at + folder.size();
      if (end < text.size() && text[end] == '/') ++end;
      text.erase(at, end - at);
    }
  }
}

void OperatorCandidate::Clean(Diagnostic& diagnostic) const {
  Clean(diagnostic.message);
  Clean(diagnostic.fix);
  Clean(diagnostic.location.file);
  for (DiagnosticNote& note : diagnostic.notes) {
    Clean(note.message);
    Clean(note.location.file);
  }
}

std::vector<Diagnostic> OperatorCandidate::DiagnosticsOf(
    const json& answer) const {
  auto diagnostics = answer.at("diagnostics").get<std::vector<Diagnostic>>();
  if (diagnostics.size() > kMostToldDiagnostics) {
    diagnostics.resize(kMostToldDiagnostics);
  }
  for (Diagnostic& diagnostic : diagnostics) Clean(diagnostic);
  return diagnostics;
}

json OperatorCandidate::Answered(CagedAnswer answer) {
  switch (answer.kind) {
    case CagedAnswer::Kind::kAnswered:
      return std::move(answer.message.value);
    case CagedAnswer::Kind::kInfrastructure:
      throw CallStopped{
          CallEnd::kInfrastructure, {}, std::move(answer.trouble)};
    case CagedAnswer::Kind::kFault:
      break;
  }
  throw CallStopped{CallEnd::kFault, {std::move(answer.diagnostic)}, {}};
}

json OperatorCandidate::Ask(json question, const std::vector<int>& descriptors,
                            double seconds) {
  return Answered(launcher_->Ask(std::move(question), descriptors,
                                 seconds + kGraceSeconds));
}

json OperatorCandidate::AskHost(json question) {
  const double seconds = options_.limits.tiling_seconds;
  question["cpu_seconds"] = seconds;
  question["wall_seconds"] = seconds * kWallFactor;
  question["memory_bytes"] = options_.limits.memory_bytes;
  json answer = Answered(tiling_->Ask(std::move(question), {},
                                      seconds * kWallFactor + kGraceSeconds));
  if (answer.at("killed").get<bool>()) {
    throw CallStopped{CallEnd::kInfrastructure,
                      {},
                      "the process that ran the host part was killed"};
  }
  return answer;
}

void OperatorCandidate::WriteSources() {
  if (written_) return;
  fs::create_directories(out_);
  WriteCandidate(candidate_, sources_);
  written_ = true;
}

std::vector<Diagnostic> OperatorCandidate::CompileModule(
    const toolchain::CompileOptions& options, bool is_ours) {
  const double wall = options_.limits.compile_seconds * kWallFactor;
  CagedAnswer answer =
      compiler_->Ask({{"options", ToJson(options)}}, {}, wall + kGraceSeconds);
  if (answer.kind == CagedAnswer::Kind::kInfrastructure) {
    throw CallStopped{CallEnd::kInfrastructure, {}, std::move(answer.trouble)};
  }
  if (answer.kind == CagedAnswer::Kind::kFault) {
    if (is_ours) {
      throw CallStopped{
          CallEnd::kInfrastructure, {}, std::move(answer.diagnostic.message)};
    }
    if (answer.diagnostic.code != code::kJ104) {
      throw CallStopped{CallEnd::kFault, {std::move(answer.diagnostic)}, {}};
    }
    throw CallStopped{
        CallEnd::kNotCompiled,
        {MakeError(code::kC106,
                   fmt::format("the compiler crashed on this program: "
                               "it {}",
                               answer.end.ToText()))},
        {}};
  }
  std::vector<Diagnostic> diagnostics = DiagnosticsOf(answer.message.value);
  if (!answer.message.value.at("ok").get<bool>()) {
    if (is_ours) {
      throw CallStopped{CallEnd::kInfrastructure, std::move(diagnostics),
                        "the host part of the question does not compile"};
    }
    throw CallStopped{CallEnd::kNotCompiled, std::move(diagnostics), {}};
  }
  return diagnostics;
}

OperatorSignature OperatorCandidate::Describe(const std::string& module) {
  const json answer = AskHost(
      {{"ask", "describe"}, {"module", module}, {"chip", options_.chip}});
  std::vector<Diagnostic> diagnostics = DiagnosticsOf(answer);
  if (IsErrorIn(diagnostics)) {
    throw CallStopped{CallEnd::kRefused, std::move(diagnostics), {}};
  }
  std::vector<OperatorSignature> operators;
  try {
    answer.at("operators").get_to(operators);
  } catch (const UserError& error) {
    throw CallStopped{
        CallEnd::kFault, {MakeError(code::kJ104, Unbracketed(error))}, {}};
  }
  std::string why;
  auto chosen = ChooseOperator(operators, task_, options_.only, &why);
  if (!chosen) {
    throw CallStopped{
        CallEnd::kRefused,
        {MakeError(code::kJ105,
                   fmt::format("the project has no operator with the "
                               "signature of {}: {}",
                               task_.id, why),
                   "take the definition from the question")},
        {}};
  }
  return *std::move(chosen);
}

void OperatorCandidate::PrepareOwnHost() {
  const std::lock_guard lock(hosts_->mutex());
  host_ = &hosts_->Find(task_, options_.only);
  host_module_ = host_->module;
  if (!host_->compiled) {
    toolchain::CompileOptions compile =
        guest::HostCompileOptions(host_->project);
    compile.output = (fs::path(out_) / "op_host.so").string();
    CompileModule(compile, true);
    fs::copy_file(compile.output, host_->module,
                  fs::copy_options::overwrite_existing);
    host_->compiled = true;
  }
  if (!host_->signature) host_->signature = Describe(host_->module);
  signature_ = host_->signature;

  project_.folder = sources_;
  for (const CandidateFile& file : candidate_.files) {
    if (!IsKernelFile(file.path)) continue;
    project_.kernel_sources.push_back(
        (fs::path(sources_) / file.path).string());
  }
  project_.include_dirs = host_->project.include_dirs;
  project_.include_dirs.insert(project_.include_dirs.begin(), sources_);
}

void OperatorCandidate::PrepareProject() {
  try {
    project_ = guest::FindOperatorProject(sources_);
  } catch (const UserError& error) {
    Diagnostic diagnostic = MakeError(code::kJ105, Unbracketed(error));
    Clean(diagnostic);
    throw CallStopped{CallEnd::kNotCompiled, {std::move(diagnostic)}, {}};
  }
  toolchain::CompileOptions compile = guest::HostCompileOptions(project_);
  compile.output = (fs::path(out_) / "op_host.so").string();
  CompileModule(compile, false);
  host_module_ = compile.output;
  signature_ = Describe(host_module_);
}

void OperatorCandidate::PrepareHost() {
  if (!kernel_source_.empty()) return;
  if (host_failure_) throw CallStopped(*host_failure_);
  try {
    PrepareHostOnce();
  } catch (const CallStopped& stopped) {
    if (stopped.end != CallEnd::kInfrastructure) host_failure_ = stopped;
    throw;
  }
}

void OperatorCandidate::PrepareHostOnce() {
  WriteSources();
  if (own_host_) {
    PrepareOwnHost();
  } else {
    PrepareProject();
  }
  kernel_source_ = guest::FindKernelSource(project_, signature_->kernel);
  if (kernel_source_.empty()) {
    Diagnostic diagnostic = guest::NoKernelSource(project_, signature_->kernel);
    Clean(diagnostic);
    throw CallStopped{CallEnd::kNotCompiled, {std::move(diagnostic)}, {}};
  }
  orig_types_ = guest::UsesOrigTypes(kernel_source_);
}

LaunchPlan OperatorCandidate::AskForPlan(const CaseCall& call) {
  const json answer = AskHost(
      {{"ask", "plan"}, {"module", host_module_}, {"call", call.bound.call}});
  std::vector<Diagnostic> diagnostics = DiagnosticsOf(answer);
  if (IsErrorIn(diagnostics) || !answer.contains("plan")) {
    const bool faulty = std::any_of(
        diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) {
          return d.code == code::kH104 || d.code == code::kH105 ||
                 d.code == code::kJ103;
        });
    throw CallStopped{faulty ? CallEnd::kFault : CallEnd::kRefused,
                      std::move(diagnostics),
                      {}};
  }
  LaunchPlan plan;
  try {
    answer.at("plan").get_to(plan);
    RequireSoundPlan(*signature_, call, plan);
  } catch (const UserError& error) {
    throw CallStopped{
        CallEnd::kRefused, {MakeError(code::kJ105, Unbracketed(error))}, {}};
  }
  return plan;
}

LaunchPlan OperatorCandidate::Plan(const CaseCall& call) {
  if (!own_host_) return AskForPlan(call);
  const std::string key = json(call.bound.call).dump();
  const std::lock_guard lock(hosts_->mutex());
  const auto found = host_->plans.find(key);
  if (found != host_->plans.end()) return found->second;
  return host_->plans.emplace(key, AskForPlan(call)).first->second;
}

std::string OperatorCandidate::KernelFor(const LaunchPlan& plan,
                                         std::vector<Diagnostic>& warnings) {
  const std::string prelude =
      guest::OperatorPrelude(*signature_, plan.column, plan, orig_types_);
  const auto found = modules_.find(prelude);
  if (found != modules_.end()) return found->second;
  const auto failed = kernel_failures_.find(prelude);
  if (failed != kernel_failures_.end()) throw CallStopped(failed->second);
  toolchain::CompileOptions compile =
      guest::KernelCompileOptions(project_, kernel_source_, prelude);
  compile.untrusted = true;
  compile.output =
      (fs::path(out_) / fmt::format("kernel{}.so", modules_.size())).string();
  try {
    for (Diagnostic& warning : CompileModule(compile, false)) {
      warnings.push_back(std::move(warning));
    }
  } catch (const CallStopped& stopped) {
    if (stopped.end != CallEnd::kInfrastructure) {
      kernel_failures_.emplace(prelude, stopped);
    }
    throw;
  }
  return modules_[prelude] = compile.output;
}

PlannedCall OperatorCandidate::Prepare(const bench::Case& one_case,
                                       const bench::Arguments& inputs,
                                       std::vector<Diagnostic>& warnings) {
  PrepareHost();
  PlannedCall planned;
  try {
    planned.call = CallOfCase(task_, one_case, inputs, *signature_);
  } catch (const UserError& error) {
    throw CallStopped{
        CallEnd::kRefused, {MakeError(code::kJ105, Unbracketed(error))}, {}};
  }
  planned.call.bound.call.chip = options_.chip;
  planned.plan = Plan(planned.call);
  planned.module = KernelFor(planned.plan, warnings);
  return planned;
}

}  // namespace belay::judge
