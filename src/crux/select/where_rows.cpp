// SPDX-License-Identifier: Apache-2.0
#include "crux/select/where_rows.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "crux/ir/bounds.h"
#include "crux/select/elementwise.h"

namespace belay::crux::select {
namespace {

using ir::Dim;
using ir::Number;

// Which of the axes of rows and columns an operand has.
struct Axes {
  bool rows = false;
  bool columns = false;
};

// Of dims with as many axes as `result` or fewer, of which two are wide.
Axes AxesOf(const std::vector<Dim>& dims, const std::vector<Dim>& result) {
  Axes axes;
  const size_t missing = result.size() - dims.size();
  bool columns = true;
  for (size_t d = result.size(); d-- > 0;) {
    if (result[d].is_one()) continue;
    const bool has = d >= missing && !dims[d - missing].is_one();
    (columns ? axes.columns : axes.rows) = has;
    columns = false;
  }
  return axes;
}

Axes AxesOf(const Emitter& emitter, const ir::Operand& operand,
            const std::vector<Dim>& result) {
  const int* tile = std::get_if<int>(&operand);
  return tile == nullptr ? Axes{} : AxesOf(emitter.TileOf(*tile).dims, result);
}

// Of what is compared; kNone of two numbers.
DType DtypeCompared(const Emitter& emitter, const ir::Stmt& where) {
  for (const size_t i : {0, 1}) {
    const int* tile = std::get_if<int>(&where.operands[i]);
    if (tile != nullptr) return emitter.DtypeOf(*tile);
  }
  return DType::kNone;
}

class Chooser {
 public:
  Chooser(Emitter& emitter, const ir::Stmt& where)
      : emitter_(emitter), dst_(LaneOf(emitter, where.results[0])) {
    const Layout layout = LayoutOf(dst_.dims, emitter.padding());
    columns_ = layout.dims[static_cast<size_t>(layout.last)].size;
    rows_ = layout.Rows();
    pitch_ = layout.pitch;
    compared_ = DtypeCompared(emitter, where);
    word_ = BytesOf(compared_) == 2 ? DType::kHalf : DType::kFloat;
    block_ = LanesOfBlock(word_);
    lanes_ = 8 * block_;
    const Op op = *where.compare;
    contrary_ = op == Op::kNotEqual;
    mode_ = ModeOf(contrary_ ? Op::kEqual : op);
    left_ = Compared(where.operands[0]);
    right_ = Compared(where.operands[1]);
    // A repeat of bits for as many repeats as an instruction takes.
    bits_ =
        emitter.Scratch(DType::kUint8, (kMostRepeats + 1) * lanes_ / 8, "bits");
    SetChoices(where);
  }

  void Run() {
    const Int reaches = Less(pitch_, (kLongestStride + 1) * block_);
    const Int by_columns = Int::Of(
        ir::IntKind::kAnd, Less(rows_, kMostRepeats + 1),
        Int::Of(ir::IntKind::kLessEqual, CeilDiv(columns_, lanes_) * 8, rows_));
    emitter_.If(
        Int::Of(ir::IntKind::kAnd, reaches, by_columns), [&] { ByColumns(); },
        [&] {
          if (emitter_.padding().rows.empty()) return ByRows();
          emitter_.If(
              Int::Of(ir::IntKind::kAnd, reaches, Less(4, rows_)),
              [&] { ByEights(); }, [&] { ByRows(); });
        });
  }

 private:
  // Of an operand that is compared.
  struct Source {
    Local place;
    Int pitch;         // elements from row to row
    int64_t step = 1;  // blocks from block to block; 0: one is read again
  };

  Source Compared(const ir::Operand& operand) {
    const Axes axes = AxesOf(emitter_, operand, dst_.dims);
    const Lane lane = LaneOfOperand(emitter_, operand, compared_);
    if (axes.columns || lane.filled) {
      return {lane.place, 0, axes.columns ? 1 : 0};
    }
    const Int count = LayoutOf(lane.dims, emitter_.padding()).elements;
    const Int repeats = CeilDiv(count, 8);
    const Local spread =
        emitter_.Scratch(compared_, repeats * lanes_, "spread");
    emitter_.Call("Brcb", {spread, lane.place, repeats,
                           code::Struct{"BrcbRepeatParams", {1, 8}, {}}});
    return {spread, axes.rows ? block_ : 0, 0};
  }

  void SetChoices(const ir::Stmt& where) {
    ir::Operand first = where.operands[2];
    ir::Operand second = where.operands[3];
    const DType dtype = emitter_.DtypeOf(dst_.place);
    const auto scalar_of = [&](const ir::Operand& operand) -> ScalarPtr {
      const auto* number = std::get_if<Number>(&operand);
      return number == nullptr || dtype != word_ ? nullptr
                                                 : ScalarOf(*number, dtype);
    };
    // The scalar must stand on the right.
    if (scalar_of(first) != nullptr && scalar_of(second) == nullptr) {
      contrary_ = !contrary_;
      std::swap(first, second);
    }
    const auto lane = [&](const ir::Operand& operand) {
      return ViewAs(emitter_,
                    Dense(emitter_, LaneOfOperand(emitter_, operand, dtype),
                          dst_.dims),
                    word_)
          .place;
    };
    to_ = ViewAs(emitter_, dst_, word_).place;
    scalar_ = scalar_of(second);
    first_ = lane(first);
    if (scalar_ == nullptr) second_ = lane(second);
  }

