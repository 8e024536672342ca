// SPDX-License-Identifier: Apache-2.0
#include "clock/repairs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "clock/vector_flops.h"
#include "npu/names.h"

namespace belay::clock {
namespace {

constexpr uint64_t kLine = 512;

// Flags of our own, beyond those a kernel can have.
constexpr uint32_t kOwnFlag = 1000;

// The log with `edit(records of a block, log) -> records` applied to each.
template <typename Edit>
LaunchLog EditBlocks(const LaunchLog& log, Edit edit) {
  LaunchLog edited = log;
  for (BlockLog& block : edited.logs) {
    std::vector<Record> records;
    records.reserve(block.records.size());
    Sequence::Cursor cursor(block.records);
    Record record;
    while (cursor.Next(record)) records.push_back(record);
    Sequence sequence;
    for (const Record& changed : edit(std::move(records), edited)) {
      sequence.Append(changed);
    }
    sequence.Close();
    block.records = std::move(sequence);
  }
  return edited;
}

// The log with `edit(record)` applied to each record of these places.
template <typename Edit>
LaunchLog EditRecords(const LaunchLog& log, const Places& places, Edit edit) {
  return EditBlocks(log, [&](std::vector<Record> records, LaunchLog&) {
    for (Record& record : records) {
      if (places.contains(record.place)) edit(record);
    }
    return records;
  });
}

// Where data go: into the core, through it, out of it.
int StageOf(abi::Pipe pipe) {
  switch (pipe) {
    case abi::Pipe::kMte2:
      return 0;
    case abi::Pipe::kMte1:
      return 1;
    case abi::Pipe::kV:
    case abi::Pipe::kM:
      return 2;
    default:
      return 3;
  }
}

bool IsWork(const Record& record) {
  return record.kind == Kind::kVector || record.kind == Kind::kMove ||
         record.kind == Kind::kLoad || record.kind == Kind::kMmad;
}

Record FlagRecord(Kind kind, abi::Pipe from, abi::Pipe to, uint32_t id,
                  uint64_t place) {
  Record record;
  record.kind = kind;
  record.pipe = kind == Kind::kSetFlag ? from : to;
  record.op = kind == Kind::kSetFlag ? abi::Op::kSetFlag : abi::Op::kWaitFlag;
  record.place = place;
  record.sync = SyncWork{};
  record.sync.from = from;
  record.sync.to = to;
  record.sync.id = id;
  return record;
}

bool HasLocalAccess(const LaunchLog& log, const Record& record) {
  const ScalarWork& work = log.scalar[record.scalar];
  return work.local_load + work.local_store != 0;
}

}  // namespace

LaunchLog WithoutConflicts(const LaunchLog& log, const Places& places) {
  return EditRecords(log, places, [](Record& record) {
    if (record.kind != Kind::kVector) return;
    record.vector.conflict_cycles = 0;
    record.vector.delayed_repeats = 0;
  });
}

LaunchLog WithAlignedMoves(const LaunchLog& log, const Places& places) {
  return EditRecords(log, places, [](Record& record) {
    if (record.kind != Kind::kMove) return;
    MoveWork& move = record.move;
    move.address -= move.address % kLine;
    const bool dense = move.stride == static_cast<int64_t>(move.burst_bytes);
    if (move.bursts > 1 && !dense && move.stride > 0) {
      move.stride += (kLine - move.stride % kLine) % kLine;
    }
  });
}

LaunchLog WithBypass(const LaunchLog& log, const Places& places) {
  return EditRecords(log, places, [](Record& record) {
    if (record.kind == Kind::kMove && record.pipe == abi::Pipe::kMte2) {
      record.move.flags |= MoveWork::kBypassL2;
    }
  });
}

LaunchLog WithSecondBuffers(const LaunchLog& log) {
  return EditBlocks(log, [](std::vector<Record> records, LaunchLog&) {
    std::vector<Record> out;
    std::set<std::tuple<abi::Pipe, abi::Pipe, uint32_t>> given;
    for (const Record& record : records) {
      if (record.kind != Kind::kWaitFlag) continue;
      const SyncWork& sync = record.sync;
      if (sync.from == abi::Pipe::kS || sync.to == abi::Pipe::kS) continue;
      if (StageOf(sync.from) <= StageOf(sync.to)) continue;
      if (!given.insert({sync.from, sync.to, sync.id}).second) continue;
      Record preset =
          FlagRecord(Kind::kSetFlag, sync.from, sync.to, sync.id, record.place);
      preset.sync.by_queue = sync.by_queue;
      out.push_back(preset);
    }
    out.insert(out.end(), records.begin(), records.end());
    return out;
  });
}

LaunchLog WithoutFullBarriers(const LaunchLog& log, const Places& places) {
  return EditBlocks(log, [&](std::vector<Record> records, LaunchLog& edited) {
    std::vector<Record> out;
    std::set<std::pair<abi::Pipe, abi::Pipe>> given;
    const Record* before = nullptr;
    for (size_t i = 0; i < records.size(); ++i) {
      const Record& record = records[i];
      if (IsWork(record)) before = &record;
      if (record.kind != Kind::kBarrier ||
          record.sync.from != abi::Pipe::kAll ||
          !places.contains(record.place)) {
        out.push_back(record);
        continue;
      }
      const Record* after = nullptr;
      bool scalar = false;
      for (size_t look = i + 1; look < records.size() && !after; ++look) {
        scalar |= HasLocalAccess(edited, records[look]);
        if (IsWork(records[look])) after = &records[look];
      }
      if (scalar) {
        out.push_back(record);
        continue;
      }
      // The scalar work before the barrier remains to be done.
      Record own;
      own.place = record.place;
      own.scalar = record.scalar;
      out.push_back(own);
      if (before == nullptr || after == nullptr ||
          before->pipe == after->pipe) {
        continue;
      }
      const abi::Pipe from = before->pipe;
      const abi::Pipe to = after->pipe;
      if (StageOf(from) > StageOf(to) && given.insert({from, to}).second) {
        out.insert(out.begin(), FlagRecord(Kind::kSetFlag, from, to, kOwnFlag,
                                           record.place));
      }
      out.push_back(
          FlagRecord(Kind::kSetFlag, from, to, kOwnFlag, record.place));
      out.push_back(
          FlagRecord(Kind::kWaitFlag, from, to, kOwnFlag, record.place));
    }
    return out;
  });
}

LaunchLog WithMergedVectors(const LaunchLog& log, const Places& places,
                            uint32_t most_repeats) {
  return EditBlocks(log, [&](std::vector<Record> records, LaunchLog&) {
    std::vector<Record> out;
    // Where in `out` the instruction of a place stands that may grow.
    std::map<uint64_t, size_t> open;
    for (const Record& record : records) {
      const bool vector_only =
          record.kind == Kind::kVector || record.kind == Kind::kScalar ||
          (record.kind == Kind::kBarrier && record.sync.from == abi::Pipe::kV);
      if (!vector_only) open.clear();
      if (record.kind != Kind::kVector || !places.contains(record.place)) {
        out.push_back(record);
        continue;
      }
      const auto [at, is_new] = open.try_emplace(record.place, out.size());
      if (!is_new) {
        VectorWork& merged = out[at->second].vector;
        if (merged.cost == record.vector.cost &&
            merged.repeats + record.vector.repeats <= most_repeats) {
          merged.repeats += record.vector.repeats;
          merged.conflict_cycles += record.vector.conflict_cycles;
          merged.delayed_repeats += record.vector.delayed_repeats;
          merged.elements += record.vector.elements;
          continue;
        }
        at->second = out.size();
      }
      out.push_back(record);
    }
    return out;
  });
}

LaunchLog WithBlockReductions(const LaunchLog& log, const Places& places,
                              const ClockSpec& spec) {
  const std::map<abi::Op, abi::Op> blocks = {
      {abi::Op::kWholeReduceMax, abi::Op::kBlockReduceMax},
      {abi::Op::kWholeReduceMin, abi::Op::kBlockReduceMin},
      {abi::Op::kWholeReduceSum, abi::Op::kBlockReduceSum},
  };
  return EditBlocks(log, [&](std::vector<Record> records, LaunchLog&) {
    std::vector<Record> out;
    for (Record record : records) {
      const auto by_blocks = blocks.find(record.op);
      if (record.kind != Kind::kVector || by_blocks == blocks.end() ||
          !places.contains(record.place)) {
        out.push_back(record);
        continue;
      }
      const auto cost = spec.FindVectorCost(
          npu::NameOf(by_blocks->second),
          LaneBits(spec.vector_costs()[record.vector.cost]));
      if (!cost) {
        out.push_back(record);
        continue;
      }
      record.op = by_blocks->second;
      record.vector.cost = *cost;
      out.push_back(record);
      record.scalar = 0;
      record.vector.repeats = (record.vector.repeats + 7) / 8;
      record.vector.elements /= 8;
      out.push_back(record);
    }
    return out;
  });
}

LaunchLog WithVectorLoops(const LaunchLog& log, const Places& places,
                          const ClockSpec& spec) {
  const auto cost = spec.FindVectorCost("Adds", 32);
  if (!cost) return log;
  return EditBlocks(log, [&](std::vector<Record> records, LaunchLog& edited) {
    std::vector<Record> out;
    for (const Record& record : records) {
      const ScalarWork work = edited.scalar[record.scalar];
      if (!places.contains(record.place) ||
          work.local_load + work.local_store == 0) {
        out.push_back(record);
        continue;
      }
      const uint64_t elements =
          work.local_store != 0 ? work.local_store : work.local_load;
      Record vector;
      vector.kind = Kind::kVector;
      vector.pipe = abi::Pipe::kV;
      vector.op = abi::Op::kAdds;
      vector.place = record.place;
      vector.vector = VectorWork{};
      vector.vector.cost = *cost;
      vector.vector.units = 1;
      vector.vector.elements = elements;
      vector.vector.repeats = static_cast<uint32_t>((elements + 63) / 64);
      out.push_back(vector);
      out.push_back(record);
      out.back().scalar = 0;
    }
    return out;
  });
}

}  // namespace belay::clock
