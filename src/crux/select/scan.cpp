// SPDX-License-Identifier: Apache-2.0
// Running sums, products and maxima, in the order of the elements; the last
// element.

#include <limits>

#include "base/error.h"
#include "crux/ir/limits.h"
#include "crux/select/elementwise.h"
#include "crux/select/emitter.h"
#include "crux/select/scan_vector.h"
#include "crux/select/vector.h"

namespace belay::crux::select {
namespace {

using ir::Dim;

ScalarPtr NeutralOf(Op op, DType dtype) {
  switch (op) {
    case Op::kCumprod:
      return IsFloating(dtype) ? Real(dtype, 1) : Whole(dtype, 1);
    case Op::kCummax: {
      if (IsFloating(dtype)) {
        return Real(dtype, -std::numeric_limits<double>::infinity());
      }
      return Whole(dtype, ir::LowestOf(dtype));
    }
    default:
      return IsFloating(dtype) ? Real(dtype, 0) : Whole(dtype, 0);
  }
}

ScalarPtr Step(Op op, DType dtype, const ScalarPtr& so_far,
               const ScalarPtr& value) {
  switch (op) {
    case Op::kCumsum:
      return Binary(dtype, "+", so_far, value);
    case Op::kCumprod:
      return Binary(dtype, "*", so_far, value);
    default: {
      ScalarPtr larger = Binary(dtype, "<", so_far, value);
      if (IsFloating(dtype)) {
        larger = Binary(DType::kBool, "||", larger,
                        Binary(dtype, "!=", value, value));
        // NaN stays.
        larger = Binary(DType::kBool, "&&", Binary(dtype, "==", so_far, so_far),
                        larger);
      }
      return Choose(larger, value, so_far);
    }
  }
}

class Scanner {
 public:
  Scanner(Emitter& emitter, const ir::Stmt& stmt)
      : emitter_(emitter),
        stmt_(stmt),
        source_(std::get<int>(stmt.operands[0])),
        result_(stmt.results[0]),
        dtype_(emitter.DtypeOf(source_)),
        from_(emitter.LayoutOf(source_)),
        to_(emitter.LayoutOf(result_)),
        dims_(emitter.TileOf(source_).dims),
        axis_(stmt.axes.empty() ? dims_.size() - 1
                                : static_cast<size_t>(stmt.axes[0])) {}

  void Run() {
    if (!HasVectorStep() || static_cast<int>(axis_) > from_.last) {
      return ByElements();
    }
    if (static_cast<int>(axis_) < from_.last) {
      return emitter_.If(HasSlices(), [&] { BySlices(); });
    }
    const DType word = VectorDtype();
    ScanStep step;
    step.name = stmt_.op == Op::kCumsum    ? "Cumsum"
                : stmt_.op == Op::kCumprod ? "Cumprod"
                                           : "Cummax";
    step.step = VectorStep();
    step.neutral = NeutralOf(stmt_.op, word);
    step.combine = [&](const ScalarPtr& a, const ScalarPtr& b) {
      return Step(stmt_.op, word, a, b);
    };
    const auto view = [&](int tile) {
      return ViewAs(emitter_, LaneOf(emitter_, tile), word).place;
    };
    ScanRows(emitter_, stmt_, step, view(result_), view(source_), from_);
  }

 private:
  bool HasVectorStep() const {
    const size_t bytes = BytesOf(dtype_);
    if (bytes != 2 && bytes != 4) return false;
    return stmt_.op != Op::kCummax || IsFloating(dtype_) || IsSigned(dtype_);
  }

  // Sums and products of unsigned numbers have the bits of signed ones.
  DType VectorDtype() const {
    if (IsFloating(dtype_)) return dtype_;
    return BytesOf(dtype_) == 2 ? DType::kInt16 : DType::kInt32;
  }

  const char* VectorStep() const {
    return stmt_.op == Op::kCumsum    ? "Add"
           : stmt_.op == Op::kCumprod ? "Mul"
                                      : "Max";
  }

  // Where along the axis turn k is.
  Int Position(const Int& k) const {
    return stmt_.reverse ? dims_[axis_].size - 1 - k : k;
  }

  // Pieces of a dimension are never empty.
  Int HasSlices() const {
    const Dim& along = dims_[axis_];
    return Same(along.size, along.capacity) ? Less(0, along.size) : Int(1);
  }

