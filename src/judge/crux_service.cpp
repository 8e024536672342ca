// SPDX-License-Identifier: Apache-2.0
#include "judge/crux_service.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <new>
#include <set>
#include <utility>

#include "base/catalogue.h"
#include "base/error.h"
#include "clock/log_file.h"
#include "crux/check.h"
#include "crux/ir/refusal.h"
#include "crux/run/runner.h"
#include "guest/broker.h"
#include "judge/crux_call.h"
#include "judge/crux_fit.h"
#include "judge/tensor_message.h"
#include "npu/repeated_pages.h"

namespace belay::judge {
namespace {

using crux::interpret::CallRefused;
using crux::interpret::HostCall;
using crux::typed::Parameter;
using crux::typed::ParameterRole;
using Json = nlohmann::json;

constexpr size_t kMostDiagnostics = 100;

// A program and what was compiled of it.
struct Loaded {
  std::string file;
  crux::Checked checked;
  const crux::typed::Kernel* kernel = nullptr;
  crux::run::VariantCache variants;
};

struct CruxAnswer {
  CallEnd end = CallEnd::kFinished;
  std::vector<Diagnostic> diagnostics;
  Json more = Json::object();
  std::vector<std::byte> bytes;
};

// What a device is made for.
struct Mode {
  std::string chip;
  bool check = false;
  bool record = false;
  std::optional<npu::Pretence> timing;
  std::set<int> only_blocks;

  bool operator==(const Mode&) const = default;
};

Diagnostic OutOfMemory(const std::string& what) {
  Diagnostic diagnostic;
  diagnostic.code = code::kJ102;
  diagnostic.message = "[crux] " + what;
  diagnostic.fix = "use less scratch memory";
  return diagnostic;
}

Diagnostic In(Diagnostic diagnostic, const std::string& file) {
  if (diagnostic.location.file.empty()) diagnostic.location.file = file;
  return diagnostic;
}

// Global memory a call takes.
uint64_t BytesOfCall(const Loaded& loaded, HostCall& call,
                     const crux::run::CallPlan& plan) {
  double bytes = static_cast<double>(plan.workspace_bytes);
  for (const Parameter* parameter : loaded.kernel->parameters) {
    if (parameter->role == ParameterRole::kAttribute ||
        parameter->role == ParameterRole::kValue || !call.IsGiven(*parameter)) {
      continue;
    }
    for (size_t i = 0; i < call.Count(*parameter); ++i) {
      double elements = BitsOf(call.DtypeOf(*parameter)) / 8.0;
      for (const int64_t size : call.ShapeOf(*parameter, i)) {
        elements *= static_cast<double>(size);
      }
      bytes += elements;
    }
  }
  return bytes < 1e18 ? static_cast<uint64_t>(bytes) : UINT64_MAX;
}

class CruxServer {
 public:
  CruxAnswer Serve(const guest::Message& request) {
    CruxAnswer answer;
    try {
      answer = Dispatch(request);
    } catch (const CallRefused& refused) {
      answer.end = CallEnd::kRefused;
      answer.diagnostics = {refused.diagnostic()};
    } catch (const crux::ir::Refusal& refusal) {
      answer.end = refusal.diagnostic().code == code::kX302
                       ? CallEnd::kRefused
                       : CallEnd::kNotCompiled;
      answer.diagnostics = {In(refusal.diagnostic(), file_)};
    } catch (const std::bad_alloc&) {
      answer.end = CallEnd::kFault;
      answer.diagnostics = {
          OutOfMemory("the call needs more memory than the "
                      "limit allows")};
    } catch (const std::exception& error) {
      answer.end = CallEnd::kInfrastructure;
      answer.more["text"] = error.what();
    }
    return answer;
  }

 private:
  CruxAnswer Dispatch(const guest::Message& request) {
    const auto what = MemberOf<std::string>(request.value, "do");
    if (what == "load") return Load(request.value);
    const int number = MemberOf<int>(request.value, "program");
    const auto found = programs_.find(number);
    if (found == programs_.end()) throw MessageError("no such program");
    Loaded& loaded = found->second;
    file_ = loaded.file;
    if (what == "drop") {
      programs_.erase(found);
      return {};
    }
    if (what == "compile") return Compile(loaded, request.value);
    if (what == "run") return Run(loaded, request);
    if (what == "time") return Time(loaded, request);
    if (what == "part") return RunPart(loaded, request);
    throw MessageError("unknown request");
  }

