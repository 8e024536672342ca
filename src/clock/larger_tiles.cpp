// SPDX-License-Identifier: Apache-2.0
// The main loop of a launch with larger tiles (what_if.h).

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "clock/iterations.h"
#include "clock/what_if.h"
#include "npu/names.h"

namespace belay::clock {
namespace {

// A move of the loop: its place, and which one of that place in a pass.
using MoveKey = std::pair<uint64_t, int>;

// How a move's address goes on from pass to pass.
struct Stride {
  uint64_t first = 0;
  int64_t advance = 0;
  enum class Growth { kNone, kRows, kColumns } growth = Growth::kNone;
  bool interleaved = false;  // passes are dealt to the blocks in turn
};

std::map<MoveKey, const Record*> MovesOf(const Passes& passes, size_t pass) {
  std::map<MoveKey, const Record*> moves;
  std::map<uint64_t, int> seen;
  for (size_t i = passes.begin(pass); i < passes.end(pass); ++i) {
    const Record& record = passes.records[i];
    if (record.kind != Kind::kMove) continue;
    moves[{record.place, seen[record.place]++}] = &record;
  }
  return moves;
}

bool FindGrowth(const MoveWork& move, int64_t step, Stride& stride) {
  const int64_t row = move.burst_bytes;
  const int64_t bytes = row * move.bursts;
  const bool dense = move.bursts == 1 || move.stride == row;
  if (dense && step == bytes) {
    stride.growth =
        move.bursts == 1 ? Stride::Growth::kColumns : Stride::Growth::kRows;
  } else if (move.bursts > 1 && step == move.stride * move.bursts) {
    stride.growth = Stride::Growth::kRows;
  } else if (step == row) {
    stride.growth = Stride::Growth::kColumns;
  } else {
    return false;
  }
  return true;
}

// False if some move follows no pattern.
bool FindStrides(const Passes& passes, int blocks,
                 std::map<MoveKey, Stride>& strides) {
  const auto first = MovesOf(passes, 0);
  const auto second = MovesOf(passes, 1);
  for (const auto& [key, record] : first) {
    const auto next = second.find(key);
    if (next == second.end()) return false;
    Stride stride;
    stride.first = record->move.address;
    stride.advance =
        static_cast<int64_t>(next->second->move.address - record->move.address);
    if (stride.advance != 0 &&
        !FindGrowth(record->move, stride.advance, stride)) {
      stride.interleaved = true;
      if (stride.advance % blocks != 0 ||
          !FindGrowth(record->move, stride.advance / blocks, stride)) {
        return false;
      }
    }
    strides[key] = stride;
  }
  return true;
}

// Work that grows with the tile; the rest of a pass stays as it is.
class Enlarger {
 public:
  Enlarger(LaunchLog& log, const std::map<MoveKey, uint64_t>& lowest)
      : log_(log), lowest_(lowest) {}

  // Appends `pass` with the records of `times` passes in it.
  void Append(const std::vector<Record>& pass, uint32_t times,
              const std::map<MoveKey, Stride>& strides,
              const std::map<MoveKey, const Record*>& form,
              std::vector<Record>& out) {
    const bool by_rows = std::ranges::any_of(pass, [](const Record& record) {
      const npu::Family family = npu::FamilyOf(record.op);
      return record.kind == Kind::kVector &&
             (family == npu::Family::kReduce ||
              family == npu::Family::kReduceParts);
    });
    std::map<uint64_t, int> seen;
    for (size_t i = 0; i < pass.size();) {
      if (by_rows && IsCompute(pass[i])) {
        size_t end = i;
        while (end < pass.size() && IsCompute(pass[end])) ++end;
        for (uint32_t t = 0; t < times; ++t) {
          out.insert(out.end(), pass.begin() + i, pass.begin() + end);
        }
        i = end;
        continue;
      }
      Record record = pass[i++];
      if (record.kind == Kind::kMove) {
        const MoveKey key{record.place, seen[record.place]++};
        Grow(record.move, times, key, strides, form);
      } else if (record.kind == Kind::kVector) {
        Grow(record.vector, times);
      }
      record.scalar = GrowScalar(record.scalar, times);
      out.push_back(record);
    }
  }

