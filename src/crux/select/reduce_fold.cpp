// SPDX-License-Identifier: Apache-2.0
#include "crux/select/reduce_fold.h"

#include <utility>

#include "crux/ir/bounds.h"
#include "crux/select/elementwise.h"
#include "crux/select/fold_columns.h"
#include "crux/select/fold_slices.h"
#include "crux/select/parts.h"

namespace belay::crux::select {
namespace {

using code::Struct;
using ir::Dim;

constexpr int64_t kPortion = 240;  // of rows; results begin in a block
constexpr int64_t kLongestByBlocks = 2048;
constexpr int64_t kRowBytes = 8192;  // a long row folds into so many

Int Both(const Int& a, const Int& b) {
  return Int::Of(ir::IntKind::kAnd, a, b);
}

// Rows of `columns` elements, one result for each.
struct Rows {
  Local dst;
  Local src;
  Int count = 1;
  Int most = 1;
  Int stride = 0;  // between rows, in elements
  Int columns;
};

class Folder {
 public:
  Folder(Emitter& emitter, const Fold& fold, DType dtype)
      : emitter_(emitter),
        fold_(fold),
        dtype_(dtype),
        lanes_(LanesOfRepeat(dtype)),
        block_(LanesOfBlock(dtype)),
        padded_(emitter.padding().rows.empty() ? 0 : 1) {}

  // The axis before the last gives the rows of one step, others are looped
  // over.
  void AlongRows(const Lane& dst, const Lane& src, const Layout& from) {
    const Layout to = LayoutOf(dst.dims, emitter_.padding());
    int row = -1;
    std::vector<Dim> outer = src.dims;
    outer[from.last] = {1, 1};
    for (int i = 0; i < from.last; ++i) {
      if (!src.dims[i].is_one()) row = i;
    }
    if (row >= 0) outer[row] = {1, 1};
    Rows rows;
    rows.columns = src.dims[from.last].size;
    if (row >= 0) {
      rows.count = src.dims[row].size;
      rows.most = src.dims[row].capacity;
      rows.stride = from.strides[row];
    }
    one_row_ = row < 0;
    const auto most = ir::Most(emitter_.kernel(), rows.most);
    all_at_once_ = most && *most <= kMostRepeats;
    const Int at_once = all_at_once_ ? rows.most : Min(rows.most, kPortion);
    const auto widest =
        ir::Most(emitter_.kernel(), src.dims[from.last].capacity);
    const bool narrow = HasWhole() && widest && *widest <= lanes_;
    if (!narrow) TakeScratch(at_once, src.dims[from.last].capacity);
    ForEachElement(emitter_, outer, [&](const std::vector<Int>& at) {
      rows.dst = Moved(dst.place, to.Offset(at));
      rows.src = Moved(src.place, from.Offset(at));
      if (!narrow) return Invoke(rows);
      emitter_.If(
          Less(0, rows.columns), [&] { Narrow(rows); },
          [&] { Fill(rows.dst, rows.count); });
    });
  }

  void OfRow(const Local& folded, const Local& src, const Int& columns) {
    AddRows({folded, src, 1, 1, 0, columns}, folded);
  }

