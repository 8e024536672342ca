// SPDX-License-Identifier: Apache-2.0
// How long Crux takes for a kernel: text to typed tree (the aim is at most 2 ms
// for a typical one), text to an AscendC project (20 ms), and from a typed tree
// to a call that is ready to be launched directly (5 ms).

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/small_blocks.h"
#include "crux/check.h"
#include "crux/ir/refusal.h"
#include "crux/print/compiled.h"
#include "crux/run/runner.h"
#include "crux_calls.h"
#include "npu/chip_spec.h"
#include "ratios.h"

namespace belay::benchmarks {
namespace {

std::string Example(const std::string& name) {
  std::ifstream file(
      fmt::format("{}/examples/crux/{}.crux", BELAY_SOURCE_DIR, name));
  if (!file) throw std::runtime_error("no example " + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void Check(benchmark::State& state, const std::string& name) {
  const std::string text = Example(name);
  for (auto _ : state) {
    crux::Checked checked = crux::Check(name, text);
    if (!checked.ok()) {
      state.SkipWithError("the example does not check");
      return;
    }
    benchmark::DoNotOptimize(checked.program.get());
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(text.size()));
}

// The same file with a syntax error behind it: what a model waits for.
void CheckBroken(benchmark::State& state, const std::string& name) {
  const std::string text = Example(name) + "\n    max(x, y\n";
  for (auto _ : state) {
    crux::Checked checked = crux::Check(name, text);
    if (checked.ok()) {
      state.SkipWithError("the program is not broken");
      return;
    }
    benchmark::DoNotOptimize(checked.diagnostics.data());
  }
}

// Every variant of all dtypes, or of the first ones only, printed as an
// operator project.
void Emit(benchmark::State& state, const std::string& name, bool all_dtypes) {
  const std::string text = Example(name);
  try {
    for (auto _ : state) {
      const crux::Checked checked = crux::Check(name, text);
      crux::print::Compiled compiled;
      compiled.kernel = checked.program->kernels[0];
      auto instances = crux::typed::InstancesOf(*compiled.kernel);
      if (!all_dtypes) instances.resize(1);
      compiled.variants = crux::CompileForPrint(*compiled.kernel, instances);
      benchmark::DoNotOptimize(
          crux::print::PrintProject(std::move(compiled)).size());
    }
  } catch (const crux::ir::Refusal& refusal) {
    state.SkipWithError(refusal.diagnostic().message.c_str());
  }
}

// The one variant that a call needs, compiled, planned and loaded.
void Start(benchmark::State& state, const std::string& name,
           const std::string& arguments) {
  const crux::Checked checked = crux::Check(name, Example(name));
  const crux::typed::Kernel& kernel = *checked.program->kernels[0];
  const crux::interpret::Arguments given = ArgumentsOf(kernel, arguments);
  const npu::ChipSpec chip = npu::LoadChip(npu::kDefaultChip);
  for (auto _ : state) {
    crux::interpret::HostCall call(kernel, given, name);
    benchmark::DoNotOptimize(crux::run::Prepare(call, chip).plan.blocks);
  }
}

BENCHMARK_CAPTURE(Start, swish, "swish", "x=f16[1024,4096]")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Start, softmax, "softmax", "x=f16[1024,4096]")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Start, layer_norm, "layer_norm",
                  "x=f16[1024,4096] gamma=f16[4096] beta=f16[4096]")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Start, cross_entropy, "cross_entropy",
                  "x=f16[1024,4096] target=i32[1024]")
    ->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(Check, swish, "swish")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Check, softmax, "softmax")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Check, add_layer_norm, "add_layer_norm")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Check, flash_attention, "flash_attention")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Check, cross_entropy, "cross_entropy")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(CheckBroken, flash_attention, "flash_attention")
    ->Unit(benchmark::kMillisecond);

// Emit of every example, and EmitOneDtype.
void RegisterEmits() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::string(BELAY_SOURCE_DIR) + "/examples/crux")) {
    if (entry.path().extension() == ".crux") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    for (const bool all : {true, false}) {
      const std::string title = (all ? "Emit/" : "EmitOneDtype/") + name;
      benchmark::RegisterBenchmark(title.c_str(), Emit, name, all)
          ->Unit(benchmark::kMillisecond)
          ->MinTime(0.1);
    }
  }
}

}  // namespace
}  // namespace belay::benchmarks

int main(int argc, char** argv) {
  belay::UseSmallBlocks();  // as `belay crux emit` does
  belay::benchmarks::RegisterEmits();
  benchmark::Initialize(&argc, argv);
  belay::benchmarks::Times times;
  benchmark::RunSpecifiedBenchmarks(&times);
  times.PrintRatio("softmax / swish", "Check/softmax", "Check/swish");
  times.PrintRatio("add_layer_norm / swish", "Check/add_layer_norm",
                   "Check/swish");
  times.PrintRatio("flash_attention / swish", "Check/flash_attention",
                   "Check/swish");
  times.PrintRatio("broken / right (flash_attention)",
                   "CheckBroken/flash_attention", "Check/flash_attention");
  times.PrintSlowest("Emit/", 5);
  return 0;
}