  void Compare(const Int& row, const Int& column, const Int& repeats,
               code::Struct strides) {
    const auto at = [&](const Source& source) {
      return Moved(source.place, row * source.pitch + column * source.step);
    };
    emitter_.Call("Compare", {bits_, at(left_), at(right_), Word{mode_},
                              Int(lanes_), repeats, std::move(strides)});
    if (!contrary_) return;
    const Local words = emitter_.Cast(bits_, DType::kUint16, "bit_words");
    emitter_.Call("Not", {words, words, repeats * (lanes_ / 16)});
  }

  // `form`: what an instruction takes behind its operands.
  void Choose(const Int& row, const Int& column, std::vector<Arg> form) {
    const Int offset = row * pitch_ + column;
    std::vector<Arg> args = {Moved(to_, offset), bits_, Moved(first_, offset)};
    if (scalar_ != nullptr) {
      args.emplace_back(scalar_);
      args.emplace_back(Word{"SELMODE::VSEL_TENSOR_SCALAR_MODE"});
    } else {
      args.emplace_back(Moved(second_, offset));
      args.emplace_back(Word{"SELMODE::VSEL_TENSOR_TENSOR_MODE"});
    }
    args.insert(args.end(), form.begin(), form.end());
    emitter_.Call("Select", std::move(args));
  }

  Int InBlocks(const Int& elements) const { return FloorDiv(elements, block_); }

  static code::Struct Strides(std::vector<Int> all) {
    return {"BinaryRepeatParams", std::move(all), {}};
  }

  // A repeat takes a block of each of eight rows. What is compared of rows that
  // are not there is not chosen by.
  void ByEights() {
    const Int pitch = InBlocks(pitch_);
    const Int blocks = CeilDiv(columns_, block_);
    emitter_.For("row", 0, rows_, 8, [&](const Int& row) {
      Compare(row, 0, blocks,
              Strides({1, InBlocks(left_.pitch), InBlocks(right_.pitch), 8,
                       left_.step, right_.step}));
      Choose(row, 0,
             {Min(rows_ - row, 8) * block_, blocks,
              Strides({pitch, pitch, pitch, 1, 1, 1})});
    });
  }

  // A repeat takes as many columns of a row.
  void ByColumns() {
    const Int pitch = InBlocks(pitch_);
    emitter_.For("column", 0, columns_, lanes_, [&](const Int& column) {
      Compare(0, column, rows_,
              Strides({1, left_.step, right_.step, 8, InBlocks(left_.pitch),
                       InBlocks(right_.pitch)}));
      Choose(0, column,
             {Min(columns_ - column, lanes_), rows_,
              Strides({1, 1, 1, pitch, pitch, pitch})});
    });
  }

  void ByRows() {
    const int64_t most = kMostRepeats * lanes_;
    emitter_.For("row", 0, rows_, 1, [&](const Int& row) {
      emitter_.For("column", 0, columns_, most, [&](const Int& column) {
        const Int count = Min(columns_ - column, most);
        Compare(row, column, CeilDiv(count, lanes_),
                Strides({1, left_.step, right_.step, 8, left_.step * 8,
                         right_.step * 8}));
        Choose(row, column, {count});
      });
    });
  }

  Emitter& emitter_;
  Lane dst_;
  Int rows_;
  Int columns_;
  Int pitch_;
  DType compared_ = DType::kNone;
  DType word_ = DType::kNone;  // what is chosen is moved as
  int64_t block_ = 0;
  int64_t lanes_ = 0;  // of a repeat
  std::string mode_;
  bool contrary_ = false;  // bits say the contrary
  Source left_;
  Source right_;
  Local bits_;
  Local to_;
  Local first_;
  Local second_;      // or
  ScalarPtr scalar_;  // not null
};

}  // namespace

bool ChoosesByRows(Emitter& emitter, const ir::Stmt& where) {
  const int result = where.results[0];
  const std::vector<Dim>& dims = emitter.TileOf(result).dims;
  const DType dtype = DtypeCompared(emitter, where);
  const bool equality =
      *where.compare == Op::kEqual || *where.compare == Op::kNotEqual;
  const bool compares = dtype == DType::kFloat || dtype == DType::kHalf ||
                        (dtype == DType::kInt32 && equality);
  const auto is_wide = [](const Dim& dim) { return !dim.is_one(); };
  const auto wide = std::count_if(dims.begin(), dims.end(), is_wide);
  if (!compares || BytesOf(dtype) != BytesOf(emitter.DtypeOf(result)) ||
      wide != 2 || emitter.LayoutOf(result).on_lanes) {
    return false;
  }
  bool by_row = false;
  for (const size_t i : {0, 1}) {
    const Axes axes = AxesOf(emitter, where.operands[i], dims);
    if (axes.rows && axes.columns) return false;
    by_row = by_row || axes.rows;
  }
  // One instruction spreads the numbers of all rows.
  const std::optional<int64_t> most =
      ir::Most(emitter.kernel(),
               std::find_if(dims.begin(), dims.end(), is_wide)->capacity);
  return by_row && most && *most <= kMostRepeats * 8;
}

void ChooseByRows(Emitter& emitter, const ir::Stmt& where) {
  Chooser(emitter, where).Run();
}

}  // namespace belay::crux::select