  void OfParts(const Local& dst, const RowsInParts& made) {
    const Layout from = LayoutOf(made.dims, emitter_.padding());
    Rows rows;
    rows.dst = dst;
    rows.columns = from.dims[from.last].size;
    rows.stride = from.pitch;
    rows.count = from.Rows();
    for (int i = 0; i < from.last; ++i) {
      if (!from.dims[i].is_one()) rows.most = from.dims[i].capacity;
    }
    all_at_once_ = true;
    TakeScratch(rows.most, from.dims[from.last].capacity);
    const Local& first = made.sources.front();
    const Local& second = made.sources.back();
    const bool binary = made.sources.size() == 2;
    const bool squares = binary && first.name == second.name &&
                         Same(first.offset, second.offset);
    std::vector<Emitter::Handed> tensors = {
        {"dst", dst}, {"part", made.part}, {"folded", folded_}, {"src", first}};
    if (binary && !squares) tensors.push_back({"src", second});
    const size_t sources = tensors.size();
    if (HasStretch()) tensors.push_back({"stretch", stretch_});
    emitter_.Invoke(
        fold_.name + (squares ? "OfSquared" : "Of" + made.function) + "Rows",
        tensors,
        {{"columns", rows.columns},
         {"rows", rows.count},
         {"pitch", rows.stride},
         {"step", made.step},
         {"width", made.width}},
        [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
          Folder inside = *this;
          inside.folded_ = own[2];
          if (HasStretch()) inside.stretch_ = own[sources];
          RowsInParts within = made;
          within.part = own[1];
          within.sources.front() = own[3];
          within.sources.back() = own[sources - 1];
          within.step = sizes[3];
          within.width = sizes[4];
          inside.ReduceParts(
              {own[0], own[1], sizes[1], rows.most, sizes[2], sizes[0]},
              within);
        });
  }

 private:
  bool HasWhole() const { return fold_.whole != nullptr; }
  // Whether an instruction reduces blocks at the rate of an addition.
  bool HasBlocks() const { return HasWhole() && dtype_ == DType::kFloat; }

  // dst[i] = block i of `repeats` repeats.
  void Blocks(const Local& dst, const Local& src, const Int& repeats) {
    constexpr std::string_view kWhole = "WholeReduce";
    emitter_.Call(
        "BlockReduce" + std::string(fold_.whole).substr(kWhole.size()),
        {dst, src, repeats, lanes_, 1, 1, 8}, {dtype_});
  }

  void Fill(const Local& place, const Int& count) {
    emitter_.Call("Duplicate", {place, fold_.neutral, count}, {dtype_});
  }

  // Rows with pitches of their own lie apart but for one length.
  bool MayFoldByBlocks() const {
    return HasBlocks() && !one_row_ && emitter_.padding().rows.empty();
  }

  // Whether a long row is halved, or rows become blocks, in a place of its own.
  bool HasStretch() const { return !HasWhole() || MayFoldByBlocks(); }

  // One repeat for each row, a stretch, and for reductions without an
  // instruction of their own blocks and their halves.
  void TakeScratch(const Int& rows, const Int& columns) {
    folded_ = emitter_.Scratch(dtype_, rows * lanes_, "folded");
    if (HasStretch()) {
      const Int by_blocks =
          Int::Select(Less(columns, kLongestByBlocks + 1), Width(), 0);
      stretch_ = emitter_.Scratch(dtype_, HasWhole() ? by_blocks : Int(Width()),
                                  "stretch");
    }
    if (HasWhole()) return;
    blocks_ = emitter_.Scratch(dtype_, rows * block_, "blocks");
    if (IsFloating(dtype_)) return;
    for (Local& half : halves_) {
      half = emitter_.Scratch(dtype_, rows * block_, "half");
    }
  }

  int64_t Width() const {
    return kRowBytes / static_cast<int64_t>(BytesOf(dtype_));
  }

