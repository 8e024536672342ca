// SPDX-License-Identifier: Apache-2.0
// What one scalar access of kernel code costs: to the stack, the Unified
// Buffer and global memory, against a plain load.

#include "belay/guest_abi.h"
#include "ratios.h"
#include "runtime/device.h"

namespace belay::benchmarks {
namespace {

constexpr int kAccesses = 1 << 16;
constexpr int kWords = 1024;

struct Arguments {
  const int32_t* place;  // nullptr: the kernel's own stack
  int64_t* sum;
};

void ReadThroughChip(void* raw) {
  const Arguments arguments = *static_cast<Arguments*>(raw);
  int32_t own[kWords] = {};
  const int32_t* place = arguments.place == nullptr ? own : arguments.place;
  int64_t sum = 0;
  for (int i = 0; i < kAccesses; ++i) {
    sum += *static_cast<const int32_t*>(belay_read(&place[i % kWords], 4));
  }
  *arguments.sum = sum;
}

runtime::Device& TheDevice() {
  static runtime::Device device{runtime::DeviceOptions{}};
  runtime::Device::Install(&device);
  return device;
}

void Run(benchmark::State& state, const int32_t* place) {
  runtime::Device& device = TheDevice();
  int64_t sum = 0;
  const Arguments arguments{place, &sum};
  for (auto _ : state) {
    device.Launch({"read", "vector", ReadThroughChip}, 1, &arguments,
                  sizeof arguments);
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * kAccesses);
}

void PlainLoad(benchmark::State& state) {
  static volatile int32_t words[kWords];
  for (auto _ : state) {
    int64_t sum = 0;
    for (int i = 0; i < kAccesses; ++i) sum += words[i % kWords];
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * kAccesses);
}
BENCHMARK(PlainLoad)->UseRealTime();

void Stack(benchmark::State& state) { Run(state, nullptr); }
BENCHMARK(Stack)->UseRealTime();

void UnifiedBuffer(benchmark::State& state) {
  npu::Chip& chip = TheDevice().chip();
  Run(state, reinterpret_cast<const int32_t*>(
                 chip.on_chip().Base(0, abi::Memory::kUb)));
}
BENCHMARK(UnifiedBuffer)->UseRealTime();

void GlobalMemory(benchmark::State& state) {
  static const uint64_t memory =
      TheDevice().chip().global().Allocate(kWords * 4);
  Run(state, reinterpret_cast<const int32_t*>(memory));
}
BENCHMARK(GlobalMemory)->UseRealTime();

}  // namespace
}  // namespace belay::benchmarks

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  belay::benchmarks::Times times;
  benchmark::RunSpecifiedBenchmarks(&times);
  for (const char* name : {"Stack", "UnifiedBuffer", "GlobalMemory"}) {
    times.PrintRatio(std::string(name) + " access / plain load",
                     std::string(name) + "/real_time", "PlainLoad/real_time");
  }
}
