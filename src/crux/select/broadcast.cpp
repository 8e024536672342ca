// SPDX-License-Identifier: Apache-2.0
// Binary vector instructions whose operands broadcast.
//
// An element that many lanes read is first spread over a block (Brcb); the
// instruction then reads that block again and again by a stride of 0. Three
// ways to go over rows and columns: one instruction a row, one a chunk of
// columns that repeats over the rows, or one for eight rows that lie apart. The
// one that takes less time is taken, where need be when the kernel runs.

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "crux/ir/bounds.h"
#include "crux/select/broadcast_eight.h"
#include "crux/select/vector.h"

namespace belay::crux::select {
namespace {

// One axis of the loop nest: dst, a, b in this order.
struct Axis {
  Int size;      // what is computed
  Int capacity;  // what it takes in dst
  Int strides[3];
};

class Broadcast {
 public:
  Broadcast(Emitter& emitter, const std::string& function, const Lane& dst,
            const Lane& a, const Lane& b)
      : emitter_(emitter), function_(function) {
    padded_ = emitter.padding().rows.empty() ? 0 : 1;
    dtype_ = emitter.DtypeOf(dst.place);
    block_ = LanesOfBlock(dtype_);
    lanes_[0] = dst;
    lanes_[1] = a;
    lanes_[2] = b;
  }

  void Run() {
    FindAxes();
    one_operand_ = IsOneOperand();
    Spread(1);
    if (!one_operand_) Spread(2);
    Merge();
    std::vector<Int> offsets(3, Int(0));
    Outer(0, offsets);
  }

 private:
  // Strides in elements; 0 where an operand broadcasts.
  void FindAxes() {
    const Layout dst = LayoutOf(lanes_[0].dims, emitter_.padding());
    Layout layouts[3] = {dst, {}, {}};
    for (const int i : {1, 2}) {
      layouts[i] = lanes_[i].filled
                       ? LayoutOf({}, emitter_.padding())
                       : LayoutOf(lanes_[i].dims, emitter_.padding());
    }
    on_lanes_ = dst.on_lanes;
    const size_t rank = dst.dims.size();
    for (size_t d = 0; d < rank; ++d) {
      if (dst.dims[d].is_one()) continue;
      Axis axis;
      axis.size = dst.dims[d].size;
      axis.capacity =
          static_cast<int>(d) == dst.last ? dst.pitch : dst.dims[d].capacity;
      axis.strides[0] = dst.strides[d];
      for (const int i : {1, 2}) {
        const size_t missing = rank - layouts[i].dims.size();
        if (d < missing || layouts[i].dims[d - missing].is_one()) continue;
        axis.strides[i] = layouts[i].strides[d - missing];
      }
      axes_.push_back(std::move(axis));
    }
    for (const int i : {1, 2}) elements_[i] = layouts[i].elements;
  }

  // Not where one tile is broadcast in two ways: t[:, None] - t.
  bool IsOneOperand() const {
    const Local& a = lanes_[1].place;
    const Local& b = lanes_[2].place;
    return a.name == b.name && Same(a.offset, b.offset) &&
           std::all_of(axes_.begin(), axes_.end(), [](const Axis& axis) {
             return Same(axis.strides[1], axis.strides[2]);
           });
  }

  bool ReadsAgain(int i) const {
    return !axes_.empty() && axes_.back().strides[i].Is(0);
  }

  // Where the numbers of a whole tile lie in blocks already; null: nowhere.
  const Emitter::Blocks* BlocksOf(const Lane& lane) const {
    const bool whole = lane.tile >= 0 && lane.place.offset.Is(0) &&
                       lane.place.name == emitter_.At(lane.tile).name;
    return whole && !on_lanes_ ? emitter_.BlocksOf(lane.tile) : nullptr;
  }