  // By a function of the kernel's own.
  void Invoke(const Rows& rows) {
    std::vector<Emitter::Handed> tensors = {
        {"dst", rows.dst}, {"src", rows.src}, {"folded", folded_}};
    if (HasStretch()) tensors.push_back({"stretch", stretch_});
    if (!HasWhole()) {
      tensors.push_back({"blocks", blocks_});
    }
    if (!HasWhole() && !IsFloating(dtype_)) {
      tensors.push_back({"even", halves_[0]});
      tensors.push_back({"odd", halves_[1]});
    }
    std::vector<Emitter::HandedInt> integers = {{"columns", rows.columns}};
    if (!one_row_) {
      integers.push_back({"rows", rows.count});
      integers.push_back({"pitch", rows.stride});
      integers.push_back({"padded", padded_});
    }
    std::string name = fold_.name;
    name += one_row_ ? "Row" : all_at_once_ ? "Rows" : "ManyRows";
    name += SuffixOf(dtype_);
    emitter_.Invoke(
        name, tensors, integers,
        [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
          Folder inside = *this;
          inside.folded_ = own[2];
          if (HasStretch()) inside.stretch_ = own[3];
          if (!HasWhole()) inside.blocks_ = own[4];
          if (own.size() > 5) {
            inside.halves_[0] = own[5];
            inside.halves_[1] = own[6];
          }
          Rows within = rows;
          within.dst = own[0];
          within.src = own[1];
          within.columns = sizes[0];
          within.count = one_row_ ? Int(1) : sizes[1];
          within.stride = one_row_ ? Int(0) : sizes[2];
          if (!one_row_) inside.padded_ = sizes[3];
          inside.ReduceRows(within);
        });
  }

  void Narrow(const Rows& rows) {
    InPortions(rows, [&](const Rows& part) {
      Whole(part.dst, part.src, part.columns, part.count,
            FloorDiv(part.stride, block_));
    });
  }

  void ReduceRows(const Rows& rows) {
    const Int strides = Less(rows.stride, (kLongestStride + 1) * block_);
    const auto wide = [&] {
      InPortions(rows, [&](const Rows& part) {
        // Each row folds into a repeat of its own.
        if (HasWhole()) Fill(folded_, part.count * lanes_);
        if (one_row_) {
          EachRow(part);
        } else {
          emitter_.If(
              Both(ManyRows(part), strides), [&] { ByColumns(part); },
              [&] { EachRow(part); });
        }
        Finish(part.dst, part.count);
      });
    };
    if (!HasWhole()) return wide();
    const Int fits =
        Both(Less(0, rows.columns), Less(rows.columns, lanes_ + 1));
    const auto closer = [&] {
      if (!MayFoldByBlocks()) return wide();
      emitter_.If(
          FoldsByBlocks(rows), [&] { ByBlocks(rows); }, wide);
    };
    const auto others = [&] {
      emitter_.If(
          one_row_ ? fits : Both(Less(padded_, 1), Both(fits, strides)),
          [&] { Narrow(rows); }, closer);
    };
    if (one_row_ || padded_.Is(0)) return others();
    emitter_.If(
        FoldsInEights(rows), [&] { InEights(rows); }, others);
  }

  void ReduceParts(const Rows& rows, const RowsInParts& made) {
    const auto in_parts =
        [&](const std::function<void(const Int& first, Rows part)>& body) {
          emitter_.For(
              "first", 0, rows.count, made.step, [&](const Int& first) {
                Rows part = rows;
                part.count =
                    emitter_.Let("count", Min(rows.count - first, made.step));
                body(first, part);
              });
        };
    const auto long_rows = [&] {
      Fill(folded_, rows.count * lanes_);
      in_parts([&](const Int& first, Rows part) {
        emitter_.For("begin", 0, rows.columns, made.width, [&](const Int& at) {
          MakeRows(emitter_, made, first * rows.stride + at,
                   (part.count - 1) * rows.stride +
                       Min(made.width, rows.stride - at));
          part.columns =
              emitter_.Let("wide", Min(made.width, rows.columns - at));
          AddRows(part, Moved(folded_, first * lanes_));
        });
      });
      Finish(rows.dst, rows.count);
    };
    const auto short_rows = [&] {
      in_parts([&](const Int& first, Rows part) {
        MakeRows(emitter_, made, first * rows.stride, part.count * rows.stride);
        part.dst = Moved(rows.dst, first);
        Invoke(part);
      });
    };
    const auto few = Less(made.step, 8);
    emitter_.If(
        FoldsInEights(rows),
        [&] {
          InEights(rows, [&] {
            emitter_.If(
                few, [&] { AddHalves(rows, made); },
                [&] {
                  in_parts([&](const Int& first, Rows part) {
                    MakeRows(emitter_, made, first * rows.stride,
                             part.count * rows.stride);
                    AddEights(part, first);
                  });
                });
          });
        },
        [&] { emitter_.If(few, long_rows, short_rows); });
  }

