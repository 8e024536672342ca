// SPDX-License-Identifier: Apache-2.0
// How many candidates `belay bench` judges in a second on two cores: level-1
// elementwise tasks, all edge cases under both seeds and all checkers, in
// AscendC and in Crux. No two candidates have the same text. Beside it, what
// compiling them takes.
// Usage: judge_speed [ASCENDC-CANDIDATES [CRUX-CANDIDATES]]

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "bench/export_project.h"
#include "bench/suite.h"
#include "runs/run_folder.h"

namespace belay::benchmarks {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kCores = 2;
// Larger cases say how fast the chip is simulated, not how fast the judge is.
constexpr int kMostElements = 1 << 13;

// A task y = f(x) in f16, bf16 and f32, and what computes it in each language.
struct Elementwise {
  const char* task;
  const char* ascendc;  // `middle` in f32, `count` elements, in place
  const char* crux;     // of `v`, in f32
};

constexpr Elementwise kElementwise[] = {
    {"level1/Math/Sqrt", "Sqrt(middle, middle, count);", "sqrt(v)"},
    {"level1/Math/Rsqrt",
     "Sqrt(middle, middle, count); Duplicate(ones, 1.0f, count); "
     "Div(middle, ones, middle, count);",
     "1.0 / sqrt(v)"},
};

// One tile at a time, by all blocks, with tails; computed in f32.
constexpr char kKernelBody[] = R"(
  const uint32_t all = tiling_data.x_elements;
  const uint32_t tile = 2048 + 64 * ({number} % 16);  // candidate {number}
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> in;
  TQue<QuePosition::VECOUT, 2> out;
  TBuf<QuePosition::VECCALC> wide;
  TBuf<QuePosition::VECCALC> more;
  pipe.InitBuffer(in, 2, tile * sizeof(DTYPE_X));
  pipe.InitBuffer(out, 2, tile * sizeof(DTYPE_X));
  pipe.InitBuffer(wide, tile * sizeof(float));
  pipe.InitBuffer(more, tile * sizeof(float));
  GlobalTensor<DTYPE_X> from;
  GlobalTensor<DTYPE_X> to;
  from.SetGlobalBuffer((__gm__ DTYPE_X*)x);
  to.SetGlobalBuffer((__gm__ DTYPE_X*)y);
  LocalTensor<float> middle = wide.Get<float>();
  LocalTensor<float> ones = more.Get<float>();
  DataCopyPadExtParams<DTYPE_X> padding;
  padding.isPad = false;
  for (uint32_t at = GetBlockIdx() * tile; at < all;
       at += GetBlockNum() * tile) {
    const uint32_t count = all - at < tile ? all - at : tile;
    const uint32_t bytes = count * sizeof(DTYPE_X);
    LocalTensor<DTYPE_X> a = in.AllocTensor<DTYPE_X>();
    DataCopyPad(a, from[at], {1, bytes, 0, 0, 0}, padding);
    in.EnQue(a);
    a = in.DeQue<DTYPE_X>();
    LocalTensor<DTYPE_X> b = out.AllocTensor<DTYPE_X>();
    if constexpr (sizeof(DTYPE_X) == 4) {
      Muls(middle, a.ReinterpretCast<float>(), 1.0f, count);
    } else {
      Cast(middle, a, RoundMode::CAST_NONE, count);
    }
    {call}
    if constexpr (sizeof(DTYPE_X) == 4) {
      Muls(b.ReinterpretCast<float>(), middle, 1.0f, count);
    } else {
      Cast(b, middle, RoundMode::CAST_RINT, count);
    }
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<DTYPE_X>();
    DataCopyPad(to[at], b, {1, bytes, 0, 0, 0});
    out.FreeTensor(b);
  }
)";

constexpr char kCruxProgram[] = R"(# Candidate {number}.

T = dtype(f16, bf16, f32)


@kernel
def candidate_{number}(x: T[*S], y: out(T[*S])):
    for c in cores(x.size, tile=auto):
        v = load(x.flat[c]).to(f32)
        store(y.flat[c], ({call}).to(T))
)";

std::string Filled(std::string text, const std::string& name,
                   const std::string& value) {
  for (size_t at = text.find(name); at != std::string::npos;
       at = text.find(name, at + value.size())) {
    text.replace(at, name.size(), value);
  }
  return text;
}

