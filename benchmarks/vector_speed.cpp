// SPDX-License-Identifier: Apache-2.0
// Vector instructions as the simulator executes them, tile by tile, against
// libtorch's operators on one thread over the same 64 MB of float. Prints the
// ratio of the speeds at the end: 1 is libtorch's, larger is faster.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "npu/execute.h"
#include "npu/vector/variants.h"
#include "torch_operators.h"

namespace belay::benchmarks {
namespace {

using npu::VectorState;

constexpr int64_t kBytes = int64_t{64} << 20;
constexpr int64_t kElements = kBytes / sizeof(float);
constexpr int64_t kTile = 4096;  // elements: 16 KB

struct Free {
  void operator()(float* memory) const { std::free(memory); }
};
using Floats = std::unique_ptr<float[], Free>;

// Touched memory with values between -2 and 2.
Floats MakeFloats() {
  Floats floats(static_cast<float*>(std::aligned_alloc(64, kBytes)));
  for (int64_t i = 0; i < kElements; ++i) {
    floats[i] = static_cast<float>(std::sin(static_cast<double>(i))) * 2.0f;
  }
  return floats;
}

struct Memory {
  Floats a = MakeFloats();
  Floats b = MakeFloats();
  Floats dst = MakeFloats();
};

Memory& Buffers() {
  static Memory memory;
  return memory;
}

abi::Operand Operand(const float* data) {
  return {reinterpret_cast<uint64_t>(data), 1, 8, abi::DType::kFloat,
          abi::Memory::kUb};
}

// One count-form instruction on each tile.
void RunTiles(abi::Op op, VectorState& state) {
  Memory& memory = Buffers();
  for (int64_t at = 0; at < kElements; at += kTile) {
    abi::Instruction instruction{};
    instruction.op = op;
    instruction.form = abi::Form::kCount;
    instruction.count = kTile;
    instruction.dst = Operand(memory.dst.get() + at);
    instruction.src0 = Operand(memory.a.get() + at);
    instruction.src1 = Operand(memory.b.get() + at);
    const npu::Lanes lanes =
        npu::ResolveLanes(instruction, npu::LanesPerRepeat(instruction), state);
    npu::ExecuteVector(instruction, lanes, state);
  }
}

void Tiles(benchmark::State& state, abi::Op op) {
  VectorState registers;
  for (auto _ : state) {
    RunTiles(op, registers);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * kBytes);
}

template <typename Operator>
void Torch(benchmark::State& state, Operator run) {
  for (auto _ : state) {
    run(Buffers());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * kBytes);
}

// Keeps the fastest time of each benchmark: processor time, since other work on
// the host would weigh on the one or the other by chance.
class Collector : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const double time = run.GetAdjustedCPUTime();
      const std::string name = run.run_name.function_name;
      const auto [place, added] = times_.try_emplace(name, time);
      if (!added) place->second = std::min(place->second, time);
    }
    ConsoleReporter::ReportRuns(runs);
  }

  void PrintRatios() const {
    fmt::print("speed relative to libtorch ({}), belay on {}:\n",
               TorchCapability(), npu::NameOf(npu::AvailableVariants().back()));
    for (const char* name : {"Add", "Exp", "ReduceSum"}) {
      const auto belay = times_.find(std::string("belay/") + name);
      const auto torch = times_.find(std::string("torch/") + name);
      if (belay == times_.end() || torch == times_.end()) continue;
      fmt::print("  {:<10} {:.2f}\n", name, torch->second / belay->second);
    }
  }

 private:
  std::map<std::string, double> times_;
};

void Register() {
  const auto add = [](auto&&... arguments) {
    benchmark::RegisterBenchmark(arguments...)
        ->Unit(benchmark::kMillisecond)
        ->Repetitions(5)
        ->MinTime(0.2);
  };
  add("belay/Add", Tiles, abi::Op::kAdd);
  add("torch/Add", [](benchmark::State& state) {
    Torch(state, [](Memory& m) {
      TorchAdd(m.dst.get(), m.a.get(), m.b.get(), kElements);
    });
  });
  add("belay/Exp", Tiles, abi::Op::kExp);
  add("torch/Exp", [](benchmark::State& state) {
    Torch(state,
          [](Memory& m) { TorchExp(m.dst.get(), m.a.get(), kElements); });
  });
  add("belay/ReduceSum", Tiles, abi::Op::kReduceSum);
  add("torch/ReduceSum", [](benchmark::State& state) {
    Torch(state, [](Memory& m) {
      benchmark::DoNotOptimize(TorchSum(m.a.get(), kElements));
    });
  });
}

}  // namespace
}  // namespace belay::benchmarks

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  belay::benchmarks::Buffers();  // outside of all times
  belay::benchmarks::Register();
  belay::benchmarks::Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  collector.PrintRatios();
  return 0;
}
