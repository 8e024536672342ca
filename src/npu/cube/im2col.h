// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_CUBE_IM2COL_H_
#define BELAY_NPU_CUBE_IM2COL_H_

// The matrix that LoadData3D takes a part of: a row for each place of the
// filter (along the width, then the height of the feature map), a column for
// each of its elements (channel blocks of 32 bytes outermost, then the filter's
// height, its width, and the channels of the block).
//
// Channels that fill no whole block come last, packed: in the feature map as
// [height][width][rest], in the matrix as [filter height][filter width][rest].

#include <cstdint>

#include "npu/cube/fractal.h"

namespace belay::npu {

class Im2col {
 public:
  explicit Im2col(const abi::Instruction& load);

  // Rows of the matrix; 0 when the filter is larger than the padded map.
  uint64_t rows() const { return rows_; }

  // Where the 32 bytes from column block `block` on lie in row `row`: their
  // offset from the start of the map, kPadding or kNothing (beyond the matrix).
  // Not for blocks of packed channels.
  static constexpr int64_t kPadding = -1;
  static constexpr int64_t kNothing = -2;
  int64_t BlockAt(uint64_t row, uint64_t block) const;

  // The same of one element, by its column; in elements.
  int64_t ElementAt(uint64_t row, uint64_t column) const;

  // From this block on channels are packed.
  uint64_t packed_from() const { return whole_blocks_ * filter_; }

  // Bytes of the feature map from its start to its end.
  uint64_t map_bytes() const { return map_bytes_; }

  // Rows of the map (along its height) that matrix rows [first, last] use,
  // clamped to the map; empty when end <= begin.
  struct Range {
    int64_t begin;
    int64_t end;
  };
  Range MapRows(uint64_t first, uint64_t last) const;

  // Whether matrix rows are the points of the map, one by one.
  bool plain() const { return plain_; }

  uint64_t whole_blocks() const { return whole_blocks_; }
  uint64_t filter() const { return filter_; }

 private:
  // The place in the map for a row and an element of the filter; negative for
  // padding.
  int64_t PointAt(uint64_t row, uint64_t filter_element) const;

  const abi::Load3D& load_;
  uint32_t columns_;  // elements in a block
  uint32_t element_bits_;
  uint64_t filter_;        // elements of the filter
  uint64_t whole_blocks_;  // of channels
  uint64_t rest_;          // packed channels
  uint64_t out_width_ = 0;
  uint64_t rows_ = 0;
  bool plain_ = false;  // rows are the points of the map, one by one
  uint64_t map_bytes_;
};

}  // namespace belay::npu

#endif  // BELAY_NPU_CUBE_IM2COL_H_
