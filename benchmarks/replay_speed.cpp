// SPDX-License-Identifier: Apache-2.0
// What the clock costs after a kernel has run: simulated time of a streaming
// kernel by request of 512 bytes, and pricing one vector instruction.

#include <benchmark/benchmark.h>

#include "clock/replay.h"
#include "clock/vector_cost.h"
#include "npu/execute.h"

namespace belay::clock {
namespace {

constexpr int kCores = 48;
constexpr uint32_t kTile = 16384;
constexpr uint64_t kGlobal = uint64_t{1} << 44;

Record Move(abi::Pipe pipe, uint64_t address) {
  Record record;
  record.kind = Kind::kMove;
  record.pipe = pipe;
  record.move = {};
  record.move.address = address;
  record.move.bursts = 1;
  record.move.burst_bytes = kTile;
  return record;
}

Record Flag(Kind kind, abi::Pipe from, abi::Pipe to, uint32_t id) {
  Record record;
  record.kind = kind;
  record.sync = {};
  record.sync.from = from;
  record.sync.to = to;
  record.sync.id = id;
  return record;
}

// All cores read `bytes` in tiles, double-buffered, and write as much.
LaunchLog Stream(const ClockSpec& spec, uint64_t bytes) {
  using abi::Pipe;
  Record add;
  add.kind = Kind::kVector;
  add.pipe = Pipe::kV;
  add.vector = {};
  add.vector.cost = spec.FindVectorCost("Adds", 32).value();
  add.vector.repeats = kTile / 256;
  add.vector.units = 1;
  LaunchLog log;
  log.blocks = kCores;
  const uint64_t part = bytes / kCores / kTile * kTile;
  for (int core = 0; core < kCores; ++core) {
    BlockLog& block = log.logs.emplace_back();
    block.block = block.core = core;
    Sequence& to = block.records;
    for (uint64_t at = 0; at < part; at += kTile) {
      const uint32_t id = at / kTile % 2;
      const uint64_t address = kGlobal + core * part + at;
      if (at >= 2 * kTile) {
        to.Append(Flag(Kind::kWaitFlag, Pipe::kMte3, Pipe::kMte2, id));
      }
      to.Append(Move(Pipe::kMte2, address));
      to.Append(Flag(Kind::kSetFlag, Pipe::kMte2, Pipe::kV, id));
      to.Append(Flag(Kind::kWaitFlag, Pipe::kMte2, Pipe::kV, id));
      to.Append(add);
      to.Append(Flag(Kind::kSetFlag, Pipe::kV, Pipe::kMte3, id));
      to.Append(Flag(Kind::kWaitFlag, Pipe::kV, Pipe::kMte3, id));
      to.Append(Move(Pipe::kMte3, address + bytes));
      to.Append(Flag(Kind::kSetFlag, Pipe::kMte3, Pipe::kMte2, id));
    }
    to.Close();
  }
  return log;
}

// The argument: MiB read, and as many written; 8192 are 2^31 floats.
void ReplayStream(benchmark::State& state) {
  const ClockSpec spec = LoadClockSpec("ascend910b1");
  const LaunchLog log =
      Stream(spec, static_cast<uint64_t>(state.range(0)) << 20);
  uint64_t requests = 0;
  for (auto _ : state) requests += Replay(log, spec).memory.requests;
  state.SetItemsProcessed(static_cast<int64_t>(requests));
}
BENCHMARK(ReplayStream)->Arg(128)->Arg(8192)->Unit(benchmark::kMillisecond);

// Adds of 16 KB, at addresses that advance by the argument.
void PriceAdd(benchmark::State& state) {
  const ClockSpec spec = LoadClockSpec("ascend910b1");
  VectorPricer pricer(spec);
  const npu::Core core{npu::DataCache(32768, 4)};
  abi::Instruction add{};
  add.op = abi::Op::kAdd;
  add.form = abi::Form::kCount;
  add.count = 4096;
  abi::Operand* const operands[] = {&add.dst, &add.src0, &add.src1};
  for (abi::Operand* operand : operands) {
    operand->block_stride = 1;
    operand->repeat_stride = 8;
    operand->dtype = abi::DType::kFloat;
    operand->memory = abi::Memory::kUb;
  }
  npu::VectorState registers;
  const npu::Lanes lanes = npu::ResolveLanes(add, 64, registers);
  uint64_t offset = 0;
  for (auto _ : state) {
    offset = (offset + static_cast<uint64_t>(state.range(0))) % 0xC000;
    add.dst.address = 0x40000000 + offset;
    add.src0.address = 0x40010000 + offset;
    add.src1.address = 0x40020000 + offset / 2 / 32 * 32;
    benchmark::DoNotOptimize(pricer.Price({core, add, &lanes, abi::Pipe::kV}));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(PriceAdd)->Arg(0)->Arg(512)->Arg(32);

}  // namespace
}  // namespace belay::clock

BENCHMARK_MAIN();
