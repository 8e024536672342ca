// SPDX-License-Identifier: Apache-2.0
#include "clock/footprint_end.h"

#include <algorithm>
#include <bit>

namespace belay::clock {
namespace {

using Shape = npu::FootprintUse::Shape;

uint64_t Extent(const npu::FootprintUse& use, const npu::RunPattern& pattern) {
  if (pattern.last_bytes != 0) {
    return pattern.runs * use.run_stride + pattern.last_bytes;
  }
  return pattern.runs == 0
             ? 0
             : (pattern.runs - 1) * use.run_stride + use.run_bytes;
}

uint64_t ExtentOfMask(const npu::FootprintUse& use) {
  const uint64_t lanes = use.mask[1] != 0 ? 64 + std::bit_width(use.mask[1])
                                          : std::bit_width(use.mask[0]);
  if (lanes == 0) return 0;
  const uint64_t last = lanes - 1;
  return last / use.lanes_per_run * use.run_stride +
         ((last % use.lanes_per_run + 1) * use.lane_bits + 7) / 8;
}

}  // namespace

uint64_t EndOf(const npu::FootprintUse& use) {
  const bool masked = use.shape == Shape::kMasked;
  const uint64_t body = masked ? ExtentOfMask(use) : Extent(use, use.body);
  uint64_t end = 0;
  if (use.repeats > 0 && body > 0) {
    end = (use.repeats - 1) * use.repeat_stride + body;
  }
  if (const uint64_t tail = masked ? 0 : Extent(use, use.tail); tail > 0) {
    end = std::max(end, use.repeats * use.repeat_stride + tail);
  }
  return use.address + end;
}

}  // namespace belay::clock