std::string KernelText(const bench::Task& task, const std::string& body) {
  for (const bench::ExportedFile& file : bench::ExportTask(task, {})) {
    if (!file.path.string().starts_with("op_kernel/")) continue;
    return Filled(file.text, "  // Write the kernel here.\n", body);
  }
  throw InternalError("the question of " + task.id + " has no kernel");
}

void WriteSamples(const fs::path& file, const bench::Suite& suite, bool crux,
                  int count) {
  std::ofstream out(file);
  for (int i = 0; i < count; ++i) {
    const Elementwise& one = kElementwise[i % std::size(kElementwise)];
    const std::string number = std::to_string(i);
    const std::string text =
        crux ? Filled(Filled(kCruxProgram, "{number}", number), "{call}",
                      one.crux)
             : KernelText(FindTask(suite, one.task),
                          Filled(Filled(kKernelBody, "{number}", number),
                                 "{call}", one.ascendc));
    out << json{{"task", one.task},
                {"kind", crux ? "crux" : "kernel"},
                {"text", text},
                {"sample", i}}
               .dump()
        << "\n";
  }
}

// The run, and the seconds it took.
double TimeRun(const fs::path& folder, const std::string& samples,
               const std::string& run, const std::string& stages) {
  const std::string command = fmt::format(
      "'{}' bench --samples '{}' --run '{}' --stages {} --jobs {} --quiet "
      "--most-elements {} >'{}'",
      BELAY_PROGRAM, (folder / samples).string(), (folder / run).string(),
      stages, kCores, kMostElements, (folder / "out").string());
  const auto begin = std::chrono::steady_clock::now();
  if (std::system(command.c_str()) != 0) {
    throw InternalError("belay bench failed: " + command);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

void Measure(const fs::path& folder, const bench::Suite& suite, bool crux,
             int count) {
  const std::string name = crux ? "crux" : "ascendc";
  // The start of the program and of libtorch is paid once a run, however many
  // candidates it has: two runs of different length take it out.
  const int few = std::max(kCores * 3, count / 10);
  WriteSamples(folder / (name + "-few.jsonl"), suite, crux, few);
  WriteSamples(folder / (name + ".jsonl"), suite, crux, count);
  const double start =
      TimeRun(folder, name + "-few.jsonl", name + "-few", "precision");
  const double whole = TimeRun(folder, name + ".jsonl", name, "precision");
  const double rate = (count - few) / (whole - start);

  const runs::LoadedRun run = runs::LoadRun(folder / name);
  int64_t launches = 0;
  int64_t passed = 0;
  double compile = 0;
  double precision = 0;
  for (const runs::Result& result : run.results) {
    launches += result.verdict.calls_run;
    passed += result.verdict.passed();
    compile += result.extras.compile;
    precision += result.extras.precision;
  }
  fmt::print(
      "{:<8} {:>7.2f} candidates/s ({} with {} cores, {} passed, {:.0f} "
      "launches each)\n"
      "         {:>7.2f} candidates/s with the start of the program\n"
      "         whole / compiling alone: {:.2f} (compiling {:.1f} ms, launches "
      "and comparison {:.1f} ms for a candidate)\n",
      name, rate, count, kCores, passed, static_cast<double>(launches) / count,
      count / whole, (compile + precision) / compile, 1000 * compile / count,
      1000 * precision / count);
  for (const runs::Result& result : run.results) {
    if (result.verdict.passed()) continue;
    fmt::print("  {} {}: {}\n", result.sample.task, result.sample.name,
               result.verdict.reason);
    break;
  }
}

}  // namespace
}  // namespace belay::benchmarks

int main(int argc, char** argv) {
  using namespace belay::benchmarks;
  const int ascendc = argc > 1 ? std::atoi(argv[1]) : 60;
  const int crux = argc > 2 ? std::atoi(argv[2]) : 600;
  std::string name =
      (fs::temp_directory_path() / "judge-speed-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return 1;
  const belay::bench::Suite suite = belay::bench::LoadShippedSuite();
  if (ascendc > 0) Measure(name, suite, false, ascendc);
  if (crux > 0) Measure(name, suite, true, crux);
  fs::remove_all(name);
}
