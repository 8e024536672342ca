// SPDX-License-Identifier: Apache-2.0
// Sort32 and MrgSort: (value, index) pairs by falling value.
//
// A pair has the value in its low bytes, the index in the upper four; with half
// values the two bytes between are 0. Of equal values the one that stood first
// stays first, zeros being equal. NaN comes before all numbers (page TopK).
// A list that is empty from the start counts as exhausted.

#include "npu/vector/sort.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/dtype.h"
#include "npu/vector/families.h"

namespace belay::npu {
namespace {

constexpr uint32_t kSorted = 32;

// Keys that rise as values rise, equal for equal ones.
uint32_t KeyOfFloat(uint32_t bits) {
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0xffffffffu;
  return bits == magnitude ? 0x80000000u + magnitude : 0x80000000u - magnitude;
}

uint32_t KeyOfHalf(uint16_t bits) {
  const uint32_t magnitude = bits & 0x7fffu;
  if (magnitude > 0x7c00u) return 0xffffu;
  return bits == magnitude ? 0x8000u + magnitude : 0x8000u - magnitude;
}

uint32_t KeyAt(const uint8_t* at, bool is_half) {
  if (is_half) {
    uint16_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return KeyOfHalf(bits);
  }
  uint32_t bits;
  std::memcpy(&bits, at, sizeof bits);
  return KeyOfFloat(bits);
}

// The lists of one repeat, taken from in the order of their values.
class Merger {
 public:
  Merger(const abi::Instruction& merge, uint64_t repeat)
      : left_(MergeLengths(merge)),
        is_half_(merge.dst.dtype == abi::DType::kHalf),
        stops_(merge.merge.stop_when_exhausted != 0) {
    const uint64_t step =
        std::accumulate(left_.begin(), left_.end(), uint64_t{0}) * kPairBytes;
    for (int list = 0; list < kMergeLists; ++list) {
      if ((merge.merge.valid >> list & 1) == 0) continue;
      if (left_[list] == 0) {
        exhausted_ = true;
        continue;
      }
      at_[list] = reinterpret_cast<const uint8_t*>(merge.merge.list[list]) +
                  repeat * step;
      key_[list] = KeyAt(at_[list], is_half_);
    }
  }

  // The list the next pair comes from, or -1 at the end.
  int Next() const {
    if (stops_ && exhausted_) return -1;
    int best = -1;
    for (int list = 0; list < kMergeLists; ++list) {
      if (left_[list] == 0) continue;
      if (best < 0 || key_[list] > key_[best]) best = list;
    }
    return best;
  }

  // Takes that pair.
  const uint8_t* Take(int list) {
    const uint8_t* pair = at_[list];
    ++taken_[list];
    at_[list] += kPairBytes;
    if (--left_[list] == 0) {
      exhausted_ = true;
    } else {
      key_[list] = KeyAt(at_[list], is_half_);
    }
    return pair;
  }

  const MergeCounts& taken() const { return taken_; }

 private:
  MergeCounts left_;
  MergeCounts taken_{};
  const uint8_t* at_[kMergeLists] = {};
  uint32_t key_[kMergeLists] = {};
  bool is_half_;
  bool stops_;
  bool exhausted_ = false;
};

}  // namespace

MergeCounts MergeLengths(const abi::Instruction& merge) {
  MergeCounts lengths{};
  for (int list = 0; list < kMergeLists; ++list) {
    if ((merge.merge.valid >> list & 1) == 0) continue;
    lengths[list] = merge.merge.count[list];
  }
  return lengths;
}

MergeCounts MergeTaken(const abi::Instruction& merge) {
  if (merge.merge.stop_when_exhausted == 0) return MergeLengths(merge);
  Merger merger(merge, 0);
  for (int list = merger.Next(); list >= 0; list = merger.Next()) {
    merger.Take(list);
  }
  return merger.taken();
}

bool MayRepeatMerge(const abi::Instruction& merge) {
  const abi::Merge& lists = merge.merge;
  if (lists.valid != 0xf || lists.stop_when_exhausted != 0) return false;
  for (int list = 1; list < kMergeLists; ++list) {
    if (lists.count[list] != lists.count[0] ||
        lists.list[list] !=
            lists.list[list - 1] + uint64_t{lists.count[0]} * kPairBytes) {
      return false;
    }
  }
  return true;
}

void ExecuteSort32(const abi::Instruction& instruction, const Lanes& lanes) {
  const bool is_half = instruction.src0.dtype == abi::DType::kHalf;
  const uint32_t bytes = is_half ? 2 : 4;
  const auto row_of = [](const abi::Operand& operand, uint32_t repeat) {
    return reinterpret_cast<uint8_t*>(operand.address) +
           uint64_t{repeat} * operand.repeat_stride * kBlockBytes;
  };
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    const uint8_t* values = row_of(instruction.src0, repeat);
    const uint8_t* indices = row_of(instruction.src1, repeat);
    // The greater value, then the earlier place, makes the greater key.
    uint64_t keys[kSorted];
    for (uint32_t i = 0; i < kSorted; ++i) {
      keys[i] = uint64_t{KeyAt(values + i * bytes, is_half)} << 32 |
                (kSorted - 1 - i);
    }
    std::sort(std::begin(keys), std::end(keys), std::greater<>());
    uint8_t pairs[kSorted][kPairBytes] = {};
    for (uint32_t i = 0; i < kSorted; ++i) {
      const uint64_t from = kSorted - 1 - (keys[i] & (kSorted - 1));
      std::memcpy(pairs[i], values + from * bytes, bytes);
      std::memcpy(pairs[i] + 4, indices + from * 4, 4);
    }
    std::memcpy(row_of(instruction.dst, repeat), pairs, sizeof pairs);
  }
}

void ExecuteMrgSort(const abi::Instruction& instruction, const Lanes& lanes,
                    VectorState& state) {
  auto* to = reinterpret_cast<uint8_t*>(instruction.dst.address);
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    Merger merger(instruction, repeat);
    for (int list = merger.Next(); list >= 0; list = merger.Next()) {
      std::memcpy(to, merger.Take(list), kPairBytes);
      to += kPairBytes;
    }
    for (int list = 0; list < kMergeLists; ++list) {
      state.merged[list] = static_cast<uint16_t>(merger.taken()[list]);
    }
  }
}

}  // namespace belay::npu