  // Whole slices along the axis: lanes are the axes behind it.
  void BySlices() {
    const std::vector<Dim> outer(
        dims_.begin(), dims_.begin() + static_cast<std::ptrdiff_t>(axis_));
    std::vector<Dim> inner = dims_;
    for (size_t i = 0; i <= axis_; ++i) inner[i] = {1, 1};
    const Int count = LayoutOf(inner, emitter_.padding()).Count();
    const DType word = VectorDtype();
    const Local from = ViewAs(emitter_, LaneOf(emitter_, source_), word).place;
    const Local to = ViewAs(emitter_, LaneOf(emitter_, result_), word).place;
    ForEachElement(emitter_, outer, [&](const std::vector<Int>& at) {
      const auto place = [&](const Local& base, const Layout& layout,
                             const Int& k) {
        std::vector<Int> where = at;
        where.push_back(k);
        where.resize(dims_.size(), Int(0));
        return Local{base.name, layout.Offset(where)};
      };
      const Local first = place(to, to_, Position(0));
      emitter_.Call("Duplicate", {first, NeutralOf(stmt_.op, word), count},
                    {word});
      if (!stmt_.exclusive) {
        emitter_.Call(VectorStep(),
                      {first, first, place(from, from_, Position(0)), count});
      }
      emitter_.For("k", 1, dims_[axis_].size, 1, [&](const Int& k) {
        const Int added = stmt_.exclusive ? Position(k - 1) : Position(k);
        emitter_.Call(VectorStep(), {place(to, to_, Position(k)),
                                     place(to, to_, Position(k - 1)),
                                     place(from, from_, added), count});
      });
    });
  }

  void ByElements() {
    std::vector<Dim> others = dims_;
    others[axis_] = {1, 1};
    const Local so_far = emitter_.Scratch(dtype_, 1, "so_far");
    ForEachElement(emitter_, others, [&](const std::vector<Int>& at) {
      emitter_.SetValue(so_far, NeutralOf(stmt_.op, dtype_));
      emitter_.For("k", 0, dims_[axis_].size, 1, [&](const Int& k) {
        std::vector<Int> where = at;
        where[axis_] = Position(k);
        const ScalarPtr next = emitter_.LetScalar(
            "next",
            Step(stmt_.op, dtype_, Element(dtype_, so_far),
                 Element(dtype_, emitter_.At(source_, from_.Offset(where)))));
        emitter_.SetValue(emitter_.At(result_, to_.Offset(where)),
                          stmt_.exclusive ? Element(dtype_, so_far) : next);
        emitter_.SetValue(so_far, next);
      });
    });
  }

  Emitter& emitter_;
  const ir::Stmt& stmt_;
  int source_;
  int result_;
  DType dtype_;
  Layout from_;
  Layout to_;
  std::vector<Dim> dims_;
  size_t axis_;
};

void TakeLast(Emitter& emitter, const ir::Stmt& stmt) {
  const int source = std::get<int>(stmt.operands[0]);
  const int result = stmt.results[0];
  const Layout from = emitter.LayoutOf(source);
  const Layout to = emitter.LayoutOf(result);
  const std::vector<Dim>& dims = emitter.TileOf(source).dims;
  const size_t axis =
      stmt.axes.empty() ? dims.size() - 1 : static_cast<size_t>(stmt.axes[0]);
  ForEachElement(
      emitter, emitter.TileOf(result).dims, [&](const std::vector<Int>& at) {
        std::vector<Int> where = at;
        where.insert(where.begin() + static_cast<std::ptrdiff_t>(axis),
                     dims[axis].size - 1);
        emitter.SetValue(emitter.At(result, to.Offset(at)),
                         Element(emitter.DtypeOf(source),
                                 emitter.At(source, from.Offset(where))));
      });
}

}  // namespace

void SelectScan(Emitter& emitter, const ir::Stmt& stmt) {
  if (stmt.op == Op::kLast) return TakeLast(emitter, stmt);
  const int source = std::get<int>(stmt.operands[0]);
  const size_t axis = stmt.axes.empty() ? emitter.TileOf(source).dims.size() - 1
                                        : static_cast<size_t>(stmt.axes[0]);
  const Dim& line = emitter.TileOf(source).dims[axis];
  if (Same(line.size, line.capacity)) return Scanner(emitter, stmt).Run();
  emitter.If(Less(0, line.size), [&] { Scanner(emitter, stmt).Run(); });
}

}  // namespace belay::crux::select