  CruxAnswer Load(const Json& request) {
    CruxAnswer answer;
    setenv("BELAY_HOME", MemberOf<std::string>(request, "home").c_str(), 1);
    Loaded loaded;
    loaded.file = MemberOf<std::string>(request, "file");
    loaded.checked =
        crux::Check(loaded.file, MemberOf<std::string>(request, "text"));
    answer.diagnostics = loaded.checked.diagnostics;
    const auto wanted = MemberOf<std::string>(request, "kernel");
    if (loaded.checked.ok()) {
      loaded.kernel = Choose(*loaded.checked.program, wanted);
      if (loaded.kernel == nullptr) {
        answer.diagnostics.push_back(NoKernel(loaded, wanted));
      }
    }
    if (loaded.kernel == nullptr) {
      answer.end = CallEnd::kNotCompiled;
      return answer;
    }
    answer.more["program"] = next_;
    programs_.emplace(next_++, std::move(loaded));
    return answer;
  }

  static const crux::typed::Kernel* Choose(const crux::typed::Program& program,
                                           const std::string& name) {
    if (!name.empty()) return program.FindKernel(name);
    return program.kernels.size() == 1 ? program.kernels.front() : nullptr;
  }

  static Diagnostic NoKernel(const Loaded& loaded, const std::string& name) {
    std::string known;
    for (const crux::typed::Kernel* kernel : loaded.checked.program->kernels) {
      known += (known.empty() ? "" : ", ") + kernel->name;
    }
    Diagnostic diagnostic;
    diagnostic.code = code::kJ105;
    diagnostic.message =
        name.empty()
            ? fmt::format("[crux] the program must have one kernel, it has: {}",
                          known.empty() ? "none" : known)
            : fmt::format("[crux] the program has no kernel `{}`, it has: {}",
                          name, known.empty() ? "none" : known);
    diagnostic.fix = "name the kernel: FILE.crux:KERNEL";
    diagnostic.location.file = loaded.file;
    diagnostic.location.line = 1;
    return diagnostic;
  }

  CruxAnswer Compile(Loaded& loaded, const Json& request) {
    const npu::ChipSpec& chip = ChipOf(MemberOf<std::string>(request, "chip"));
    for (const Json& one : MemberOf<std::vector<Json>>(request, "calls")) {
      CruxCall call = UnpackCall(one, {});
      try {
        const CruxFit fit = FitCall(*loaded.kernel, call, loaded.file);
        if (!KnowsHostValues(loaded, fit)) continue;
        HostCall host(*loaded.kernel, fit.arguments, loaded.file);
        loaded.variants.Prepare(host, chip);
      } catch (const CallRefused&) {
        // Said when the case is run.
      } catch (const crux::ir::Refusal& refusal) {
        if (refusal.diagnostic().code != code::kX302) throw;
      }
    }
    return {};
  }

  // Whether values that the host reads are there.
  static bool KnowsHostValues(const Loaded& loaded, const CruxFit& fit) {
    for (const Parameter* parameter : loaded.kernel->parameters) {
      if (parameter->role != ParameterRole::kValue) continue;
      const auto found = fit.arguments.tensors.find(parameter->name);
      if (found == fit.arguments.tensors.end()) continue;
      for (const Array& array : found->second.arrays) {
        if (array.data.empty() && ElementCount(array.shape) != 0) return false;
      }
    }
    return true;
  }

  CruxAnswer Run(Loaded& loaded, const guest::Message& request) {
    CruxAnswer answer;
    const Json& value = request.value;
    CruxCall call = UnpackCall(MemberOf<Json>(value, "call"), request.bytes);
    const CruxFit fit = FitCall(*loaded.kernel, call, loaded.file);
    Mode mode;
    mode.chip = MemberOf<std::string>(value, "chip");
    mode.check = MemberOf<bool>(value, "check");
    HostCall host(*loaded.kernel, fit.arguments, loaded.file);
    const crux::run::Prepared prepared =
        loaded.variants.Prepare(host, ChipOf(mode.chip));
    if (!FitsMemory(loaded, host, prepared, value, answer)) return answer;
    crux::run::RunResult result =
        RunnerFor(mode).Launch(prepared, host, fit.arguments, loaded.file);
    answer.diagnostics = std::move(result.diagnostics);
    answer.more["blocks"] = prepared.plan.blocks;
    if (!result.finished) {
      answer.end = CallEnd::kFault;
      return answer;
    }
    answer.more["outputs"] = PackTensors(
        OutputsOf(call, fit, std::move(result.outputs)), answer.bytes);
    return answer;
  }

