// SPDX-License-Identifier: Apache-2.0
#include "judge/block_ranges.h"

#include <algorithm>

#include "clock/byte_ranges.h"

namespace belay::judge {
namespace {

// The part of [begin, end) that lies in the tensor, as offsets.
void AddPartOf(uint64_t begin, uint64_t end,
               const clock::LoggedAllocation& tensor,
               std::vector<clock::ByteRange>& ranges) {
  begin = std::max(begin, tensor.address);
  end = std::min(end, tensor.address + tensor.bytes);
  if (begin >= end) return;
  clock::AddRange(ranges, {begin - tensor.address, end - tensor.address});
}

void AddMoveOf(const clock::MoveWork& move,
               const clock::LoggedAllocation& tensor,
               std::vector<clock::ByteRange>& ranges) {
  const uint64_t bytes = move.burst_bytes;
  if (move.stride == static_cast<int64_t>(bytes)) {
    return AddPartOf(move.address, move.address + bytes * move.bursts, tensor,
                     ranges);
  }
  uint64_t address = move.address;
  for (uint32_t i = 0; i < move.bursts; ++i) {
    AddPartOf(address, address + bytes, tensor, ranges);
    address += static_cast<uint64_t>(move.stride);
  }
}

}  // namespace

std::map<int, BlockRanges> RangesByBlock(
    const clock::LaunchLog& log, const clock::LoggedAllocation& tensor) {
  std::map<int, BlockRanges> blocks;
  for (const clock::BlockLog& block : log.logs) {
    BlockRanges ranges;
    clock::Sequence::Cursor cursor(block.records);
    for (clock::Record record; cursor.Next(record);) {
      if (record.kind != clock::Kind::kMove) continue;
      const bool reads = record.pipe == abi::Pipe::kMte2;
      AddMoveOf(record.move, tensor, reads ? ranges.read : ranges.written);
    }
    for (const clock::ByteRange& stored : block.stored) {
      AddPartOf(stored.begin, stored.end, tensor, ranges.written);
    }
    clock::JoinRanges(ranges.read);
    clock::JoinRanges(ranges.written);
    if (ranges.read.empty() && ranges.written.empty()) continue;
    BlockRanges& all = blocks[block.block];
    all.read.insert(all.read.end(), ranges.read.begin(), ranges.read.end());
    all.written.insert(all.written.end(), ranges.written.begin(),
                       ranges.written.end());
    clock::JoinRanges(all.read);
    clock::JoinRanges(all.written);
  }
  return blocks;
}

bool BlocksWait(const clock::LaunchLog& log) {
  bool waits = false;
  for (const clock::BlockLog& block : log.logs) {
    block.records.ForEachFolded([&](const clock::Record& record, uint64_t) {
      switch (record.kind) {
        case clock::Kind::kMeet:
        case clock::Kind::kNotify:
        case clock::Kind::kAwait:
        case clock::Kind::kTellCores:
        case clock::Kind::kAwaitCores:
          waits = true;
          break;
        default:
          break;
      }
    });
  }
  return waits;
}

}  // namespace belay::judge
