// SPDX-License-Identifier: Apache-2.0
// What `belay run DIR` costs from the call to the result, for a small operator:
// with nothing cached, against the time its two compilations take; and with a
// warm cache.

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/npy.h"
#include "ratios.h"

namespace belay::benchmarks {
namespace {

namespace fs = std::filesystem;

// A folder with the operator's input and a cache of its own.
class Call {
 public:
  Call() : folder_(fs::temp_directory_path() / "belay_operator_speed") {
    fs::create_directories(folder_);
    Array x;
    x.dtype = DType::kHalf;
    x.shape = {256};
    x.data.resize(512);
    WriteNpy(folder_ / "x.npy", x);
  }
  ~Call() { fs::remove_all(folder_); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  void Run(bool cached) const {
    const std::string cache =
        cached ? "BELAY_CACHE_DIR=" + (folder_ / "cache").string()
               : "BELAY_CACHE=off";
    const std::string command =
        cache +
        " " BELAY_PROGRAM " run --json " BELAY_SOURCE_DIR
        "/tests/operators/flat --in x=" +
        (folder_ / "x.npy").string() + " >" + (folder_ / "out").string();
    if (std::system(command.c_str()) != 0) {
      throw InternalError("the operator does not run as it should");
    }
  }

  // What the compilations of the last run took, in seconds.
  double CompileSeconds() const {
    std::ifstream in(folder_ / "out");
    const auto json = nlohmann::json::parse(in);
    double milliseconds = 0;
    for (const auto& part : json.at("compile_milliseconds")) {
      for (const auto& phase : part) milliseconds += phase.get<double>();
    }
    return milliseconds / 1000;
  }

 private:
  fs::path folder_;
};

// Both of the same runs, so that a busy machine slows both down.
double run_seconds = 0;
double compile_seconds = 0;

void Cold(benchmark::State& state) {
  const Call call;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    call.Run(false);
    run_seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    compile_seconds += call.CompileSeconds();
  }
}
BENCHMARK(Cold)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(10);

void Warm(benchmark::State& state) {
  const Call call;
  call.Run(true);
  for (auto _ : state) call.Run(true);
}
BENCHMARK(Warm)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace belay::benchmarks

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  belay::benchmarks::Times times;
  benchmark::RunSpecifiedBenchmarks(&times);
  fmt::print(
      "run DIR, cold / its compilations alone: {:.2f}\n",
      belay::benchmarks::run_seconds / belay::benchmarks::compile_seconds);
  times.PrintRatio("run DIR, warm / cold", "Warm/real_time",
                   "Cold/iterations:10/real_time");
}