  // Says so in the answer when it does not.
  static bool FitsMemory(const Loaded& loaded, HostCall& host,
                         const crux::run::Prepared& prepared,
                         const Json& request, CruxAnswer& answer) {
    const auto most = MemberOf<uint64_t>(request, "most_bytes");
    if (BytesOfCall(loaded, host, prepared.plan) <= most) return true;
    answer.end = CallEnd::kFault;
    answer.diagnostics = {OutOfMemory(fmt::format(
        "the tensors and the {} bytes of workspace of this call are more than "
        "the {} bytes it may use",
        prepared.plan.workspace_bytes, most))};
    return false;
  }

  // Whether there are inputs, and all of them came with their elements.
  static bool HasAllValues(const CruxFit& fit) {
    bool any = false;
    for (const auto& [name, argument] : fit.arguments.tensors) {
      for (const Array& array : argument.arrays) {
        if (ElementCount(array.shape) == 0) continue;
        if (array.data.empty()) return false;
        any = true;
      }
    }
    return any;
  }

  // In the order of the signature.
  static bench::Arguments OutputsOf(
      const CruxCall& call, const CruxFit& fit,
      std::vector<crux::interpret::OutputTensor> results) {
    bench::Arguments outputs;
    for (size_t i = 0; i < call.outputs.size(); ++i) {
      bench::Argument output;
      output.name = call.outputs[i].name;
      output.list = call.outputs[i].list;
      output.present = fit.outputs[i] != nullptr;
      for (crux::interpret::OutputTensor& result : results) {
        if (output.present && result.parameter == fit.outputs[i]->name) {
          output.tensors.push_back(std::move(result.array));
        }
      }
      outputs.push_back(std::move(output));
    }
    return outputs;
  }

  CruxAnswer Time(Loaded& loaded, const guest::Message& request) {
    CruxAnswer answer;
    const Json& value = request.value;
    CruxCall call = UnpackCall(MemberOf<Json>(value, "call"), request.bytes);
    const CruxFit fit = FitCall(*loaded.kernel, call, loaded.file);
    const auto chip = MemberOf<std::string>(value, "chip");
    HostCall host(*loaded.kernel, fit.arguments, loaded.file);
    const crux::run::Prepared prepared =
        loaded.variants.Prepare(host, ChipOf(chip));
    const bool for_real = HasAllValues(fit);
    if (for_real && !FitsMemory(loaded, host, prepared, value, answer)) {
      return answer;
    }
    Mode mode;
    mode.chip = chip;
    mode.record = true;
    if (!for_real) mode.timing = npu::kPretences[0];
    crux::run::RunResult result =
        RunnerFor(mode).Launch(prepared, host, fit.arguments, loaded.file);
    answer.diagnostics = std::move(result.diagnostics);
    answer.more["blocks"] = prepared.plan.blocks;
    if (!result.finished || !result.launch) {
      answer.end = CallEnd::kFault;
      return answer;
    }
    std::vector<clock::LaunchLog> launches;
    launches.push_back(std::move(*result.launch));
    const std::string log = clock::LogFile::Format(launches);
    answer.bytes.resize(log.size());
    std::memcpy(answer.bytes.data(), log.data(), log.size());
    return answer;
  }

