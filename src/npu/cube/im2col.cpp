// SPDX-License-Identifier: Apache-2.0
#include "npu/cube/im2col.h"

#include <algorithm>

namespace belay::npu {
namespace {

// Places of a filter along one axis.
uint64_t PlacesOf(uint64_t size, uint64_t padding, uint64_t filter,
                  uint64_t dilation, uint64_t stride) {
  const uint64_t reach = (filter - 1) * dilation + 1;
  if (size + padding < reach) return 0;
  return (size + padding - reach) / std::max<uint64_t>(stride, 1) + 1;
}

}  // namespace

Im2col::Im2col(const abi::Instruction& instruction)
    : load_(instruction.load3d),
      columns_(FractalColumns(instruction.src0.dtype)),
      element_bits_(static_cast<uint32_t>(BitsOf(instruction.src0.dtype))),
      filter_(uint64_t{load_.filter_width} * load_.filter_height),
      whole_blocks_(load_.channels / columns_),
      rest_(load_.channels % columns_) {
  const abi::Fmatrix& map = load_.fmatrix;
  out_width_ =
      PlacesOf(map.width, map.pad_left + map.pad_right, load_.filter_width,
               load_.dilation_width, load_.stride_width);
  rows_ = out_width_ * PlacesOf(map.height, map.pad_top + map.pad_bottom,
                                load_.filter_height, load_.dilation_height,
                                load_.stride_height);
  const uint64_t points = uint64_t{map.height} * map.width;
  plain_ = filter_ == 1 && load_.stride_width == 1 &&
           load_.stride_height == 1 && rows_ == points;
  map_bytes_ =
      points * (whole_blocks_ * kFractalRowBytes + rest_ * element_bits_ / 8);
}

int64_t Im2col::PointAt(uint64_t row, uint64_t filter_element) const {
  const abi::Fmatrix& map = load_.fmatrix;
  const int64_t y =
      static_cast<int64_t>(row / out_width_ * load_.stride_height) -
      map.pad_top +
      static_cast<int64_t>(filter_element / load_.filter_width *
                           load_.dilation_height);
  const int64_t x =
      static_cast<int64_t>(row % out_width_ * load_.stride_width) -
      map.pad_left +
      static_cast<int64_t>(filter_element % load_.filter_width *
                           load_.dilation_width);
  if (y < 0 || y >= map.height || x < 0 || x >= map.width) return kPadding;
  return y * map.width + x;
}

int64_t Im2col::BlockAt(uint64_t row, uint64_t block) const {
  if (row >= rows_) return kNothing;
  const int64_t points = int64_t{load_.fmatrix.height} * load_.fmatrix.width;
  if (plain_) {
    return (static_cast<int64_t>(block) * points + static_cast<int64_t>(row)) *
           kFractalRowBytes;
  }
  const int64_t point = PointAt(row, block % filter_);
  if (point < 0) return kPadding;
  return (static_cast<int64_t>(block / filter_) * points + point) *
         kFractalRowBytes;
}

int64_t Im2col::ElementAt(uint64_t row, uint64_t column) const {
  const uint64_t packed = packed_from() * columns_;
  if (column < packed) {
    const int64_t block = BlockAt(row, column / columns_);
    if (block < 0) return block;
    return block * 8 / element_bits_ + static_cast<int64_t>(column % columns_);
  }
  const uint64_t behind = column - packed;
  if (row >= rows_ || rest_ == 0 || behind / rest_ >= filter_) return kNothing;
  const int64_t point = PointAt(row, behind / rest_);
  if (point < 0) return kPadding;
  const int64_t points = int64_t{load_.fmatrix.height} * load_.fmatrix.width;
  return static_cast<int64_t>(whole_blocks_ * columns_) * points +
         point * static_cast<int64_t>(rest_) +
         static_cast<int64_t>(behind % rest_);
}

Im2col::Range Im2col::MapRows(uint64_t first, uint64_t last) const {
  if (rows_ == 0 || first >= rows_) return {0, 0};
  last = std::min(last, rows_ - 1);
  const abi::Fmatrix& map = load_.fmatrix;
  const int64_t begin =
      static_cast<int64_t>(first / out_width_ * load_.stride_height) -
      map.pad_top;
  const int64_t end =
      static_cast<int64_t>(last / out_width_ * load_.stride_height) -
      map.pad_top + (load_.filter_height - 1) * load_.dilation_height + 1;
  return {std::clamp<int64_t>(begin, 0, map.height),
          std::clamp<int64_t>(end, 0, map.height)};
}

}  // namespace belay::npu
