// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_LAYOUT_H_
#define BELAY_CRUX_SELECT_LAYOUT_H_

// How the elements of a tile lie in the Unified Buffer.
//
// Axes behind the last one whose capacity is not the constant 1 take no part. A
// tile with one axis left is contiguous; with more it is row-major, its last
// axis padded to a pitch of whole 32-byte blocks. One kernel pads all its tiles
// to the same number of elements, so tiles of equal dims and different dtypes
// have equal strides.
//
// Rows on lanes (passes/lanes.h) are whole periods of bank groups long. Their
// pitch is 64 bytes of f32 more: the same block of eight columns lies in eight
// groups. Many short rows (Padding::rows) have a pitch that is no multiple of 32
// elements for the same reason: an instruction may take a block of each of
// eight rows. They are rows that run at a time, or those of a piece.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crux/ir/tile.h"

namespace belay::crux::select {

// Rows of so many elements at most are taken eight at a time: strides have 8
// bits, in blocks.
inline constexpr int64_t kLongestOfEight = 2032;
inline constexpr int64_t kLongestOfEightHalves = 16 * 255;  // of 16 bits

// Of all tiles of a kernel.
struct Padding {
  int64_t elements = 8;            // a pitch is a multiple of
  std::vector<std::string> lanes;  // host values that count rows on lanes
  // Host values that count rows which may be taken eight at a time.
  std::vector<std::string> rows;
  int64_t longest = kLongestOfEight;  // elements of rows that lie apart so

  bool IsInEights(const std::string& name) const;
};

// After so many bytes bank groups repeat.
inline constexpr int64_t kPeriodOfBanks = 512;
inline constexpr int64_t kHalfPeriod = kPeriodOfBanks / 2;

// Elements between columns of rows on lanes.
inline constexpr int64_t kBesideLanes = 16;

struct Layout {
  std::vector<ir::Dim> dims;     // of the tile
  std::vector<ir::Int> strides;  // in elements; 0 for axes that take no part
  int last = -1;                 // the axis that is contiguous; -1: one element
  ir::Int pitch;     // elements between rows; the capacity without rows
  ir::Int elements;  // that its buffer holds, padding included
  // Has several columns of rows on lanes. Instructions on all of it take whole
  // repeats of 64 elements.
  bool on_lanes = false;

  // One row, or one element: no padding inside.
  bool is_flat() const;
  // Elements from the first to the last valid one, padding of rows included:
  // what an operation on every lane works on.
  ir::Int Count() const;
  // Of the element at `indices`, one for each axis.
  ir::Int Offset(const std::vector<ir::Int>& indices) const;
  // Rows: the product of the sizes of all axes before `last`. 1 without.
  ir::Int Rows() const;
};

Padding PaddingOf(const ir::Kernel& kernel);

Layout LayoutOf(const std::vector<ir::Dim>& dims, const Padding& padding);

// Whether the same block of eight rows lies in every other bank group; else in
// eight that follow each other.
bool HasEveryOtherGroup(const Padding& padding);

// Of all tiles of a kernel, each worked out when it is first asked for. The
// kernel must outlive it and stay as it is.
class Layouts {
 public:
  explicit Layouts(const ir::Kernel& kernel)
      : kernel_(kernel),
        padding_(PaddingOf(kernel)),
        known_(kernel.tiles.size()) {}

  const Padding& padding() const { return padding_; }
  const Layout& operator[](int tile) const;

 private:
  const ir::Kernel& kernel_;
  Padding padding_;
  mutable std::vector<std::optional<Layout>> known_;  // by tile
};

// Whether an axis counts rows on lanes.
bool CountsLanes(const ir::Int& capacity, const Padding& padding);

// Whether tiles have two axes, and rows, or columns of rows on lanes, that lie
// apart in banks: what is reduced along the first takes several at a time.
bool FoldsSlices(const Layout& layout, const Padding& padding);

// Whether the same element has the same place in both (of tiles of as many
// elements in row-major order).
bool SamePlaces(const Layout& a, const Layout& b);
bool SamePlaces(const std::vector<ir::Dim>& a, const std::vector<ir::Dim>& b);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_LAYOUT_H_