  // Gives every element of an operand that the innermost axis reads again a
  // block of its own.
  void Spread(int i) {
    if (!ReadsAgain(i) || lanes_[i].filled) return;
    if (const Emitter::Blocks* known = BlocksOf(lanes_[i])) {
      return TakeBlocks(i, known->place, known->apart);
    }
    const Int repeats = CeilDiv(elements_[i], 8);
    TakeBlocks(i, SpreadTo(i, repeats), block_);
  }

  void TakeBlocks(int i, const Local& blocks, const Int& apart) {
    lanes_[i].place = blocks;
    for (Axis& axis : axes_) axis.strides[i] = axis.strides[i] * apart;
    if (!one_operand_) return;
    lanes_[2].place = blocks;
    for (Axis& axis : axes_) axis.strides[2] = axis.strides[1];
  }

  // Where the blocks are. Of short rows on lanes they are kept if they stay the
  // same.
  Local SpreadTo(int i, const Int& repeats) {
    const Int room = repeats * (8 * block_);
    const Local& source = lanes_[i].place;
    if (!on_lanes_ || !emitter_.IsSettled(source)) {
      const Local blocks = emitter_.Scratch(dtype_, room, "spread");
      EmitSpread(blocks, source, i, repeats);
      return blocks;
    }
    // In whole periods of banks there is room for whole repeats.
    const std::string name = SpreadName(source.name);
    const std::string buffer =
        emitter_.Kept(dtype_, elements_[i] * block_, name);
    emitter_.BehindLast(source.name, [&] {
      EmitSpread(emitter_.AllOf(buffer, dtype_, name), source, i, repeats);
    });
    return emitter_.AllOf(buffer, dtype_, name);
  }

  // "gamma_spread" of gamma_local and of gamma_float.
  static std::string SpreadName(std::string_view source) {
    for (const std::string_view behind : {"_local", "_float"}) {
      if (source.ends_with(behind)) source.remove_suffix(behind.size());
    }
    return std::string(source) + "_spread";
  }

  void EmitSpread(const Local& blocks, const Local& source, int i,
                  const Int& repeats) {
    const auto spread = [&](const Int& first, const Int& count) {
      emitter_.Call("Brcb",
                    {Local{blocks.name, first * (8 * block_)},
                     Local{source.name, source.offset + first * 8}, count,
                     code::Struct{"BrcbRepeatParams", {1, 8}, {}}});
    };
    const std::optional<int64_t> most =
        ir::Most(emitter_.kernel(), elements_[i]);
    if (most && *most <= 8 * kMostRepeats) return spread(0, repeats);
    const Int all = emitter_.Let("groups", repeats);
    emitter_.For("group", 0, all, kGroupsOfBrcb, [&](const Int& first) {
      spread(first, Min(all - first, kGroupsOfBrcb));
    });
  }

  // Axes that follow each other in memory become one.
  void Merge() {
    for (size_t d = axes_.size(); d-- > 1;) {
      Axis& outer = axes_[d - 1];
      const Axis& inner = axes_[d];
      bool follows = true;
      for (int i = 0; i < 3; ++i) {
        follows = follows &&
                  Same(outer.strides[i], inner.capacity * inner.strides[i]);
      }
      if (!follows) continue;
      outer.size = outer.size * inner.capacity;
      outer.capacity = outer.capacity * inner.capacity;
      for (int i = 0; i < 3; ++i) outer.strides[i] = inner.strides[i];
      axes_.erase(axes_.begin() + static_cast<std::ptrdiff_t>(d));
    }
  }

  // The longer of the last two axes before the columns becomes the rows of
  // instructions, where these reach from one to the next.
  void Outer(size_t d, const std::vector<Int>& offsets) {
    if (axes_.size() - d <= 2) return Inner(d, offsets);
    if (axes_.size() - d > 3 || on_lanes_) return Loop(d, offsets);
    const Int swaps =
        Int::Of(ir::IntKind::kAnd, Less(axes_[d + 1].size, axes_[d].size),
                Less(axes_[d].strides[0], (kLongestStride + 1) * block_));
    emitter_.If(
        swaps,
        [&] {
          Broadcast swapped = *this;
          std::swap(swapped.axes_[d], swapped.axes_[d + 1]);
          swapped.Loop(d, offsets);
        },
        [&] { Loop(d, offsets); });
  }

