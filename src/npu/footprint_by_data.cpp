// SPDX-License-Identifier: Apache-2.0
// Ranges of footprints that follow masks, offsets and lists.

#include <bit>
#include <cstring>

#include "base/dtype.h"
#include "npu/cube/fractal.h"
#include "npu/footprint.h"
#include "npu/vector/transpose.h"

namespace belay::npu::internal {
namespace {

constexpr uint32_t kMaskBits = 128;

// The first lane from `from` on whose bit is (not) set; kMaskBits if none.
uint32_t FindLane(const uint64_t mask[2], uint32_t from, bool set) {
  while (from < kMaskBits) {
    const uint64_t word = set ? mask[from >> 6] : ~mask[from >> 6];
    const uint64_t rest = word >> (from & 63);
    if (rest != 0) {
      return from + static_cast<uint32_t>(std::countr_zero(rest));
    }
    from = (from | 63) + 1;
  }
  return kMaskBits;
}

template <typename F>
void ForEachMaskedRange(const FootprintUse& use, F f) {
  for (uint32_t repeat = 0; repeat < use.repeats; ++repeat) {
    const uint64_t base = use.address + repeat * use.repeat_stride;
    uint32_t lane = FindLane(use.mask, 0, true);
    while (lane < kMaskBits) {
      const uint32_t run = lane / use.lanes_per_run;
      const uint32_t first = run * use.lanes_per_run;
      const uint32_t end =
          std::min(FindLane(use.mask, lane, false), first + use.lanes_per_run);
      const uint64_t at = base + run * use.run_stride;
      f(at + uint64_t{lane - first} * use.lane_bits / 8,
        at + (uint64_t{end - first} * use.lane_bits + 7) / 8);
      lane = FindLane(use.mask, end, true);
    }
  }
}

uint32_t OffsetAt(uint64_t address) {
  uint32_t offset;
  std::memcpy(&offset, reinterpret_cast<const void*>(address), sizeof offset);
  return offset;
}

template <typename F>
void ForEachGathered(const FootprintUse& use, F f) {
  const abi::Instruction& gather = *use.instruction;
  const uint64_t bytes = BytesOf(gather.dst.dtype);
  for (uint32_t repeat = 0; repeat < use.lanes->repeats; ++repeat) {
    for (uint32_t lane = 0; lane < use.lanes->per_repeat; ++lane) {
      if (!use.lanes->Active(repeat, lane)) continue;
      const uint64_t at =
          use.address + gather.scalar +
          OffsetAt(gather.src1.address +
                   LaneOffset(gather.src1, sizeof(uint32_t), repeat, lane));
      f(at, at + bytes);
    }
  }
}

template <typename F>
void ForEachGatheredBlock(const FootprintUse& use, F f) {
  const uint64_t blocks =
      uint64_t{use.lanes->repeats} * (kRepeatBytes / kBlockBytes);
  for (uint64_t block = 0; block < blocks; ++block) {
    const uint64_t at = use.address + OffsetAt(use.instruction->src1.address +
                                               block * sizeof(uint32_t));
    f(at, at + kBlockBytes);
  }
}

// 8-bit elements use one half of each row.
template <typename F>
void ForEachRow(const FootprintUse& use, F f) {
  const abi::Instruction& i = *use.instruction;
  const TransposeRows rows = ReadTransposeRows(i);
  const bool halves = BytesOf(i.dst.dtype) == 1;
  const bool high = use.writes() ? i.lists.destination_high_half != 0
                                 : i.lists.source_high_half != 0;
  const uint64_t bytes = halves ? kBlockBytes / 2 : kBlockBytes;
  const uint64_t skipped = halves && high ? kBlockBytes / 2 : 0;
  const uint64_t* addresses = use.writes() ? rows.destinations : rows.sources;
  const abi::Operand& operand = use.writes() ? i.dst : i.src0;
  for (uint32_t repeat = 0; repeat < use.lanes->repeats; ++repeat) {
    const uint64_t step =
        uint64_t{repeat} * operand.repeat_stride * kBlockBytes + skipped;
    for (uint32_t row = 0; row < kTransposeRows; ++row) {
      f(addresses[row] + step, addresses[row] + step + bytes);
    }
  }
}

template <typename F>
void ForEachNzRow(const FootprintUse& use, F f) {
  const abi::Nd2Nz& copy = use.instruction->nd2nz;
  const uint64_t element = BytesOf(use.dtype);
  const uint64_t blocks = CeilDivide(copy.columns * element, kFractalRowBytes);
  for (uint64_t matrix = 0; matrix < copy.matrices; ++matrix) {
    for (uint64_t block = 0; block < blocks; ++block) {
      for (uint64_t row = 0; row < copy.rows; ++row) {
        const uint64_t at =
            use.address + matrix * copy.destination_matrix_stride * element +
            (block * copy.column_block_stride + row * copy.row_stride) *
                kFractalRowBytes;
        f(at, at + kFractalRowBytes);
      }
    }
  }
}

}  // namespace

void ForEachRangeByData(const FootprintUse& use, void* context,
                        void (*f)(void* context, uint64_t begin,
                                  uint64_t end)) {
  const auto call = [&](uint64_t begin, uint64_t end) {
    f(context, begin, end);
  };
  switch (use.shape) {
    case FootprintUse::Shape::kMasked:
      return ForEachMaskedRange(use, call);
    case FootprintUse::Shape::kOffsets:
      return ForEachGathered(use, call);
    case FootprintUse::Shape::kBlockOffsets:
      return ForEachGatheredBlock(use, call);
    case FootprintUse::Shape::kRows:
      return ForEachRow(use, call);
    case FootprintUse::Shape::kNzRows:
      return ForEachNzRow(use, call);
    case FootprintUse::Shape::kRuns:
      return;
  }
}

}  // namespace belay::npu::internal
