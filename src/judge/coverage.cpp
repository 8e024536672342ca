// SPDX-License-Identifier: Apache-2.0
#include "judge/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "clock/byte_ranges.h"

namespace belay::judge {
namespace {

using clock::ByteRange;

constexpr size_t kMostRanges = size_t{1} << 24;

struct Area {
  ByteRange bytes;
  std::string label;  // "output 'y'"
};

// "output 'y'" and "tensor 2 of output 'y'".
bool IsLabelOf(const std::string& label, const std::string& output) {
  const std::string own = fmt::format("output '{}'", output);
  return label == own ||
         (label.starts_with("tensor ") && label.ends_with(" of " + own));
}

// By address.
std::vector<Area> AreasOf(const clock::LaunchLog& log,
                          const std::vector<std::string>& outputs) {
  std::vector<Area> areas;
  for (const clock::LoggedAllocation& one : log.allocations) {
    const bool wanted = std::ranges::any_of(
        outputs,
        [&](const std::string& name) { return IsLabelOf(one.name, name); });
    if (wanted && one.bytes != 0) {
      areas.push_back({{one.address, one.address + one.bytes}, one.name});
    }
  }
  std::ranges::sort(areas, {},
                    [](const Area& area) { return area.bytes.begin; });
  return areas;
}

// What the blocks of one launch wrote of the areas.
class Writes {
 public:
  explicit Writes(const std::vector<Area>& areas) : areas_(areas) {}

  // False: too many ranges.
  bool Take(const clock::LaunchLog& log) {
    for (const clock::BlockLog& block : log.logs) {
      if (!TakeBlock(block)) return false;
    }
    clock::JoinRanges(written_);
    return true;
  }

  std::vector<ByteRange> TakeWritten() { return std::move(written_); }

  // What two blocks wrote, beyond the tail of one of them.
  std::optional<std::string> FindOverlap() {
    if (blocks_wait_) return std::nullopt;
    std::map<int, uint64_t> shared;  // bytes, by block
    std::map<int, std::pair<uint64_t, int>> first;
    for (auto& [phase, pieces] : phases_) {
      std::ranges::sort(pieces, {}, [](const Piece& piece) {
        return std::pair(piece.bytes.begin, piece.block);
      });
      Piece last{};
      for (const Piece& piece : pieces) {
        if (piece.bytes.begin < last.bytes.end && piece.block != last.block) {
          const uint64_t bytes =
              std::min(piece.bytes.end, last.bytes.end) - piece.bytes.begin;
          for (const int block : {piece.block, last.block}) {
            shared[block] += bytes;
            first.try_emplace(block, piece.bytes.begin,
                              block == piece.block ? last.block : piece.block);
          }
        }
        if (piece.bytes.end > last.bytes.end) last = piece;
      }
    }
    for (const auto& [block, bytes] : shared) {
      const auto& [address, other] = first[block];
      // Of two blocks that overlap by a tail, one moved it at once.
      if (bytes <= std::max(longest_[block], longest_[other])) continue;
      return fmt::format(
          "blocks {} and {} both write {}: {} bytes of block {} are written by "
          "others as well",
          std::min(block, other), std::max(block, other), PlaceOf(address),
          bytes, block);
    }
    return std::nullopt;
  }

  std::string PlaceOf(uint64_t address) const {
    const Area* area = Find(address);
    return area == nullptr
               ? "memory"
               : fmt::format("byte {} of {}", address - area->bytes.begin,
                             area->label);
  }

 private:
  struct Piece {
    ByteRange bytes;
    int block = -1;
  };

  // The area that holds the address or the next one after it.
  const Area* Find(uint64_t address) const {
    const auto next = std::ranges::upper_bound(
        areas_, address, {}, [](const Area& area) { return area.bytes.end; });
    return next == areas_.end() ? nullptr : &*next;
  }

  // Adds the part of the range that lies in areas.
  void Add(ByteRange range, std::vector<ByteRange>& ranges) const {
    const Area* area = Find(range.begin);
    while (area != nullptr && area->bytes.begin < range.end) {
      const ByteRange part = {std::max(range.begin, area->bytes.begin),
                              std::min(range.end, area->bytes.end)};
      if (part.begin < part.end) clock::AddRange(ranges, part);
      range.begin = std::max(range.begin, area->bytes.end);
      area = Find(range.begin);
    }
  }