  void Loop(size_t d, const std::vector<Int>& offsets) {
    emitter_.For("outer", 0, axes_[d].size, 1, [&](const Int& index) {
      std::vector<Int> moved = offsets;
      for (int i = 0; i < 3; ++i) {
        moved[i] = moved[i] + index * axes_[d].strides[i];
      }
      Outer(d + 1, moved);
    });
  }

  void Inner(size_t d, const std::vector<Int>& offsets) {
    if (d == axes_.size()) {
      return Row(LanesForOne(emitter_, {lanes_[0], lanes_[1], lanes_[2]}),
                 offsets);
    }
    if (d + 1 == axes_.size()) {
      const Int length = LengthOfRow(axes_[d]);
      return IsInRepeats(axes_[d]) ? Repeats(length, offsets)
                                   : Row(length, offsets);
    }
    if (CountsLanes(axes_[d + 1].size, emitter_.padding())) {
      return InEights(axes_[d], axes_[d + 1].size, offsets);
    }
    const Axis& rows = axes_[d];
    if (ByChunks(rows, axes_[d + 1].size).is_constant()) {
      return RowsAndColumns(rows, axes_[d + 1].size, offsets);
    }
    InFunction(rows, axes_[d + 1].size, offsets);
  }

  void InEights(const Axis& rows, const Int& columns,
                const std::vector<Int>& offsets) {
    const auto operand = [&](int i) {
      return EightOperand{Place(i, offsets[i]), rows.strides[i],
                          i > 0 && ReadsAgain(i)};
    };
    EmitEightRows(emitter_, {function_, operand(0), operand(1), operand(2),
                             rows.size, columns});
  }

  // Whether there is one number for each row, and nothing behind them.
  bool IsOfRows(const Axis& columns) const {
    return axes_.size() == 1 &&
           CountsRows(emitter_.kernel(), columns.capacity) &&
           std::all_of(std::begin(lanes_), std::end(lanes_),
                       [](const Lane& one) { return one.place.offset.Is(0); });
  }

  // All of it, where there is one number for each row.
  Int LengthOfRow(const Axis& columns) const {
    if (IsOfRows(columns)) return WholeRepeats(columns.capacity, DType::kFloat);
    const bool lanes = on_lanes_ && axes_.size() == 1;
    return lanes ? WholeRepeats(columns.size, DType::kFloat) : columns.size;
  }

  // Whether one instruction does the row, an operand read again, without
  // counting elements.
  bool IsInRepeats(const Axis& columns) const {
    const bool rounded = IsOfRows(columns) || (on_lanes_ && axes_.size() == 1);
    const std::optional<int64_t> most =
        ir::Most(emitter_.kernel(), columns.capacity);
    return rounded && !IsDense() && BytesOf(dtype_) == 4 && most &&
           *most <= kMostRepeats * 8 * block_;
  }

  void Repeats(const Int& count, const std::vector<Int>& offsets) {
    const int64_t lanes = 8 * block_;
    emitter_.Call(
        function_,
        {Place(0, offsets[0]), Place(1, offsets[1]), Place(2, offsets[2]),
         Int(lanes), FloorDiv(count, lanes),
         code::Struct{"BinaryRepeatParams",
                      {1, Step(1), Step(2), 8, Step(1) * 8, Step(2) * 8},
                      {}}});
  }

  Int ByChunks(const Axis& rows, const Int& columns) const {
    return Int::Of(ir::IntKind::kAnd,
                   Int::Of(ir::IntKind::kLessEqual,
                           CeilDiv(columns, 8 * block_) * 2, rows.size),
                   Less(rows.strides[0], (kLongestStride + 1) * block_));
  }

