// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_RACE_SHADOW_H_
#define BELAY_CHECK_RACE_SHADOW_H_

// For every byte of the chip, the accesses a later one could race with.
//
// Addresses are split into pages. A page is a few intervals of equal history
// while that suffices, and an array of equal granules when it is fragmented; a
// write to the whole page makes it one interval again. Memory: 32 bytes for
// each piece of its own history, at most 32 times the memory that is touched.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "belay/instruction.h"

namespace belay::check {

// One earlier access, in eight bytes.
struct RaceAccess {
  enum class Kind : uint8_t { kRead, kWrite, kAtomic };

  uint32_t count = 0;  // of its pipe's clock; 0: none
  uint16_t site = 0;   // where in the kernel
  uint8_t slot = 0;    // of its core
  uint8_t bits = 0;    // pipe, kind, and how it was made

  static constexpr uint8_t Bits(abi::Pipe pipe, Kind kind, bool tensor,
                                bool direct) {
    return static_cast<uint8_t>(static_cast<int>(pipe) |
                                static_cast<int>(kind) << 3 | tensor << 5 |
                                direct << 6);
  }
  abi::Pipe pipe() const { return static_cast<abi::Pipe>(bits & 7); }
  Kind kind() const { return static_cast<Kind>(bits >> 3 & 3); }
  bool tensor() const { return (bits >> 5 & 1) != 0; }  // auto-sync sees it
  // Past the data cache, or by a line loaded anew on purpose.
  bool direct() const { return (bits >> 6 & 1) != 0; }
  bool cached() const { return pipe() == abi::Pipe::kS && !direct(); }

  bool SameThread(const RaceAccess& other) const {
    return slot == other.slot && bits == other.bits;
  }
  bool operator==(const RaceAccess& other) const {
    return std::bit_cast<uint64_t>(*this) == std::bit_cast<uint64_t>(other);
  }
};
static_assert(sizeof(RaceAccess) == sizeof(uint64_t));

// The history of some bytes: the last write, and the reads and atomic writes
// since, the last of each core, pipe and manner. Packed to the front.
class RaceCell {
 public:
  RaceCell() = default;
  RaceCell(const RaceCell& other) { *this = other; }
  RaceCell(RaceCell&&) = default;
  RaceCell& operator=(RaceCell&&) = default;
  RaceCell& operator=(const RaceCell& other);

  template <typename F>
  void ForEach(F f) const {
    for (const RaceAccess& access : few_) {
      if (access.count == 0) return;
      f(access);
    }
    if (more_ == nullptr) return;
    for (const RaceAccess& access : *more_) f(access);
  }

  // A write: what was before does not matter to those who are ordered behind
  // it.
  void Reset(const RaceAccess& access) {
    few_ = {access};
    if (more_ != nullptr) more_.reset();
  }
  // A read or an atomic write.
  void Put(const RaceAccess& access) {
    for (RaceAccess& old : few_) {
      if (old.count == 0 || old.SameThread(access)) {
        old = access;
        return;
      }
    }
    PutBehind(access);
  }

  bool Equals(const RaceCell& other) const {
    return few_ == other.few_ &&
           ((more_ == nullptr && other.more_ == nullptr) ||
            EqualsBehind(other));
  }

  // The first entries, and whether these are all.
  static constexpr int kFew = 3;
  const std::array<RaceAccess, kFew>& few() const { return few_; }
  bool has_few() const { return more_ == nullptr; }

 private:
  void PutBehind(const RaceAccess& access);
  bool EqualsBehind(const RaceCell& other) const;

  std::array<RaceAccess, kFew> few_{};
  std::unique_ptr<std::vector<RaceAccess>> more_;
};

class RaceShadow {
 public:
  // Calls f(cell, begin, end) for the pieces of [begin, end), each of one
  // history; f brings the cell up to date. `resets`: f makes all pieces equal.
  template <typename F>
  void Visit(uint64_t begin, uint64_t end, bool resets, F f) {
    while (begin < end) {
      const uint64_t stop = std::min(end, (begin | (kPageBytes - 1)) + 1);
      VisitPage(PageAt(begin), begin, stop, resets, f);
      begin = stop;
    }
  }

  // Calls f(cell, begin, end) for the pieces of [begin, end) without changing
  // anything; bytes nobody touched are left out.
  template <typename F>
  void Look(uint64_t begin, uint64_t end, F f) const {
    while (begin < end) {
      const uint64_t stop = std::min(end, (begin | (kPageBytes - 1)) + 1);
      const Page* page = FindPage(begin);
      if (page != nullptr) LookPage(*page, begin, stop, f);
      begin = stop;
    }
  }

  void Clear();

