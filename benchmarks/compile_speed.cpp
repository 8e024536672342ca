// SPDX-License-Identifier: Apache-2.0
// What compiling costs: a typical program against its front end alone, with
// the same precompiled header; and our headers under g++ against two headers
// of the standard library.

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "guest/program.h"
#include "ratios.h"

namespace belay::benchmarks {
namespace {

namespace fs = std::filesystem;

toolchain::CompileOptions TypicalProgram() {
  toolchain::CompileOptions options = guest::DefaultCompileOptions();
  options.precompiled_header = BELAY_KERNEL_PCH;
  options.sources = {BELAY_SOURCE_DIR "/examples/softmax/softmax.asc"};
  options.output =
      (fs::temp_directory_path() / "belay_compile_speed.so").string();
  // What the object calls is not in this process.
  options.is_provided = [](const std::string&) { return true; };
  return options;
}

void RequireGood(const toolchain::CompileResult& result) {
  if (!result.ok || !result.used_precompiled_header) {
    throw InternalError("the typical program does not compile as it should");
  }
}

void FrontEnd(benchmark::State& state) {
  const auto options = TypicalProgram();
  for (auto _ : state) RequireGood(toolchain::CheckSyntax(options));
}
BENCHMARK(FrontEnd)->Unit(benchmark::kMillisecond)->UseRealTime();

void WholeCompile(benchmark::State& state) {
  const auto options = TypicalProgram();
  for (auto _ : state) RequireGood(toolchain::Compile(options));
  fs::remove(options.output);
}
BENCHMARK(WholeCompile)->Unit(benchmark::kMillisecond)->UseRealTime();

void Include(benchmark::State& state, const char* text) {
  const fs::path file = fs::temp_directory_path() / "belay_include.cpp";
  std::ofstream(file) << text;
  const std::string command =
      "g++ -std=c++17 -fsyntax-only "
      "-I" BELAY_SOURCE_DIR "/include " +
      file.string();
  for (auto _ : state) {
    if (std::system(command.c_str()) != 0) state.SkipWithError("g++ failed");
  }
  fs::remove(file);
}
BENCHMARK_CAPTURE(Include, standard, "#include <vector>\n#include <cmath>\n")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(Include, kernel_operator, "#include \"kernel_operator.h\"\n")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace belay::benchmarks

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  belay::benchmarks::Times times;
  benchmark::RunSpecifiedBenchmarks(&times);
  times.PrintRatio("compile / front end alone", "WholeCompile/real_time",
                   "FrontEnd/real_time");
  times.PrintRatio("kernel_operator.h / <vector> and <cmath>, g++",
                   "Include/kernel_operator/real_time",
                   "Include/standard/real_time");
}
