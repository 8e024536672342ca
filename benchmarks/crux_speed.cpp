// SPDX-License-Identifier: Apache-2.0
// How long the front end of Crux takes for a kernel: text to typed tree. The
// aim is at most 2 ms for a typical one.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "crux/check.h"
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

}  // namespace
}  // namespace belay::benchmarks

int main(int argc, char** argv) {
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
  return 0;
}