 private:
  static constexpr uint64_t kPageBytes = 4096;
  static constexpr uint64_t kChunkPages = 256;
  static constexpr int kMaxIntervals = 12;

  struct Page {
    // Intervals: `intervals` of them, starting at start[i], each with a cell.
    // Granules: `intervals` is 0 and cells[i] are the bytes from i << shift.
    uint8_t intervals = 0;
    uint8_t shift = 0;
    std::array<uint16_t, kMaxIntervals> start{};
    std::vector<RaceCell> cells;  // empty: never touched
  };
  using Chunk = std::array<Page, kChunkPages>;

  Page& PageAt(uint64_t address) {
    const uint64_t number = address / kPageBytes;
    if (number != last_number_) {
      last_page_ = &LoadPage(number);
      last_number_ = number;
    }
    return *last_page_;
  }
  Page& LoadPage(uint64_t number);
  const Page* FindPage(uint64_t address) const;

  // The interval that holds `offset`.
  static int Holding(const Page& page, uint32_t offset) {
    int at = page.intervals - 1;
    while (page.start[at] > offset) --at;
    return at;
  }
  static uint32_t EndOf(const Page& page, int interval) {
    return interval + 1 < page.intervals ? page.start[interval + 1]
                                         : static_cast<uint32_t>(kPageBytes);
  }
  // Makes an interval start at `offset`, and returns which; -1 when there is
  // no room.
  static int SplitAt(Page& page, uint32_t offset);
  static void Erase(Page& page, int first, int last);
  static void MergeEqual(Page& page, int first, int last);
  static void ToGranules(Page& page, uint32_t begin, uint32_t end);
  static void ToOneInterval(Page& page);

  template <typename F>
  static void VisitPage(Page& page, uint64_t begin, uint64_t end, bool resets,
                        F& f) {
    const uint64_t base = begin & ~(kPageBytes - 1);
    const auto from = static_cast<uint32_t>(begin - base);
    const auto to = static_cast<uint32_t>(end - base);
    if (page.intervals == 1 && to - from == kPageBytes) {
      f(page.cells[0], begin, end);
      return;
    }
    if (page.intervals != 0) {
      const int held = Holding(page, from);
      if (page.start[held] == from && EndOf(page, held) == to) {
        f(page.cells[held], begin, end);
        if (!resets) MergeEqual(page, held - 1, held + 1);
        return;
      }
      const int first = SplitAt(page, from);
      const int behind = first < 0          ? -1
                         : to == kPageBytes ? page.intervals
                                            : SplitAt(page, to);
      if (behind >= 0) {
        for (int i = first; i < behind; ++i) {
          f(page.cells[i], base + page.start[i], base + EndOf(page, i));
        }
        if (resets) {
          if (behind - first > 1) Erase(page, first + 1, behind);
        } else {
          MergeEqual(page, first - 1, behind);
        }
        return;
      }
    }
    if (page.intervals != 0 || ((from | to) & ((1u << page.shift) - 1)) != 0) {
      ToGranules(page, from, to);
    }
    const uint64_t granule = uint64_t{1} << page.shift;
    for (uint64_t at = begin; at < end; at += granule) {
      f(page.cells[(at - base) >> page.shift], at, at + granule);
    }
    if (resets && to - from == kPageBytes) ToOneInterval(page);
  }

  template <typename F>
  static void LookPage(const Page& page, uint64_t begin, uint64_t end, F& f) {
    const uint64_t base = begin & ~(kPageBytes - 1);
    const auto from = static_cast<uint32_t>(begin - base);
    const auto to = static_cast<uint32_t>(end - base);
    if (page.intervals != 0) {
      for (int i = Holding(page, from); i < page.intervals; ++i) {
        if (page.start[i] >= to) return;
        f(page.cells[i], base + std::max<uint32_t>(page.start[i], from),
          base + std::min(EndOf(page, i), to));
      }
      return;
    }
    for (uint32_t i = from >> page.shift; i << page.shift < to; ++i) {
      f(page.cells[i], base + std::max(i << page.shift, from),
        base + std::min((i + 1) << page.shift, to));
    }
  }

  // Chunks by number, and those used last, by their low bits.
  struct Recent {
    uint64_t number = ~uint64_t{0};
    Chunk* chunk = nullptr;
  };
  static constexpr size_t kRecent = 64;
  std::unordered_map<uint64_t, std::unique_ptr<Chunk>> chunks_;
  std::array<Recent, kRecent> recent_{};
  uint64_t last_number_ = ~uint64_t{0};
  Page* last_page_ = nullptr;
};

}  // namespace belay::check

#endif  // BELAY_CHECK_RACE_SHADOW_H_
