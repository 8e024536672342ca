// SPDX-License-Identifier: Apache-2.0
// Sort32 and MrgSort on the shadow. The chip's own code sorts the values with
// numbers in place of the indices, which then tell where each pair came from.
// Defined and undefined values sorted together are a finding; values that are
// all undefined give undefined pairs.

#include <array>
#include <cstring>
#include <vector>

#include "base/dtype.h"
#include "check/init_lanes.h"
#include "npu/execute.h"
#include "npu/vector/sort.h"

namespace belay::check {
namespace {

using npu::kBlockBytes;
using npu::kPairBytes;

constexpr uint32_t kSorted = 32;

uint64_t AddressOf(const void* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

// Runs one repeat of the instruction.
void SortOnce(abi::Instruction sort) {
  npu::Lanes one;
  one.per_repeat = kSorted;
  one.repeats = 1;
  npu::SetLeadingLanes(kSorted, one.mask);
  npu::VectorState state;
  sort.repeat = 1;
  npu::ExecuteVector(sort, one, state);
}

// What becomes of the pairs of one repeat.
enum class Outcome { kOrdered, kUndefined };

// Counts values, then decides; notes a mixture.
struct Values {
  uint64_t total = 0;
  uint64_t undefined = 0;
  uint64_t first = 0;

  void Add(const LaneWork& work, uint64_t address, uint32_t bytes) {
    ++total;
    if (!AnySet(work.shadow.ShadowOf(address), bytes)) return;
    if (undefined++ == 0) first = address;
  }
  Outcome Judge(LaneWork& work, uint32_t bytes) const {
    if (undefined == 0) return Outcome::kOrdered;
    if (undefined == total || !work.judges) return Outcome::kUndefined;
    work.reached.Note(Sink::kSort, first, bytes);
    return Outcome::kOrdered;
  }
};

uint32_t NumberOf(const uint8_t* pair) {
  uint32_t number;
  std::memcpy(&number, pair + 4, sizeof number);
  return number;
}

}  // namespace

void PropagateSort(LaneWork& work) {
  const abi::Instruction& sort = work.instruction();
  const auto bytes = static_cast<uint32_t>(BytesOf(sort.src0.dtype));
  std::array<uint32_t, kSorted> numbers;
  for (uint32_t i = 0; i < kSorted; ++i) numbers[i] = i;
  for (uint32_t repeat = 0; repeat < work.lanes().repeats; ++repeat) {
    const auto row = [&](const abi::Operand& operand) {
      return operand.address +
             uint64_t{repeat} * operand.repeat_stride * kBlockBytes;
    };
    Values values;
    for (uint32_t i = 0; i < kSorted; ++i) {
      values.Add(work, row(sort.src0) + i * bytes, bytes);
    }
    uint8_t shadow[kSorted][kPairBytes];
    if (values.Judge(work, bytes) == Outcome::kUndefined) {
      std::memset(shadow, 0xff, sizeof shadow);
    } else {
      uint8_t pairs[kSorted][kPairBytes];
      abi::Instruction tagged = sort;
      tagged.dst.address = AddressOf(pairs);
      tagged.src0.address = row(sort.src0);
      tagged.src1.address = AddressOf(numbers.data());
      SortOnce(tagged);
      // Values are defined by now; indices are as they were.
      std::memset(shadow, 0, sizeof shadow);
      for (uint32_t i = 0; i < kSorted; ++i) {
        std::memcpy(
            shadow[i] + 4,
            work.shadow.ShadowOf(row(sort.src1) + NumberOf(pairs[i]) * 4), 4);
      }
    }
    std::memcpy(work.shadow.ShadowOf(row(sort.dst)), shadow, sizeof shadow);
  }
}

void PropagateMerge(LaneWork& work) {
  const abi::Instruction& merge = work.instruction();
  const auto bytes = static_cast<uint32_t>(BytesOf(merge.dst.dtype));
  const npu::MergeCounts lengths = npu::MergeLengths(merge);
  uint64_t total = 0;
  for (const uint32_t length : lengths) total += length;
  const uint64_t step = total * kPairBytes;
  uint64_t to = merge.dst.address;
  std::vector<uint8_t> tagged_pairs(step);
  std::vector<uint8_t> merged(step);
  std::vector<uint8_t> shadow(step);
  std::vector<uint64_t> places(total);
  for (uint32_t repeat = 0; repeat < work.lanes().repeats; ++repeat) {
    abi::Instruction tagged = merge;
    tagged.dst.address = AddressOf(merged.data());
    Values values;
    uint32_t number = 0;
    for (int list = 0; list < npu::kMergeLists; ++list) {
      if (lengths[list] == 0) continue;
      const uint64_t from = merge.merge.list[list] + repeat * step;
      uint8_t* copy = tagged_pairs.data() + uint64_t{number} * kPairBytes;
      tagged.merge.list[list] = AddressOf(copy);
      std::memcpy(copy, reinterpret_cast<const void*>(from),
                  uint64_t{lengths[list]} * kPairBytes);
      for (uint32_t i = 0; i < lengths[list]; ++i, ++number) {
        values.Add(work, from + i * kPairBytes, bytes);
        places[number] = from + i * kPairBytes;
        std::memcpy(copy + i * kPairBytes + 4, &number, sizeof number);
      }
    }
    uint64_t written = 0;
    for (const uint32_t taken : npu::MergeTaken(tagged)) written += taken;
    if (values.Judge(work, bytes) == Outcome::kUndefined) {
      std::memset(shadow.data(), 0xff, written * kPairBytes);
    } else {
      SortOnce(tagged);
      for (uint64_t i = 0; i < written; ++i) {
        uint8_t* pair = shadow.data() + i * kPairBytes;
        std::memcpy(pair,
                    work.shadow.ShadowOf(
                        places[NumberOf(merged.data() + i * kPairBytes)]),
                    kPairBytes);
        // Values are defined by now.
        std::memset(pair, 0, bytes);
      }
    }
    std::memcpy(work.shadow.ShadowOf(to), shadow.data(), written * kPairBytes);
    to += written * kPairBytes;
  }
}

}  // namespace belay::check