  void RowsAndColumns(const Axis& rows, const Int& columns,
                      const std::vector<Int>& offsets) {
    const auto others = [&] {
      const std::optional<int64_t> most =
          ir::Most(emitter_.kernel(), rows.size);
      emitter_.If(
          Int::Of(ir::IntKind::kAnd, Less(padded_, 1), ByChunks(rows, columns)),
          [&] {
            Chunks(rows, columns, offsets, most && *most <= kMostRepeats);
          },
          [&] { Rows(rows, columns, offsets); });
    };
    if (padded_.Is(0)) return others();
    emitter_.If(
        PaysInChunks(rows, columns),
        [&] { Chunks(rows, columns, offsets, true); },
        [&] {
          emitter_.If(
              PaysInEights(rows), [&] { Eights(rows, columns, offsets); },
              others);
        });
  }

  // Whether chunks, each one instruction for all rows, take less time than
  // eights. Half of their repeats wait for the number of a row in banks: rows
  // must be short, and many, so that there are far fewer instructions.
  Int PaysInChunks(const Axis& rows, const Int& columns) const {
    const Int lies =
        Int::Of(ir::IntKind::kAnd, Less(rows.size, kMostRepeats + 1),
                Less(rows.strides[0], (kLongestStride + 1) * block_));
    return Int::Of(ir::IntKind::kAnd,
                   Int::Of(ir::IntKind::kAnd, Less(0, padded_),
                           Less(columns, rows.size * 3)),
                   lies);
  }

  // Whether an instruction reaches a block of each of eight rows, and those
  // take less time than one for each row: four take about as long either way.
  Int PaysInEights(const Axis& rows) const {
    const Int lies =
        Int::Of(ir::IntKind::kAnd, Less(0, padded_),
                Less(rows.strides[0], (kLongestStride + 1) * block_));
    return Int::Of(ir::IntKind::kAnd, lies, Less(4, rows.size));
  }

  // A repeat takes a block of each of eight rows.
  void Eights(const Axis& rows, const Int& columns,
              const std::vector<Int>& offsets) {
    const auto stride = [&](int i) {
      return FloorDiv(rows.strides[i], block_);
    };
    const code::Struct strides = {
        "BinaryRepeatParams",
        {stride(0), stride(1), stride(2), 1, Step(1), Step(2)},
        {}};
    emitter_.For("row", 0, rows.size, 8, [&](const Int& row) {
      std::vector<Arg> args;
      for (int i = 0; i < 3; ++i) {
        args.emplace_back(Place(i, offsets[i] + row * rows.strides[i]));
      }
      args.emplace_back(Min(rows.size - row, 8) * block_);
      args.emplace_back(CeilDiv(columns, block_));
      args.emplace_back(strides);
      emitter_.Call(function_, std::move(args));
    });
  }

  // "SubBroadcast": one function for all ways its operands lie.
  std::string NameOfFunction() const {
    return function_ + "Broadcast" +
           (dtype_ == DType::kFloat   ? ""
            : dtype_ == DType::kHalf  ? "Half"
            : dtype_ == DType::kInt16 ? "Int16"
                                      : "Int32");
  }

  void InFunction(const Axis& rows, const Int& columns,
                  const std::vector<Int>& offsets) {
    emitter_.Invoke(
        NameOfFunction(),
        {{"dst", Place(0, offsets[0])},
         {"left", Place(1, offsets[1])},
         {"right", Place(2, offsets[2])}},
        {{"rows", rows.size},
         {"columns", columns},
         {"pitch", rows.strides[0]},
         {"left_pitch", rows.strides[1]},
         {"left_step", Step(1)},
         {"right_pitch", rows.strides[2]},
         {"right_step", Step(2)},
         {"padded", padded_}},
        [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
          Broadcast inside = *this;
          for (int i = 0; i < 3; ++i) inside.lanes_[i].place = own[i];
          inside.steps_ = {1, sizes[4], sizes[6]};
          inside.padded_ = sizes[7];
          Axis own_rows = rows;
          own_rows.size = sizes[0];
          own_rows.strides[0] = sizes[2];
          own_rows.strides[1] = sizes[3];
          own_rows.strides[2] = sizes[5];
          inside.RowsAndColumns(own_rows, sizes[1],
                                std::vector<Int>(3, Int(0)));
        });
  }