  CruxAnswer RunPart(Loaded& loaded, const guest::Message& request) {
    CruxAnswer answer;
    const Json& value = request.value;
    const auto call_bytes = MemberOf<size_t>(value, "call_bytes");
    if (call_bytes > request.bytes.size()) throw MessageError("too few bytes");
    const auto patterns_at =
        request.bytes.begin() + static_cast<std::ptrdiff_t>(call_bytes);
    CruxCall call = UnpackCall(MemberOf<Json>(value, "call"),
                               {request.bytes.begin(), patterns_at});
    const CruxFit fit = FitCall(*loaded.kernel, call, loaded.file);
    Mode mode;
    mode.chip = MemberOf<std::string>(value, "chip");
    mode.only_blocks = MemberOf<std::set<int>>(value, "blocks");
    HostCall host(*loaded.kernel, fit.arguments, loaded.file);
    const crux::run::Prepared prepared =
        loaded.variants.Prepare(host, ChipOf(mode.chip));
    crux::run::PartOfLaunch part;
    std::vector<npu::SharedPattern> shared;
    size_t at = call_bytes;
    for (const Json& one : MemberOf<std::vector<Json>>(value, "patterns")) {
      const auto bytes = MemberOf<size_t>(one, "bytes");
      const auto input = MemberOf<size_t>(one, "input");
      if (bytes > request.bytes.size() - at || input >= call.inputs.size()) {
        throw MessageError("a pattern for no input");
      }
      shared.emplace_back(request.bytes.data() + at, bytes);
      part.patterns.push_back({call.inputs[input].name,
                               MemberOf<size_t>(one, "tensor"),
                               shared.back().data(), bytes});
      at += bytes;
    }
    for (const Json& one : MemberOf<std::vector<Json>>(value, "windows")) {
      const auto output = MemberOf<size_t>(one, "output");
      if (output >= fit.outputs.size() || fit.outputs[output] == nullptr) {
        throw MessageError("a window of no output");
      }
      part.windows.push_back(
          {fit.outputs[output]->name, MemberOf<size_t>(one, "tensor"),
           MemberOf<uint64_t>(one, "begin"), MemberOf<uint64_t>(one, "end")});
    }
    crux::run::RunResult result = RunnerFor(mode).LaunchPart(
        prepared, host, fit.arguments, loaded.file, part);
    answer.diagnostics = std::move(result.diagnostics);
    if (!result.finished) answer.end = CallEnd::kFault;
    answer.bytes = std::move(result.windows);
    return answer;
  }

  const npu::ChipSpec& ChipOf(const std::string& name) {
    const auto [found, fresh] = chips_.try_emplace(name);
    if (fresh) found->second = npu::LoadChip(name);
    return found->second;
  }

  crux::run::Runner& RunnerFor(const Mode& mode) {
    if (runner_ && mode_ == mode) return *runner_;
    runner_.reset();
    runtime::DeviceOptions options;
    options.chip = mode.chip;
    options.timing_only = mode.timing;
    options.record = mode.record;
    options.only_blocks = mode.only_blocks;
    if (mode.check) options.check.emplace();
    mode_ = mode;
    runner_ = std::make_unique<crux::run::Runner>(std::move(options));
    return *runner_;
  }

  std::map<int, Loaded> programs_;
  int next_ = 1;
  std::string file_;  // of the program at work
  std::map<std::string, npu::ChipSpec> chips_;
  Mode mode_;
  std::unique_ptr<crux::run::Runner> runner_;
};

double ProcessorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

std::string_view EndName(CallEnd end) {
  switch (end) {
    case CallEnd::kFinished:
      return "finished";
    case CallEnd::kNotCompiled:
      return "not-compiled";
    case CallEnd::kRefused:
      return "refused";
    case CallEnd::kFault:
      return "fault";
    case CallEnd::kInfrastructure:
      return "bug";
  }
  return "bug";
}

int ServeCrux(guest::Channel& channel) {
  CruxServer server;
  guest::Message request;
  while (channel.Receive(request) == guest::Channel::Status::kMessage) {
    CruxAnswer answer = server.Serve(request);
    if (answer.diagnostics.size() > kMostDiagnostics) {
      answer.diagnostics.resize(kMostDiagnostics);
    }
    answer.more["end"] = EndName(answer.end);
    answer.more["diagnostics"] = std::move(answer.diagnostics);
    answer.more["seconds"] = ProcessorSeconds();
    if (!channel.Send(answer.more, answer.bytes)) break;
  }
  return 0;
}

void RegisterCruxServices() { guest::RegisterService(kCruxService, ServeCrux); }

}  // namespace belay::judge