  // Whether columns of all rows take fewer instructions than each row.
  Int ManyRows(const Rows& rows) const {
    return Less(HasWhole() ? CeilDiv(rows.columns, lanes_) : Int(3),
                rows.count);
  }

  // Whether an instruction reaches a block of each of eight rows, rows are
  // whole blocks, and there are some.
  Int FoldsInEights(const Rows& rows) const {
    const Int lies = Both(Less(0, padded_),
                          Less(rows.stride, (kLongestStride + 1) * block_));
    const Int whole =
        Both(Less(0, rows.columns),
             Int::Of(ir::IntKind::kEqual, Mod(rows.columns, block_), 0));
    return Both(Both(lies, whole), Less(3, rows.count));
  }

  // Eight rows meet in a repeat, a block each, over and over; then blocks
  // become elements.
  void InEights(const Rows& rows) {
    InPortions(rows, [&](const Rows& part) {
      InEights(part, [&] { AddEights(part, 0); });
    });
  }

  // `add` adds all rows to blocks of their own.
  void InEights(const Rows& rows, const std::function<void()>& add) {
    Fill(folded_, AlignUp(rows.count, 8) * block_);
    add();
    Blocks(rows.dst, folded_, CeilDiv(rows.count, 8));
  }

  // Rows that are those from `first` on.
  void AddEights(const Rows& rows, const Int& first) {
    emitter_.For("row", 0, rows.count, 8, [&](const Int& row) {
      AddEight(first + row, Min(rows.count - row, 8),
               Moved(rows.src, row * rows.stride), rows.columns, rows.stride);
    });
  }

  // Half the columns of eight rows at a time.
  void AddHalves(const Rows& rows, const RowsInParts& made) {
    const Int width = emitter_.Let("width", HalfOfEight(rows.stride));
    emitter_.For("row", 0, rows.count, 8, [&](const Int& row) {
      emitter_.For("column", 0, rows.columns, width, [&](const Int& column) {
        const Int count = Min(rows.count - row, 8);
        const Int some =
            emitter_.Let("some", Min(rows.columns - column, width));
        MakeEight(emitter_, made, rows.stride, width,
                  row * rows.stride + column, count, some);
        AddEight(row, count, made.part, some, width);
      });
    });
  }

  // Of rows `row` … `row` + `count`, eight at most, what lies `from` there on.
  void AddEight(const Int& row, const Int& count, const Local& from,
                const Int& columns, const Int& pitch) {
    const Local into = Moved(folded_, row * block_);
    emitter_.Call(fold_.step,
                  {into, from, into, count * block_, FloorDiv(columns, block_),
                   Struct{"BinaryRepeatParams",
                          {1, FloorDiv(pitch, block_), 1, 0, 1, 0},
                          {}}});
  }

  // Whether rows lie close together and are whole repeats of whole blocks.
  Int FoldsByBlocks(const Rows& rows) const {
    const int64_t step = lanes_ * block_;
    const Int lies =
        Both(Int::Of(ir::IntKind::kEqual, rows.columns, rows.stride),
             Int::Of(ir::IntKind::kEqual, Mod(rows.columns, step), 0));
    return Both(
        Both(lies, Less(1, rows.count)),
        Both(Less(0, rows.columns), Less(rows.columns, kLongestByBlocks + 1)));
  }

