// SPDX-License-Identifier: Apache-2.0
// How fast compiled Crux kernels are on the simulated chip: large calls of the
// kernels in examples/crux in f16 and f32, the time the clock gives them, and
// the share of the hardware bound. The bound counts the kernel's own vector
// work; "memory" is the share of what moving the bytes alone would take.
//
// crux_kernels [NAME…]: those whose name contains one. --f16, --bf16, --f32:
// one dtype. --explain: the profile of each. --passes: what the passes made of
// it. Other calls: --rows, rows of many lengths; --huge, 2^31 elements, in all
// three dtypes.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "clock/bound.h"
#include "clock/replay.h"
#include "crux/check.h"
#include "crux/ir/refusal.h"
#include "crux/run/runner.h"
#include "crux_calls.h"
#include "profile/profile.h"
#include "profile/text.h"

namespace belay::benchmarks {
namespace {

using crux::run::Prepared;

struct Flags {
  std::vector<std::string> names;
  std::vector<DType> dtypes = {DType::kHalf, DType::kFloat};
  bool explain = false;
  bool passes = false;
  const std::vector<CruxCall>* calls = &CruxCalls();

  bool Wants(std::string_view name) const {
    return names.empty() ||
           std::any_of(names.begin(), names.end(), [&](const auto& part) {
             return name.find(part) != std::string_view::npos;
           });
  }
};

struct Program {
  std::string path;
  crux::Checked checked;
};

const Program& ProgramOf(std::string_view name) {
  static std::map<std::string, Program, std::less<>> programs;
  const auto found = programs.find(name);
  if (found != programs.end()) return found->second;
  Program program;
  program.path =
      fmt::format("{}/examples/crux/{}.crux", BELAY_SOURCE_DIR, name);
  program.checked = crux::CheckFile(program.path);
  if (!program.checked.ok()) {
    throw UserError(fmt::format("{} does not check", program.path));
  }
  return programs.emplace(name, std::move(program)).first->second;
}

const crux::typed::Kernel& KernelOf(const Program& program,
                                    std::string_view name) {
  for (const crux::typed::Kernel* kernel : program.checked.program->kernels) {
    if (kernel->name == name) return *kernel;
  }
  throw UserError(fmt::format("{} has no kernel {}", program.path, name));
}

std::string PiecesOf(const Prepared& prepared) {
  std::string text;
  for (const auto& parameter : prepared.variant.tiles->parameters) {
    text += fmt::format(" {}={}", parameter.name,
                        prepared.plan.host.integers.at(parameter.name));
  }
  return text;
}

// The pipe of vector cores that is busy longest, with its share of the time.
std::string BusiestPipe(const clock::LaunchTime& time) {
  static constexpr std::pair<abi::Pipe, const char*> kPipes[] = {
      {abi::Pipe::kS, "S"},
      {abi::Pipe::kV, "V"},
      {abi::Pipe::kMte2, "MTE2"},
      {abi::Pipe::kMte3, "MTE3"}};
  double most = -1;
  const char* name = "";
  for (const auto& [pipe, text] : kPipes) {
    const auto busy =
        static_cast<double>(profile::SumOf(time, pipe, false).busy);
    if (busy <= most) continue;
    most = busy;
    name = text;
  }
  const double cores = std::max(1, profile::CoresOf(time, false));
  return fmt::format("{} {:.0f} %", name,
                     100 * most / cores / static_cast<double>(time.total));
}

// Prints one line of the table; whether it meets the call's goals.
bool Measure(crux::run::Runner& runner, const CruxCall& call, DType dtype,
             const Flags& flags) {
  const Program& program = ProgramOf(call.kernel);
  const crux::typed::Kernel& kernel = KernelOf(program, call.kernel);
  const std::string spelt = SpeltFor(call, dtype);
  const crux::interpret::Arguments arguments = ArgumentsOf(kernel, spelt);
  fmt::print("{:<20}{:<5}", call.kernel, NameOf(dtype));
  std::fflush(stdout);
  crux::run::RunResult result;
  std::string pieces;
  try {
    crux::interpret::HostCall host(kernel, arguments, program.path);
    const Prepared prepared = crux::run::Prepare(
        host, runner.chip(),
        flags.passes ? [](std::string_view pass,
                          const std::string&
                              text) { fmt::print("\n=== {}\n{}", pass, text); }
                     : crux::PassDump());
    pieces = PiecesOf(prepared);
    result = runner.Launch(prepared, host, arguments, program.path);
  } catch (const crux::ir::Refusal& refusal) {
    fmt::print(" refused: {}\n", refusal.diagnostic().message);
    return false;
  }
  if (!result.launch) {
    fmt::print(" failed: {}\n", result.diagnostics.empty()
                                    ? "no launch"
                                    : result.diagnostics[0].message);
    return false;
  }
  static const clock::ClockSpec spec =
      clock::LoadClockSpec(result.launch->chip);
  const clock::LaunchTime time = clock::Replay(*result.launch, spec);
  const clock::Bound bound =
      clock::HardwareBound(*result.launch, spec, clock::L2State::kCold);
  uint64_t moved = 0;
  for (const clock::CoreTime& core : time.core_times) {
    moved += core.bytes_read + core.bytes_written;
  }
  const double taken = clock::ToMicroseconds(time.total, spec.clock_mhz());
  const double share = 100 * bound.total / taken;
  const double memory =
      100 *
      (bound.launch +
       std::max({bound.hbm_read, bound.hbm_mixed, bound.l2_write})) /
      taken;
  const double needed =
      static_cast<double>(bound.compulsory_read + bound.written);
  const double ratio = static_cast<double>(moved) / needed;
  const bool met = (call.short_rows ? memory : share) >= call.goal &&
                   (call.moved == 0 || ratio <= call.moved);
  fmt::print("{:>8.0f}{:>10.1f}{:>10.1f}{:>8.1f}{:>8.1f}{:>8.2f}  {:<10}{}{}\n",
             needed * 1e-6, taken, bound.total, share, memory, ratio,
             BusiestPipe(time), met ? "  " : "! ", spelt);
  if (flags.explain) {
    profile::ProfileOptions options;
    fmt::print(
        "pieces:{}\n{}\n", pieces,
        profile::ToText(profile::ProfileLaunch(*result.launch, spec, options)));
  }
  return met;
}

int Main(int argc, char** argv) {
  Flags flags;
  bool one_dtype = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--explain") {
      flags.explain = true;
    } else if (word == "--passes") {
      flags.passes = true;
    } else if (word == "--rows") {
      flags.calls = &CallsOfRows();
    } else if (word == "--huge") {
      flags.calls = &HugeCalls();
    } else if (word == "--f16" || word == "--bf16" || word == "--f32") {
      flags.dtypes = {*ParseDType(word.substr(2))};
      one_dtype = true;
    } else {
      flags.names.push_back(word);
    }
  }
  if (!one_dtype && flags.calls == &HugeCalls()) {
    flags.dtypes.push_back(DType::kBfloat16);
  }
  runtime::DeviceOptions options;
  options.timing_only = npu::Pretence::kOne;
  options.record = true;
  crux::run::Runner runner(options);
  fmt::print("{:<20}{:<5}{:>8}{:>10}{:>10}{:>8}{:>8}{:>8}  {}\n", "kernel", "",
             "MB", "µs", "bound", "share", "memory", "moved", "busiest");
  int met = 0;
  int all = 0;
  for (const CruxCall& call : *flags.calls) {
    if (!flags.Wants(call.kernel)) continue;
    for (const DType dtype : flags.dtypes) {
      ++all;
      met += Measure(runner, call, dtype, flags) ? 1 : 0;
    }
  }
  if (flags.calls == &CruxCalls()) {
    fmt::print("{} of {} meet their goal\n", met, all);
  }
  return 0;
}

}  // namespace
}  // namespace belay::benchmarks

int main(int argc, char** argv) {
  try {
    return belay::benchmarks::Main(argc, argv);
  } catch (const belay::UserError& error) {
    fmt::print(stderr, "crux_kernels: {}\n", error.what());
    return 2;
  }
}