 private:
  static bool IsCompute(const Record& record) {
    return record.kind == Kind::kVector || record.kind == Kind::kScalar ||
           record.kind == Kind::kOrder ||
           (record.kind == Kind::kBarrier && record.sync.from == abi::Pipe::kV);
  }

  static void Grow(VectorWork& vector, uint32_t times) {
    vector.repeats *= times;
    vector.conflict_cycles *= times;
    vector.delayed_repeats *= times;
    vector.elements *= times;
    if (vector.units > 1) vector.units *= times;
  }

  void Grow(MoveWork& move, uint32_t times, const MoveKey& key,
            const std::map<MoveKey, Stride>& strides,
            const std::map<MoveKey, const Record*>& form) {
    const auto found = strides.find(key);
    if (found == strides.end()) return;
    const Stride& stride = found->second;
    if (stride.interleaved) {
      const auto own = form.find(key);
      if (own == form.end()) return;
      const uint64_t lowest = lowest_.at(key);
      move.address = lowest + (own->second->move.address - lowest) * times;
    }
    if (stride.growth == Stride::Growth::kColumns) move.burst_bytes *= times;
    if (stride.growth == Stride::Growth::kRows) move.bursts *= times;
  }

  // A loop over elements grows with them; the work of a pass as such does not.
  uint32_t GrowScalar(uint32_t index, uint32_t times) {
    constexpr uint32_t kLoop = 16;
    ScalarWork work = log_.scalar[index];
    if (work.local_load + work.local_store < kLoop) return index;
    const auto [known, is_new] = grown_.try_emplace({index, times}, 0);
    if (!is_new) return known->second;
    for (uint32_t* count :
         {&work.simple, &work.multiply, &work.divide, &work.floating,
          &work.stack_load, &work.stack_store, &work.local_load,
          &work.local_store, &work.cached_load, &work.cached_store}) {
      *count *= times;
    }
    log_.scalar.push_back(work);
    return known->second = static_cast<uint32_t>(log_.scalar.size() - 1);
  }

  LaunchLog& log_;
  const std::map<MoveKey, uint64_t>& lowest_;  // address in all blocks
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> grown_;
};

}  // namespace

std::optional<LaunchLog> WithLargerTiles(const LaunchLog& log, uint32_t times) {
  const auto anchor = FindMainLoop(log);
  if (!anchor || times < 2 || !BlocksAreAlone(log)) return std::nullopt;
  std::map<MoveKey, uint64_t> lowest;
  for (const BlockLog& block : log.logs) {
    const Passes passes = SplitIntoPasses(block.records, *anchor);
    if (passes.count() == 0) continue;
    for (const auto& [key, record] : MovesOf(passes, 0)) {
      const auto [at, is_new] = lowest.try_emplace(key, record->move.address);
      at->second = std::min(at->second, record->move.address);
    }
  }
  LaunchLog larger = FrameOf(log);
  Enlarger enlarger(larger, lowest);
  bool changed = false;
  for (const BlockLog& block : log.logs) {
    const Passes passes = SplitIntoPasses(block.records, *anchor);
    if (passes.count() < 2) {
      AddBlock(larger, block, passes.records);
      continue;
    }
    std::map<MoveKey, Stride> strides;
    if (!FindStrides(passes, log.blocks, strides)) return std::nullopt;
    std::vector<Record> out;
    AppendPrologue(passes, out);
    std::vector<Record> pass;
    for (size_t done = 0, at = 0; done < passes.count(); ++at) {
      const auto merged =
          static_cast<uint32_t>(std::min<size_t>(times, passes.count() - done));
      pass.clear();
      AppendPass(passes, at, passes, done, pass);
      enlarger.Append(pass, merged, strides, MovesOf(passes, at), out);
      changed |= merged > 1;
      done += merged;
    }
    AddBlock(larger, block, out);
  }
  if (!changed) return std::nullopt;
  return larger;
}

}  // namespace belay::clock