  // Blocks to elements, twice, then one instruction for what is left: few
  // repeats for any number of rows.
  void ByBlocks(const Rows& rows) {
    InPortions(rows, [&](const Rows& part) {
      const Int step =
          emitter_.Let("step", FloorDiv(kMostRepeats * lanes_, part.columns));
      emitter_.For("row", 0, part.count, step, [&](const Int& row) {
        const Int elements = emitter_.Let(
            "elements", Min(step, part.count - row) * part.columns);
        Blocks(stretch_, Moved(part.src, row * part.columns),
               FloorDiv(elements, lanes_));
        Blocks(Moved(folded_, row * FloorDiv(part.columns, lanes_)), stretch_,
               FloorDiv(elements, lanes_ * block_));
      });
      Whole(part.dst, folded_, FloorDiv(part.columns, lanes_), part.count,
            FloorDiv(part.columns, lanes_ * block_));
    });
  }

  // At most as many rows as an instruction repeats.
  void InPortions(const Rows& rows,
                  const std::function<void(const Rows&)>& body) {
    if (all_at_once_) return body(rows);
    emitter_.For("first_row", 0, rows.count, kPortion, [&](const Int& first) {
      Rows part = rows;
      part.count = Min(rows.count - first, kPortion);
      part.dst = Moved(rows.dst, first);
      part.src = Moved(rows.src, first * rows.stride);
      body(part);
    });
  }

  // dst[i] = the first `lanes` of repeat i.
  void Whole(const Local& dst, const Local& src, const Int& lanes,
             const Int& repeats, const Int& stride) {
    std::vector<Arg> args = {dst, src, lanes, repeats, 1, 1, stride};
    if (std::string_view(fold_.whole) != "WholeReduceSum") {
      args.push_back(Word{"ReduceOrder::ORDER_ONLY_VALUE"});
    }
    emitter_.Call(fold_.whole, std::move(args), {dtype_});
  }

  // dst[i] = repeat i of folded_.
  void Finish(const Local& dst, const Int& count) {
    if (HasWhole()) return Whole(dst, folded_, lanes_, count, 8);
    for (int64_t half = lanes_ / 2; half >= block_; half /= 2) {
      const bool last = half == block_;
      emitter_.Call(
          fold_.step,
          {last ? blocks_ : folded_, folded_, Moved(folded_, half), half, count,
           Struct{"BinaryRepeatParams", {1, 1, 1, last ? 1 : 8, 8, 8}, {}}});
    }
    if (IsFloating(dtype_)) return FinishBlocks(dst, count);
    const DType word = BytesOf(dtype_) == 2 ? DType::kUint16 : DType::kUint32;
    Local bits[2] = {emitter_.Cast(halves_[0], word, "even_bits"),
                     emitter_.Cast(halves_[1], word, "odd_bits")};
    const Local source = emitter_.Cast(blocks_, word, "blocks_bits");
    for (int64_t left = block_; left > 1; left /= 2) {
      for (const int odd : {0, 1}) {
        emitter_.Call(
            "GatherMask",
            {bits[odd], source, Int(1 + odd), Word{"true"}, count * left,
             Struct{"GatherMaskParams", {1, 1, 8, 8}, {}}});
      }
      emitter_.Call(fold_.step, {left == 2 ? dst : blocks_, halves_[0],
                                 halves_[1], count * (left / 2)});
    }
  }

  // dst[i] = block i of blocks_: its elements, a block each, meet.
  void FinishBlocks(const Local& dst, const Int& count) {
    emitter_.Call("Brcb", {folded_, blocks_, count,
                           Struct{"BrcbRepeatParams", {1, 8}, {}}});
    for (int64_t half = lanes_ / 2; half >= block_; half /= 2) {
      emitter_.Call(fold_.step,
                    {folded_, folded_, Moved(folded_, half), half, count,
                     Struct{"BinaryRepeatParams", {1, 1, 1, 8, 8, 8}, {}}});
    }
    emitter_.Call("WholeReduceMax",
                  {dst, folded_, 1, count, 1, 1, 8,
                   Word{"ReduceOrder::ORDER_ONLY_VALUE"}},
                  {dtype_});
  }

