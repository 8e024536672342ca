// SPDX-License-Identifier: Apache-2.0
#include "npu/vector/reduction.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/dtype.h"
#include "base/float16.h"
#include "npu/vector/variants.h"

namespace belay::npu {
namespace {

// Elements a pass over memory sums at a time; intermediate sums stay on the
// stack.
constexpr uint32_t kChunk = 4096;

// Elements a flat function sums at once.
constexpr uint32_t kTreeWidth = 64;

// An order of all elements in which NaN is above everything, or below, and -0
// below +0. Equal keys are equal values.
int32_t KeyOf(uint32_t bits, abi::DType dtype, bool greatest) {
  const bool half = dtype == abi::DType::kHalf;
  const uint32_t infinity = half ? 0x7c00u : 0x7f800000u;
  const uint32_t sign = half ? 0x8000u : 0x80000000u;
  const auto magnitude = static_cast<int32_t>(bits & (sign - 1));
  if (static_cast<uint32_t>(magnitude) > infinity) {
    return greatest ? INT32_MAX : INT32_MIN;
  }
  return (bits & sign) != 0 ? -1 - magnitude : magnitude;
}

template <typename T>
void StoreLane(LaneBuffer& buffer, uint32_t lane, T value) {
  std::memcpy(buffer.bytes + lane * sizeof(T), &value, sizeof(T));
}

}  // namespace

Reduction::Reduction(abi::DType dtype, bool saturate)
    : dtype_(dtype),
      saturate_(saturate && dtype == abi::DType::kHalf),
      bytes_(static_cast<uint32_t>(BytesOf(dtype))) {}

uint32_t Reduction::Load(const void* from) const {
  uint32_t element = 0;
  std::memcpy(&element, from, bytes_);
  return element;
}

void Reduction::Store(void* to, uint32_t element) const {
  std::memcpy(to, &element, bytes_);
}

uint32_t Reduction::SumInOrder(const void* from, uint64_t elements) const {
  uint32_t sum = 0;
  Flat().ordered_sum[static_cast<int>(dtype_)][saturate_ ? 1 : 0](
      &sum, from, nullptr, 0, elements);
  return sum;
}

void Reduction::SumGroups(const void* from, uint64_t elements, uint32_t group,
                          void* to) const {
  const FlatFunction pair_sum =
      Flat().pair_sum[static_cast<int>(dtype_)][saturate_ ? 1 : 0];
  if (group == kTreeWidth) {
    Flat().tree_sum_64[static_cast<int>(dtype_)][saturate_ ? 1 : 0](
        to, from, nullptr, 0, elements / kTreeWidth);
    return;
  }
  const auto* source = static_cast<const uint8_t*>(from);
  auto* destination = static_cast<uint8_t*>(to);
  alignas(64) uint8_t scratch[2][kChunk / 2 * sizeof(float)];
  while (elements > 0) {
    const uint64_t chunk = std::min<uint64_t>(elements, kChunk);
    const void* level = source;
    uint64_t left = chunk;
    int side = 0;
    for (uint32_t width = group; width > 1; width /= 2) {
      left /= 2;
      void* sums = width == 2 ? destination : scratch[side];
      pair_sum(sums, level, nullptr, 0, left);
      level = sums;
      side ^= 1;
    }
    source += chunk * bytes_;
    destination += left * bytes_;
    elements -= chunk;
  }
}

const uint8_t* Reduction::Summands(const StridedOperand& source,
                                   uint32_t repeat, const ActiveLanes& active,
                                   uint32_t lanes, LaneBuffer& buffer) const {
  if (active.leading && active.extent == lanes &&
      source.RowsAreContiguous(lanes)) {
    return source.Row(repeat);
  }
  source.Gather(repeat, active, buffer);
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    if (active.Has(lane)) continue;
    if (bytes_ == 2) {
      StoreLane<uint16_t>(buffer, lane, 0x8000u);
    } else {
      StoreLane<uint32_t>(buffer, lane, 0x80000000u);
    }
  }
  return buffer.bytes;
}

Reduction::Best Reduction::BestOfRepeat(const StridedOperand& source,
                                        uint32_t repeat,
                                        const ActiveLanes& active,
                                        bool greatest) const {
  if (active.leading && source.RowsAreContiguous(active.extent)) {
    const uint8_t* row = source.Row(repeat);
    uint32_t lane = 0;
    FirstBest(greatest)(&lane, row, nullptr, 0, active.extent);
    return {Load(row + size_t{lane} * bytes_), lane};
  }
  LaneBuffer lanes;
  source.Gather(repeat, active, lanes);
  return BestOfLanes(lanes, active, 0, kRepeatBytes / bytes_, greatest);
}

Reduction::Best Reduction::BestOfLanes(const LaneBuffer& lanes,
                                       const ActiveLanes& active,
                                       uint32_t first, uint32_t count,
                                       bool greatest) const {
  int32_t included[kMaxLanes];
  bool all = true;
  for (uint32_t i = 0; i < count; ++i) {
    included[i] = active.Has(first + i) ? -1 : 0;
    all = all && included[i] != 0;
  }
  const uint8_t* from = lanes.bytes + size_t{first} * bytes_;
  uint32_t lane = 0;
  FirstBest(greatest)(&lane, from, all ? nullptr : included, 0, count);
  return {Load(from + size_t{lane} * bytes_), first + lane};
}

FlatFunction Reduction::FirstBest(bool greatest) const {
  const auto& table = greatest ? Flat().first_greatest : Flat().first_smallest;
  return table[static_cast<int>(dtype_)];
}

bool Reduction::Beats(uint32_t a, uint32_t b, bool greatest) const {
  const int32_t a_key = KeyOf(a, dtype_, greatest);
  const int32_t b_key = KeyOf(b, dtype_, greatest);
  return greatest ? a_key > b_key : a_key < b_key;
}

uint32_t Reduction::Written(uint32_t value) const {
  const bool half = dtype_ == abi::DType::kHalf;
  const uint32_t infinity = half ? 0x7c00u : 0x7f800000u;
  const uint32_t sign = half ? 0x8000u : 0x80000000u;
  const uint32_t magnitude = value & (sign - 1);
  if (magnitude > infinity) {
    if (saturate_) return 0;
    return half ? 0x7e00u : 0x7fc00000u;
  }
  if (saturate_ && magnitude == infinity) return value - 1;
  return value;
}

}  // namespace belay::npu
