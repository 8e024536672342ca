// SPDX-License-Identifier: Apache-2.0
#include "logs.h"

namespace belay::testing {

using clock::Kind;
using clock::Record;

Record Move(abi::Pipe pipe, uint64_t place, uint64_t address, uint32_t bytes) {
  return Rows(pipe, place, address, 1, bytes, bytes);
}

Record Rows(abi::Pipe pipe, uint64_t place, uint64_t address, uint32_t rows,
            uint32_t row_bytes, int64_t stride) {
  Record record;
  record.kind = Kind::kMove;
  record.pipe = pipe;
  record.op = abi::Op::kDataCopy;
  record.place = place;
  record.move = clock::MoveWork{};
  record.move.address = address;
  record.move.bursts = rows;
  record.move.burst_bytes = row_bytes;
  record.move.stride = stride;
  record.move.memory = abi::Memory::kUb;
  return record;
}

Record Vector(const clock::ClockSpec& spec, abi::Op op, uint64_t place,
              uint32_t repeats) {
  const char* const name = op == abi::Op::kWholeReduceSum ? "WholeReduceSum"
                           : op == abi::Op::kAxpy         ? "Axpy"
                                                          : "Add";
  Record record;
  record.kind = Kind::kVector;
  record.pipe = abi::Pipe::kV;
  record.op = op;
  record.place = place;
  record.vector = clock::VectorWork{};
  record.vector.cost = spec.FindVectorCost(name, 32).value();
  record.vector.repeats = repeats;
  record.vector.elements = uint64_t{64} * repeats;
  record.vector.units = 1;
  return record;
}

Record Flag(Kind kind, abi::Pipe from, abi::Pipe to, uint32_t id) {
  Record record;
  record.kind = kind;
  record.pipe = kind == Kind::kSetFlag ? from : to;
  record.op = kind == Kind::kSetFlag ? abi::Op::kSetFlag : abi::Op::kWaitFlag;
  record.sync = clock::SyncWork{};
  record.sync.from = from;
  record.sync.to = to;
  record.sync.id = id;
  record.sync.by_queue = 1;
  return record;
}

Record FullBarrier(uint64_t place) {
  Record record;
  record.kind = Kind::kBarrier;
  record.pipe = abi::Pipe::kS;
  record.op = abi::Op::kPipeBarrier;
  record.place = place;
  record.sync = clock::SyncWork{};
  record.sync.from = abi::Pipe::kAll;
  record.sync.to = abi::Pipe::kAll;
  return record;
}

Record Meet() {
  Record record;
  record.kind = Kind::kMeet;
  record.op = abi::Op::kSyncAll;
  return record;
}

clock::LaunchLog NewLog(int blocks) {
  clock::LaunchLog log;
  log.kernel = "test_kernel";
  log.chip = "ascend910b1";
  log.blocks = blocks;
  log.places[1] = {"k.asc", 41, 1, "test_kernel"};
  log.places[2] = {"k.asc", 42, 1, "test_kernel"};
  log.places[3] = {"k.asc", 43, 1, "test_kernel"};
  return log;
}

void AddBlock(clock::LaunchLog& log, int block,
              const std::vector<Record>& records) {
  clock::BlockLog& added = log.logs.emplace_back();
  added.block = added.core = block;
  for (const Record& record : records) added.records.Append(record);
  added.records.Close();
}

std::vector<Record> RecordsOf(const clock::BlockLog& block) {
  std::vector<Record> records;
  clock::Sequence::Cursor cursor(block.records);
  Record record;
  while (cursor.Next(record)) records.push_back(record);
  return records;
}

clock::LaunchLog MakeTileLoop(const clock::ClockSpec& spec,
                              const TileLoop& loop) {
  using abi::Pipe;
  clock::LaunchLog log = NewLog(loop.blocks);
  for (int block = 0; block < loop.blocks; ++block) {
    std::vector<Record> records;
    for (int tile = 0; tile < loop.tiles; ++tile) {
      const uint64_t number = loop.interleaved
                                  ? uint64_t(tile) * loop.blocks + block
                                  : uint64_t(block) * loop.tiles + tile;
      const uint64_t offset = number * loop.tile_bytes;
      const auto id = static_cast<uint32_t>(tile % loop.buffers);
      const bool reused = tile >= loop.buffers;
      if (reused) {
        records.push_back(Flag(Kind::kWaitFlag, Pipe::kV, Pipe::kMte2, id));
      }
      records.push_back(Move(Pipe::kMte2, 1, kInput + offset, loop.tile_bytes));
      records.push_back(Flag(Kind::kSetFlag, Pipe::kMte2, Pipe::kV, id));
      if (reused) {
        records.push_back(Flag(Kind::kWaitFlag, Pipe::kMte3, Pipe::kV, id));
      }
      records.push_back(Flag(Kind::kWaitFlag, Pipe::kMte2, Pipe::kV, id));
      for (int i = 0; i < loop.vectors; ++i) {
        records.push_back(
            Vector(spec, abi::Op::kAdd, 2, loop.tile_bytes / 256));
      }
      records.push_back(Flag(Kind::kSetFlag, Pipe::kV, Pipe::kMte2, id));
      records.push_back(Flag(Kind::kSetFlag, Pipe::kV, Pipe::kMte3, id));
      records.push_back(Flag(Kind::kWaitFlag, Pipe::kV, Pipe::kMte3, id));
      records.push_back(
          Move(Pipe::kMte3, 3, kOutput + offset, loop.tile_bytes));
      records.push_back(Flag(Kind::kSetFlag, Pipe::kMte3, Pipe::kV, id));
    }
    AddBlock(log, block, records);
  }
  return log;
}

const clock::ClockSpec& Spec() {
  static const clock::ClockSpec spec = clock::LoadClockSpec("ascend910b1");
  return spec;
}

}  // namespace belay::testing
