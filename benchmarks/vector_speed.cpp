// SPDX-License-Identifier: Apache-2.0
// Vector instructions as the simulator executes them, tile by tile, against
// libtorch's operators on one thread over the same 64 MB of float. Prints the
// ratio of the speeds at the end: 1 is libtorch's, larger is faster.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "npu/execute.h"
#include "npu/names.h"
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

// Touched memory with values between 0.1 and 4.1.
Floats MakeFloats() {
  Floats floats(static_cast<float*>(std::aligned_alloc(64, kBytes)));
  for (int64_t i = 0; i < kElements; ++i) {
    floats[i] =
        static_cast<float>(std::sin(static_cast<double>(i))) * 2.0f + 2.1f;
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

// What is measured, each in count form on float.
constexpr abi::Op kInstructions[] = {
    abi::Op::kAbs,  abi::Op::kAdd,  abi::Op::kCast,      abi::Op::kCompare,
    abi::Op::kDiv,  abi::Op::kExp,  abi::Op::kLn,        abi::Op::kMax,
    abi::Op::kMul,  abi::Op::kMuls, abi::Op::kReduceMax, abi::Op::kReduceSum,
    abi::Op::kSqrt,
};

abi::Instruction OnTile(abi::Op op, int64_t at) {
  Memory& memory = Buffers();
  abi::Instruction instruction{};
  instruction.op = op;
  instruction.form = abi::Form::kCount;
  instruction.count = kTile;
  instruction.dst = Operand(memory.dst.get() + at);
  instruction.src0 = Operand(memory.a.get() + at);
  instruction.src1 = Operand(memory.b.get() + at);
  if (op == abi::Op::kCast) {
    instruction.dst.dtype = abi::DType::kHalf;
    instruction.dst.repeat_stride = 4;
    instruction.mode = static_cast<uint8_t>(abi::Round::kRint);
  } else if (op == abi::Op::kCompare) {
    instruction.dst.dtype = abi::DType::kUint8;
    instruction.mode = static_cast<uint8_t>(abi::Compare::kLt);
  } else if (op == abi::Op::kMuls) {
    instruction.scalar = std::bit_cast<uint32_t>(1.5f);
  }
  return instruction;
}

void Tiles(benchmark::State& state, abi::Op op) {
  VectorState registers;
  for (auto _ : state) {
    for (int64_t at = 0; at < kElements; at += kTile) {
      const abi::Instruction instruction = OnTile(op, at);
      const npu::Lanes lanes = npu::ResolveLanes(
          instruction, npu::LanesPerRepeat(instruction), registers);
      npu::ExecuteVector(instruction, lanes, registers);
    }
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * kBytes);
}

void Torch(benchmark::State& state, TorchOperator run) {
  Memory& memory = Buffers();
  for (auto _ : state) {
    run(memory.dst.get(), memory.a.get(), memory.b.get(), kElements);
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
    double logarithms = 0;
    int count = 0;
    for (const abi::Op op : kInstructions) {
      const std::string name(npu::NameOf(op));
      const auto belay = times_.find("belay/" + name);
      const auto torch = times_.find("torch/" + name);
      if (belay == times_.end() || torch == times_.end()) continue;
      const double ratio = torch->second / belay->second;
      fmt::print("  {:<10} {:.2f}\n", name, ratio);
      logarithms += std::log(ratio);
      ++count;
    }
    if (count == 0) return;
    fmt::print("  geometric mean of {}: {:.2f}\n", count,
               std::exp(logarithms / count));
  }

 private:
  std::map<std::string, double> times_;
};

void Register() {
  for (const abi::Op op : kInstructions) {
    const std::string name(npu::NameOf(op));
    for (auto* benchmark :
         {benchmark::RegisterBenchmark(("belay/" + name).c_str(), Tiles, op),
          benchmark::RegisterBenchmark(("torch/" + name).c_str(), Torch,
                                       FindTorchOperator(name))}) {
      benchmark->Unit(benchmark::kMillisecond)->Repetitions(3)->MinTime(0.1);
    }
  }
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
