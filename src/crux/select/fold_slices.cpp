// SPDX-License-Identifier: Apache-2.0
#include "crux/select/fold_slices.h"

#include <vector>

namespace belay::crux::select {
namespace {

// Slices of `columns` elements, reduced to one.
struct Slices {
  Local dst;
  Local src;
  Int count;
  Int pitch;  // between slices, in elements
  Int columns;
};

class SliceFolder {
 public:
  SliceFolder(Emitter& emitter, const Fold& fold, DType dtype)
      : emitter_(emitter), fold_(fold), dtype_(dtype) {}

  // A repeat of all slices at a time, which meet in it, where these are fewer
  // than slices are; else one slice after the other.
  void Run(const Slices& slices) {
    const Int reaches =
        Less(slices.pitch, (kLongestStride + 1) * LanesOfBlock(dtype_));
    const Int fewer =
        Less(CeilDiv(slices.columns, LanesOfRepeat(dtype_)), slices.count);
    emitter_.If(
        Int::Of(ir::IntKind::kAnd, reaches, fewer), [&] { ByColumns(slices); },
        [&] { OneByOne(slices); });
  }

 private:
  void Fill(const Slices& slices) {
    emitter_.Call("Duplicate", {slices.dst, fold_.neutral, slices.columns},
                  {dtype_});
  }

  void ByColumns(const Slices& slices) {
    const int64_t lanes = LanesOfRepeat(dtype_);
    const code::Struct strides = {
        "BinaryRepeatParams",
        {1, 1, 1, 0, FloorDiv(slices.pitch, LanesOfBlock(dtype_)), 0},
        {}};
    Fill(slices);
    emitter_.For("column", 0, slices.columns, lanes, [&](const Int& column) {
      const Local into = Moved(slices.dst, column);
      emitter_.For(
          "first", 0, slices.count, kMostRepeats, [&](const Int& first) {
            emitter_.Call(
                fold_.step,
                {into, Moved(slices.src, first * slices.pitch + column), into,
                 Min(slices.columns - column, lanes),
                 Min(slices.count - first, kMostRepeats), strides});
          });
    });
  }

  void OneByOne(const Slices& slices) {
    const auto add_from = [&](const Int& first) {
      emitter_.For("slice", first, slices.count, 1, [&](const Int& slice) {
        emitter_.Call(fold_.step, {slices.dst, slices.dst,
                                   Moved(slices.src, slice * slices.pitch),
                                   slices.columns});
      });
    };
    emitter_.If(
        Less(1, slices.count),
        [&] {
          emitter_.Call(fold_.step,
                        {slices.dst, slices.src,
                         Moved(slices.src, slices.pitch), slices.columns});
          add_from(2);
        },
        [&] {
          Fill(slices);
          add_from(0);
        });
  }

  Emitter& emitter_;
  const Fold& fold_;
  DType dtype_;
};

}  // namespace

void FoldSlices(Emitter& emitter, const Fold& fold, const Lane& dst,
                const Lane& src, const Layout& from, size_t axis) {
  const DType dtype = emitter.DtypeOf(src.place);
  const Layout to = LayoutOf(dst.dims, emitter.padding());
  std::vector<ir::Dim> inner = src.dims;
  for (size_t i = 0; i <= axis; ++i) inner[i] = {1, 1};
  // A slice of one axis lies without padding; with more, as in the tile.
  const Int count = LayoutOf(inner, emitter.padding()).Count();
  const std::vector<ir::Dim> outer(
      src.dims.begin(), src.dims.begin() + static_cast<std::ptrdiff_t>(axis));
  ForEachElement(emitter, outer, [&](const std::vector<Int>& at) {
    std::vector<Int> indices = at;
    indices.resize(src.dims.size(), Int(0));
    emitter.Invoke(
        fold.name + ("Slices" + SuffixOf(dtype)),
        {{"dst", Moved(dst.place, to.Offset(indices))},
         {"src", Moved(src.place, from.Offset(indices))}},
        {{"slices", src.dims[axis].size},
         {"pitch", from.strides[axis]},
         {"columns", count}},
        [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
          SliceFolder(emitter, fold, dtype)
              .Run({own[0], own[1], sizes[0], sizes[1], sizes[2]});
        });
  });
}

}  // namespace belay::crux::select