  // Columns of all rows at once, a repeat wide.
  void ByColumns(const Rows& rows) {
    if (!HasWhole()) Fill(folded_, rows.count * lanes_);
    emitter_.For("column", 0, rows.columns, lanes_, [&](const Int& column) {
      emitter_.Call(fold_.step,
                    {folded_, folded_, Moved(rows.src, column),
                     Min(rows.columns - column, lanes_), rows.count,
                     Struct{"BinaryRepeatParams",
                            {1, 1, 1, 8, 8, FloorDiv(rows.stride, block_)},
                            {}}});
    });
  }

  // Each row into a repeat of `folded`, which has something in it.
  void AddRows(const Rows& rows, const Local& folded) {
    emitter_.Counting(dtype_, rows.columns, [&] {
      emitter_.For("row", 0, rows.count, 1, [&](const Int& row) {
        const Local into = Moved(folded, row * lanes_);
        emitter_.Call(fold_.step,
                      {into, Moved(rows.src, row * rows.stride), into,
                       Emitter::Unmasked(), Int(1),
                       Struct{"BinaryRepeatParams", {1, 1, 1, 0, 8, 0}, {}}},
                      {dtype_, std::string("false")});
      });
    });
  }

  // One row after the other: a repeat at a time, or into a stretch, which is
  // then halved.
  void EachRow(const Rows& rows) {
    if (HasWhole()) return AddRows(rows, folded_);
    const int64_t width = Width();
    emitter_.For("row", 0, rows.count, 1, [&](const Int& row) {
      const Local src = Moved(rows.src, row * rows.stride);
      Fill(stretch_, width);
      emitter_.For("column", 0, rows.columns, width, [&](const Int& column) {
        emitter_.Call(fold_.step, {stretch_, stretch_, Moved(src, column),
                                   Min(rows.columns - column, width)});
      });
      for (int64_t half = width / 2; half >= lanes_; half /= 2) {
        emitter_.Call(fold_.step,
                      {half == lanes_ ? Moved(folded_, row * lanes_) : stretch_,
                       stretch_, Moved(stretch_, half), half});
      }
    });
  }

  Emitter& emitter_;
  const Fold& fold_;
  DType dtype_;
  int64_t lanes_;
  int64_t block_;
  Int padded_;  // 1: rows have pitches that suit eight of them at a time
  bool one_row_ = false;
  bool all_at_once_ = false;  // as many rows as an instruction repeats
  Local folded_;
  Local stretch_;
  Local blocks_;
  Local halves_[2];
};

}  // namespace

std::string SuffixOf(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return "Half";
    case DType::kInt32:
      return "Int32";
    case DType::kInt16:
      return "Int16";
    default:
      return "";
  }
}

void FoldParts(Emitter& emitter, const Fold& fold, const Local& dst,
               const RowsInParts& rows) {
  Folder(emitter, fold, DType::kFloat).OfParts(dst, rows);
}

void FoldRow(Emitter& emitter, const Fold& fold, const Local& folded,
             const Local& src, const Int& columns) {
  Folder(emitter, fold, DType::kFloat).OfRow(folded, src, columns);
}

void FoldAxis(Emitter& emitter, const Fold& fold, const Lane& dst,
              const Lane& src, size_t axis, const std::string& spare) {
  const Layout from = LayoutOf(src.dims, emitter.padding());
  if (src.dims[axis].is_one()) {
    // Nothing to fold; all that is left has the same places.
    Lane place = dst;
    place.dims = src.dims;
    return CopyLanes(emitter, place, src);
  }
  Folder folder(emitter, fold, emitter.DtypeOf(src.place));
  if (static_cast<int>(axis) == from.last) {
    folder.AlongRows(dst, src, from);
  } else if (FoldsSlices(from, emitter.padding())) {
    FoldColumns(emitter, fold, dst, src, from, spare);
  } else {
    FoldSlices(emitter, fold, dst, src, from, axis);
  }
}

}  // namespace belay::crux::select