  void AddMove(const clock::MoveWork& move,
               std::vector<ByteRange>& ranges) const {
    uint64_t address = move.address;
    const uint64_t bytes = move.burst_bytes;
    if (move.stride == static_cast<int64_t>(bytes)) {
      return Add({address, address + bytes * move.bursts}, ranges);
    }
    for (uint32_t i = 0; i < move.bursts; ++i) {
      Add({address, address + bytes}, ranges);
      address += static_cast<uint64_t>(move.stride);
    }
  }

  void EndPhase(int phase, int block, std::vector<ByteRange>& ranges) {
    clock::JoinRanges(ranges);
    for (const ByteRange& range : ranges) {
      phases_[phase].push_back({range, block});
      clock::AddRange(written_, range);
    }
    pieces_ += ranges.size();
    ranges.clear();
  }

  bool TakeBlock(const clock::BlockLog& log) {
    std::vector<ByteRange> alone;   // since the last meeting
    std::vector<ByteRange> atomic;  // ever
    int phase = 0;
    clock::Sequence::Cursor cursor(log.records);
    clock::Record record;
    while (cursor.Next(record)) {
      switch (record.kind) {
        case clock::Kind::kMove: {
          if (record.pipe == abi::Pipe::kMte2) break;
          const bool is_atomic =
              (record.move.flags & clock::MoveWork::kAtomic) != 0;
          AddMove(record.move, is_atomic ? atomic : alone);
          uint64_t& longest = longest_[log.block];
          longest = std::max(
              longest, uint64_t{record.move.bursts} * record.move.burst_bytes);
          break;
        }
        case clock::Kind::kMeet:
          EndPhase(phase++, log.block, alone);
          break;
        case clock::Kind::kNotify:
        case clock::Kind::kAwait:
        case clock::Kind::kTellCores:
        case clock::Kind::kAwaitCores:
          blocks_wait_ = true;
          break;
        default:
          break;
      }
      if (alone.size() + atomic.size() + pieces_ > kMostRanges) return false;
    }
    EndPhase(phase, log.block, alone);
    clock::JoinRanges(atomic);
    for (const ByteRange& range : atomic) clock::AddRange(written_, range);
    for (const ByteRange& range : log.stored) Add(range, written_);
    return true;
  }

  const std::vector<Area>& areas_;
  std::map<int, std::vector<Piece>> phases_;
  std::map<int, uint64_t> longest_;  // bytes of a move, by block
  std::vector<ByteRange> written_;
  size_t pieces_ = 0;
  bool blocks_wait_ = false;
};

// The first bytes of an area that no range holds. `written` is joined.
std::optional<std::string> FindHole(const std::vector<Area>& areas,
                                    const std::vector<ByteRange>& written) {
  for (const Area& area : areas) {
    uint64_t at = area.bytes.begin;
    auto range = std::ranges::upper_bound(written, at, {}, &ByteRange::end);
    while (at < area.bytes.end && range != written.end() &&
           range->begin <= at) {
      at = range->end;
      ++range;
    }
    if (at >= area.bytes.end) continue;
    const uint64_t end = range == written.end()
                             ? area.bytes.end
                             : std::min(area.bytes.end, range->begin);
    return fmt::format("bytes {} to {} of {}, which has {}, are never written",
                       at - area.bytes.begin, end - area.bytes.begin - 1,
                       area.label, area.bytes.end - area.bytes.begin);
  }
  return std::nullopt;
}

}  // namespace

Coverage CoverageOf(const std::vector<clock::LaunchLog>& launches,
                    const std::vector<std::string>& outputs) {
  Coverage coverage;
  std::vector<ByteRange> written;
  std::vector<Area> areas;
  for (const clock::LaunchLog& log : launches) {
    areas = AreasOf(log, outputs);
    Writes writes(areas);
    if (!writes.Take(log)) {
      coverage.known = false;
      return coverage;
    }
    if (coverage.once) {
      if (auto overlap = writes.FindOverlap()) {
        coverage.once = false;
        coverage.reason = *std::move(overlap);
      }
    }
    for (const ByteRange& range : writes.TakeWritten()) {
      clock::AddRange(written, range);
    }
  }
  clock::JoinRanges(written);
  if (auto hole = FindHole(areas, written)) {
    coverage.complete = false;
    coverage.reason = *std::move(hole);
  }
  return coverage;
}

}  // namespace belay::judge
