// SPDX-License-Identifier: Apache-2.0
#include "calibration/workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace belay::calibration {
namespace {

constexpr int kBlocks = 24;
constexpr uint64_t kMatrix = uint64_t{1} << 40;  // its address
constexpr int64_t kElementBytes = 2;
// Of the loop around a move: bounds, the width of the last tile, the address
// and the fields of the instruction.
constexpr clock::ScalarWork kLoop = {.simple = 20, .multiply = 1};

struct Way {
  int64_t rows, columns, tile_rows, tile_columns;
  enum Order { kOnce, kFourTimes, kQuarters, kInStep, kStaggered } order;
};
constexpr std::array<Way, 7> kWays = {{
    {12288, 12288, 64, 64, Way::kOnce},
    {12288, 12288, 64, 256, Way::kOnce},
    {12288, 12287, 64, 256, Way::kOnce},
    {12288, 12288, 64, 1024, Way::kFourTimes},
    {12288, 12288, 64, 1024, Way::kQuarters},
    {6144, 512, 256, 64, Way::kInStep},
    {6144, 512, 256, 64, Way::kStaggered},
}};

class Builder {
 public:
  Builder(const Way& way, uint32_t scalar) : way_(way), scalar_(scalar) {}

  clock::Sequence Block(int block) {
    const int64_t across =
        (way_.columns + way_.tile_columns - 1) / way_.tile_columns;
    switch (way_.order) {
      case Way::kOnce:
        Share(block, 0, across);
        break;
      case Way::kFourTimes:
        for (int time = 0; time < 4; ++time) Share(block, 0, across);
        break;
      case Way::kQuarters:
        for (int64_t begin = 0; begin < across; begin += across / 4) {
          for (int time = 0; time < 4; ++time) {
            Share(block, begin, begin + across / 4);
          }
        }
        break;
      case Way::kInStep:
      case Way::kStaggered:
        for (int i = 0; i < kBlocks; ++i) {
          const int begin = way_.order == Way::kStaggered ? block : 0;
          Share((begin + i) % kBlocks, 0, across);
        }
        break;
    }
    clock::Record barrier;
    barrier.kind = clock::Kind::kBarrier;
    barrier.op = abi::Op::kPipeBarrier;
    barrier.sync = {};
    barrier.sync.from = abi::Pipe::kAll;
    barrier.sync.to = abi::Pipe::kAll;
    records_.Append(barrier);
    records_.Close();
    return std::move(records_);
  }

 private:
  // The rows of one block's share, tile by tile.
  void Share(int share, int64_t begin, int64_t end) {
    const int64_t height = way_.rows / kBlocks;
    for (int64_t row = share * height; row < (share + 1) * height;
         row += way_.tile_rows) {
      for (int64_t i = begin; i < end; ++i) Tile(row, i * way_.tile_columns);
    }
  }

  void Tile(int64_t row, int64_t column) {
    const int64_t width = std::min(way_.tile_columns, way_.columns - column);
    const bool past_l2 =
        way_.order == Way::kInStep || way_.order == Way::kStaggered;
    clock::Record record;
    record.kind = clock::Kind::kMove;
    record.pipe = abi::Pipe::kMte2;
    record.op = abi::Op::kDataCopy;
    record.scalar = scalar_;
    record.move = {};
    record.move.address =
        kMatrix +
        static_cast<uint64_t>((row * way_.columns + column) * kElementBytes);
    record.move.stride = way_.columns * kElementBytes;
    record.move.bursts = static_cast<uint32_t>(way_.tile_rows);
    record.move.burst_bytes = static_cast<uint32_t>(width * kElementBytes);
    record.move.memory = abi::Memory::kL1;
    record.move.flags = static_cast<uint8_t>(
        clock::MoveWork::kNd2Nz | (past_l2 ? clock::MoveWork::kBypassL2 : 0));
    records_.Append(record);
  }

  const Way& way_;
  uint32_t scalar_;
  clock::Sequence records_;
};

}  // namespace

clock::LaunchLog GmToL1(const std::string& way) {
  const size_t index = way.size() == 1 ? static_cast<size_t>(way[0] - '1') : 99;
  if (index >= kWays.size()) {
    throw UserError(
        fmt::format("[calibrate] gm_to_l1 has ways 1 to 7, not '{}'", way));
  }
  clock::LaunchLog log;
  log.kernel = "gm_to_l1_" + way;
  log.chip = "ascend910b1";
  log.blocks = kBlocks;
  log.argument_bytes = 8;
  log.scalar.push_back(kLoop);
  const Way& shape = kWays[index];
  log.allocations.push_back(
      {kMatrix,
       static_cast<uint64_t>(shape.rows * shape.columns * kElementBytes),
       "matrix"});
  for (int block = 0; block < kBlocks; ++block) {
    clock::BlockLog one;
    one.block = block;
    one.core = block;
    one.cube = true;
    one.records = Builder(shape, 1).Block(block);
    log.logs.push_back(std::move(one));
  }
  return log;
}

}  // namespace belay::calibration