  Local Place(int i, const Int& offset) const {
    return {lanes_[i].place.name, lanes_[i].place.offset + offset};
  }

  // Blocks from one block of an operand to the next: 0 where it is read again.
  Int Step(int i) const {
    if (steps_[i]) return *steps_[i];
    return ReadsAgain(i) ? 0 : 1;
  }

  bool IsDense() const { return Step(1).Is(1) && Step(2).Is(1); }

  // For calls of OneRow.
  void Counting(const Int& count, const std::function<void()>& body) {
    if (IsDense()) return body();
    emitter_.Counting(dtype_, count, body);
  }

  void OneRow(const Int& count, const std::vector<Int>& offsets) {
    const Local dst = Place(0, offsets[0]);
    const Local a = Place(1, offsets[1]);
    const Local b = Place(2, offsets[2]);
    if (IsDense()) {
      emitter_.Call(function_, {dst, a, b, count});
      return;
    }
    emitter_.Call(
        function_,
        {dst, a, b, Emitter::Unmasked(), Int(1),
         code::Struct{"BinaryRepeatParams",
                      {1, Step(1), Step(2), 8, Step(1) * 8, Step(2) * 8},
                      {}}},
        {dtype_, std::string("false")});
  }

  void Row(const Int& count, const std::vector<Int>& offsets) {
    Counting(count, [&] { OneRow(count, offsets); });
  }

  void Rows(const Axis& rows, const Int& columns,
            const std::vector<Int>& offsets) {
    Counting(columns, [&] {
      emitter_.For("row", 0, rows.size, 1, [&](const Int& row) {
        std::vector<Int> moved = offsets;
        for (int i = 0; i < 3; ++i) moved[i] = moved[i] + row * rows.strides[i];
        OneRow(columns, moved);
      });
    });
  }

  // `at_once`: there are no more rows than an instruction repeats.
  void Chunks(const Axis& rows, const Int& columns,
              const std::vector<Int>& offsets, bool at_once) {
    const int64_t lanes = 8 * block_;
    const auto stride = [&](int i) {
      return FloorDiv(rows.strides[i], block_);
    };
    const code::Struct strides = {
        "BinaryRepeatParams",
        {1, Step(1), Step(2), stride(0), stride(1), stride(2)},
        {}};
    const auto chunk = [&](const Int& row, const Int& repeats,
                           const Int& column) {
      std::vector<Arg> args;
      for (int i = 0; i < 3; ++i) {
        args.emplace_back(
            Place(i, offsets[i] + row * rows.strides[i] + column * Step(i)));
      }
      args.emplace_back(Min(columns - column, lanes));
      args.emplace_back(repeats);
      args.emplace_back(strides);
      emitter_.Call(function_, std::move(args));
    };
    const auto all_columns = [&](const Int& row, const Int& repeats) {
      emitter_.For("column", 0, columns, lanes,
                   [&](const Int& column) { chunk(row, repeats, column); });
    };
    if (at_once) {
      all_columns(0, rows.size);
    } else {
      emitter_.For("first_row", 0, rows.size, kMostRepeats,
                   [&](const Int& row) {
                     all_columns(row, Min(rows.size - row, kMostRepeats));
                   });
    }
  }

  Emitter& emitter_;
  std::string function_;
  DType dtype_ = DType::kNone;
  int64_t block_ = 0;
  Lane lanes_[3];
  Int elements_[3];
  std::vector<Axis> axes_;
  bool on_lanes_ = false;
  bool one_operand_ = false;  // a is b
  Int padded_;  // 1: rows have pitches that suit eight of them at a time
  // In a function: what it is handed.
  std::array<std::optional<Int>, 3> steps_;
};

}  // namespace

void VectorBinary(Emitter& emitter, const std::string& function,
                  const Lane& dst, const Lane& a, const Lane& b) {
  Broadcast(emitter, function, dst, a, b).Run();
}

}  // namespace belay::crux::select
