// SPDX-License-Identifier: Apache-2.0
#include "clock/bank_conflicts.h"

#include <algorithm>
#include <array>
#include <optional>

namespace belay::clock {
namespace {

constexpr uint32_t kGroups = 16;
constexpr uint32_t kBlocksPerBankId = 0x10000 / 32;  // 64 KB of UB
constexpr uint32_t kOperandBlocks = 8;
// As many as one group could have to serve: all blocks of two operands.
constexpr uint32_t kMaxSlots = 2 * kOperandBlocks;

uint32_t GroupOf(uint32_t block) { return block % kGroups; }

// A bit for each bank.
uint64_t BankOf(uint32_t block) {
  return uint64_t{1} << (block / kBlocksPerBankId % 4 * kGroups +
                         GroupOf(block));
}

// Blocks in the cycles they can be accessed in: each goes to the first one in
// which its group is free.
class Slots {
 public:
  void Clear() {
    count_ = 0;
    used_.fill(0);
    blocks_count_ = 0;
  }

  // Blocks [from, to) of repeat `repeat`. The same block comes once.
  void Add(const BankAccess& access, uint32_t repeat, uint32_t from,
           uint32_t to) {
    const uint32_t base = access.first + repeat * access.repeat_stride;
    for (uint32_t i = from; i < to; ++i) {
      if ((access.blocks >> i & 1) != 0) {
        AddBlock(base + i * access.block_stride);
      }
    }
  }

  uint32_t count() const { return count_; }
  uint64_t banks(uint32_t slot) const { return banks_[slot]; }

 private:
  void AddBlock(uint32_t block) {
    uint8_t& used = used_[GroupOf(block)];
    if (used != 0 && std::find(blocks_.begin(), blocks_.begin() + blocks_count_,
                               block) != blocks_.begin() + blocks_count_) {
      return;
    }
    blocks_[blocks_count_++] = block;
    if (used == count_) banks_[count_++] = 0;
    banks_[used++] |= BankOf(block);
  }

  uint32_t count_ = 0;
  std::array<uint64_t, kMaxSlots> banks_;
  std::array<uint8_t, kGroups> used_{};
  uint32_t blocks_count_ = 0;
  std::array<uint32_t, kMaxSlots> blocks_;
};

// The writes of the repeats, in order: each begins when it is ready and the one
// before it is done.
class Writes {
 public:
  Writes(const BankAccess& access, uint32_t delay)
      : access_(access), delay_(delay) {}

  // The sources of the next repeat were read up to `cycle`.
  void Read(uint64_t cycle) { ready_[read_++ % kRing] = cycle + delay_; }

  // Banks written in `cycle`. Cycles must not go back.
  uint64_t BanksAt(uint64_t cycle) {
    while (true) {
      if (cycle < end_) {
        return cycle < begin_ ? 0 : slots_.banks(cycle - begin_);
      }
      if (written_ == read_) return 0;
      Begin();
    }
  }

  // No more results can wait to be written.
  bool IsFull() const { return read_ - written_ >= kRing; }
  // When the first of those that wait begins to be written.
  uint64_t FreeFrom() {
    Begin();
    return begin_;
  }

  uint64_t Finish() {
    while (written_ != read_) Begin();
    return end_;
  }

 private:
  static constexpr uint64_t kRing = 64;

  void Begin() {
    slots_.Clear();
    slots_.Add(access_, static_cast<uint32_t>(written_), 0, kOperandBlocks);
    begin_ = std::max(end_, ready_[written_ % kRing]);
    end_ = begin_ + std::max<uint32_t>(slots_.count(), 1);
    ++written_;
  }

  const BankAccess& access_;
  const uint32_t delay_;
  std::array<uint64_t, kRing> ready_;
  uint64_t read_ = 0;
  uint64_t written_ = 0;
  uint64_t begin_ = 0;
  uint64_t end_ = 0;
  Slots slots_;
};

// Whole rows below the operand in its bank; nothing when it spans two banks.
std::optional<uint32_t> RowsBelow(const BankAccess& access, uint32_t repeats) {
  const uint64_t last = access.first +
                        uint64_t{repeats - 1} * access.repeat_stride +
                        uint64_t{kOperandBlocks - 1} * access.block_stride;
  if (access.first / kBlocksPerBankId != last / kBlocksPerBankId) {
    return std::nullopt;
  }
  return access.first % kBlocksPerBankId / kGroups;
}

}  // namespace

BankPattern Lowered(const BankPattern& pattern) {
  BankPattern lowered = pattern;
  if (pattern.repeats == 0) return lowered;
  const std::optional<uint32_t> write =
      RowsBelow(pattern.write, pattern.repeats);
  const std::optional<uint32_t> first =
      RowsBelow(pattern.read[0], pattern.repeats);
  const std::optional<uint32_t> second =
      RowsBelow(pattern.read[1], pattern.repeats);
  if (write) lowered.write.first -= *write * kGroups;
  if (!first || !second) return lowered;
  // Sources of one bank stay as far apart as they are: they may share blocks.
  const bool together = pattern.read[0].first / kBlocksPerBankId ==
                        pattern.read[1].first / kBlocksPerBankId;
  const uint32_t least = std::min(*first, *second);
  lowered.read[0].first -= (together ? least : *first) * kGroups;
  lowered.read[1].first -= (together ? least : *second) * kGroups;
  return lowered;
}

BankConflicts CountBankConflicts(const BankPattern& pattern,
                                 uint32_t write_delay) {
  if (pattern.repeats == 0) return {};
  Writes writes(pattern.write, write_delay);
  Slots slots;
  BankConflicts conflicts;
  uint64_t cycle = 0;
  const uint32_t per_beat = kOperandBlocks / pattern.beats;
  for (uint32_t repeat = 0; repeat < pattern.repeats; ++repeat) {
    if (writes.IsFull()) cycle = std::max(cycle, writes.FreeFrom());
    const uint64_t begin = cycle;
    uint64_t waited = 0;
    for (uint32_t beat = 0; beat < pattern.beats; ++beat) {
      slots.Clear();
      for (const BankAccess& read : pattern.read) {
        // Sources that stay in place are read once.
        if (repeat > 0 && read.repeat_stride == 0) continue;
        slots.Add(read, repeat, beat * per_beat, (beat + 1) * per_beat);
      }
      for (uint32_t slot = 0; slot < slots.count(); ++slot) {
        while ((writes.BanksAt(cycle) & slots.banks(slot)) != 0) {
          ++cycle;
          ++waited;
        }
        ++cycle;
      }
      if (slots.count() == 0) ++cycle;
    }
    cycle = std::max(cycle, begin + pattern.interval + waited);
    if (pattern.write.blocks != 0) writes.Read(cycle - 1);
    conflicts.delayed += static_cast<uint32_t>(waited);
  }
  const uint64_t written =
      pattern.write.blocks == 0 ? cycle : writes.Finish() - write_delay;
  const uint64_t total = std::max(cycle, written);
  const uint64_t least = uint64_t{pattern.repeats} * pattern.interval;
  const uint64_t lost = total - std::min(total, least);
  conflicts.delayed =
      static_cast<uint32_t>(std::min<uint64_t>(conflicts.delayed, lost));
  conflicts.conflict_cycles = static_cast<uint32_t>(lost - conflicts.delayed);
  return conflicts;
}

}  // namespace belay::clock
