// SPDX-License-Identifier: Apache-2.0
// Sorting by the scalar unit: numbers of elements are merged, list by list
// twice as long, n log n comparisons of n elements.

#include "crux/select/order.h"

namespace belay::crux::select {
namespace {

using ir::Dim;

// Elements that take part, and what stands for their places; -1: the number of
// the element itself.
struct Source {
  int values = -1;
  int positions = -1;
};

class ScalarSorter {
 public:
  ScalarSorter(Emitter& emitter, const ir::Stmt& stmt)
      : emitter_(emitter),
        stmt_(stmt),
        axis_(static_cast<size_t>(stmt.axes[0])),
        falling_(stmt.op == Op::kSort || stmt.op == Op::kArgsort
                     ? stmt.descending
                     : stmt.largest) {
    const auto operand = [&](size_t i) {
      return std::get<int>(stmt.operands[i]);
    };
    if (stmt.op == Op::kMergeTopk) {
      sources_ = {{operand(0), operand(1)}, {operand(2), operand(3)}};
      position_dtype_ = emitter.DtypeOf(operand(1));
    } else {
      sources_ = {{operand(0), -1}};
    }
    dtype_ = emitter.DtypeOf(operand(0));
    for (const Source& source : sources_) {
      const Dim& dim = emitter.TileOf(source.values).dims[axis_];
      capacity_ = capacity_ + dim.capacity;
      count_ = count_ + dim.size;
    }
  }

  void Run() {
    values_ = emitter_.Scratch(dtype_, capacity_, "unsorted");
    if (HasPositions()) {
      positions_ = emitter_.Scratch(position_dtype_, capacity_, "named");
    }
    order_ = emitter_.Scratch(DType::kInt32, capacity_ * 2, "order");
    if (!HasPositions()) count_ = emitter_.Let("elements", count_);
    std::vector<Dim> lines = emitter_.TileOf(sources_[0].values).dims;
    lines[axis_] = {1, 1};
    ForEachElement(emitter_, lines, [&](const std::vector<Int>& at) {
      Collect(at);
      const Int sorted = Sort();
      Deliver(at, sorted);
    });
  }

 private:
  bool HasPositions() const { return sources_[0].positions >= 0; }

  static Local Part(const Local& of, const Int& offset) {
    return {of.name, of.offset + offset};
  }
  ScalarPtr Number(const Int& place) const {
    return Element(DType::kInt32, Part(order_, place));
  }

  // Element k of the line, of a tile that broadcasts.
  ScalarPtr At(int tile, std::vector<Int> at, const Int& k) const {
    at[axis_] = k;
    const Int offset = emitter_.LayoutOf(tile).Offset(
        BroadcastIndices(emitter_.TileOf(tile).dims, at));
    return Element(emitter_.DtypeOf(tile), emitter_.At(tile, offset));
  }

  void Append(const Int& number, const ScalarPtr& value,
              const ScalarPtr& position) {
    emitter_.SetValue(Part(values_, number), value);
    if (position != nullptr) {
      emitter_.SetValue(Part(positions_, number), position);
    }
    emitter_.SetValue(Part(order_, number), Whole(DType::kInt32, number));
  }

  void Collect(const std::vector<Int>& at) {
    const Source& first = sources_[0];
    const Int size = emitter_.TileOf(first.values).dims[axis_].size;
    emitter_.For("k", 0, size, 1, [&](const Int& k) {
      Append(k, At(first.values, at, k),
             HasPositions() ? At(first.positions, at, k) : nullptr);
    });
    if (HasPositions()) CollectBetter(at, size);
  }

  // Of the second source what comes before the last of the first: nothing else
  // can be among as many as the first has.
  void CollectBetter(const std::vector<Int>& at, const Int& kept) {
    const Source& more = sources_[1];
    const Int worst = emitter_.Variable("worst", Int(0));
    emitter_.For("k", 1, kept, 1, [&](const Int& k) {
      emitter_.If(emitter_.LetInt("is_better", Overtakes(worst, k)),
                  [&] { emitter_.Set(worst, k); });
    });
    count_ = emitter_.Variable("elements", kept);
    emitter_.If(Less(0, kept), [&] {
      const ScalarPtr last_value = emitter_.LetScalar(
          "last_value", Element(dtype_, Part(values_, worst)));
      const ScalarPtr last_position = emitter_.LetScalar(
          "last_position", Element(position_dtype_, Part(positions_, worst)));
      const Int size = emitter_.TileOf(more.values).dims[axis_].size;
      emitter_.For("k", 0, size, 1, [&](const Int& k) {
        const ScalarPtr value =
            emitter_.LetScalar("value", At(more.values, at, k));
        const ScalarPtr position =
            emitter_.LetScalar("position", At(more.positions, at, k));
        const Int wins = emitter_.LetInt(
            "wins", Before(value, position, last_value, last_position));
        emitter_.If(wins, [&] {
          Append(count_, value, position);
          emitter_.Set(count_, count_ + 1);
        });
      });
    });
  }

  // Whether a comes before b by its value; NaN is the largest.
  ScalarPtr Better(const ScalarPtr& a, const ScalarPtr& b) const {
    const ScalarPtr& less = falling_ ? b : a;
    const ScalarPtr& more = falling_ ? a : b;
    const ScalarPtr smaller = Binary(dtype_, "<", less, more);
    if (!IsFloating(dtype_)) return smaller;
    return Binary(DType::kBool, "||", smaller,
                  Binary(DType::kBool, "&&", Binary(dtype_, "!=", more, more),
                         Binary(dtype_, "==", less, less)));
  }

  // Whether the element numbered `second` goes before `first`, which stands
  // before it now.
  ScalarPtr Overtakes(const Int& second, const Int& first) {
    const auto value = [&](const char* wish, const Int& number) {
      return emitter_.LetScalar(wish, Element(dtype_, Part(values_, number)));
    };
    const ScalarPtr a = value("second_value", second);
    const ScalarPtr b = value("first_value", first);
    if (!HasPositions()) return Better(a, b);
    const auto position = [&](const Int& number) {
      return Element(position_dtype_, Part(positions_, number));
    };
    return Before(a, position(second), b, position(first));
  }

  // By value, then by position.
  ScalarPtr Before(const ScalarPtr& a, const ScalarPtr& a_position,
                   const ScalarPtr& b, const ScalarPtr& b_position) const {
    const ScalarPtr tie =
        Binary(DType::kBool, "&&", Unary("!", Better(b, a)),
               Binary(position_dtype_, "<", a_position, b_position));
    return Binary(DType::kBool, "||", Better(a, b), tie);
  }

  // How often pairs of sorted runs may have to be merged.
  int64_t MostLevels() const {
    if (!capacity_.is_constant()) return kMostLevels;
    int64_t levels = 0;
    while ((int64_t{1} << levels) < capacity_.value()) ++levels;
    return levels;
  }

  // Sorts the numbers in order_; gives where in it they are.
  Int Sort() {
    const Int from = emitter_.Variable("from", 0);
    const Int width = emitter_.Variable("width", 1);
    emitter_.For("level", 0, MostLevels(), 1, [&](const Int&) {
      emitter_.If(Less(width, count_), [&] {
        const Int to = emitter_.Let("to", capacity_ - from);
        emitter_.For("left", 0, count_, width * 2, [&](const Int& left) {
          Merge(from, to, left,
                emitter_.Let("middle", Min(left + width, count_)),
                emitter_.Let("right", Min(left + width * 2, count_)));
        });
        emitter_.Set(from, to);
        emitter_.Set(width, width * 2);
      });
    });
    return from;
  }

  void Merge(const Int& from, const Int& to, const Int& left, const Int& middle,
             const Int& right) {
    const Int i = emitter_.Variable("i", left);
    const Int j = emitter_.Variable("j", middle);
    emitter_.For("place", left, right, 1, [&](const Int& place) {
      const Int later = emitter_.Variable("later", Int(0));
      emitter_.If(
          Less(i, middle),
          [&] {
            emitter_.If(Less(j, right), [&] {
              const Int second = emitter_.LetInt("second", Number(from + j));
              const Int first = emitter_.LetInt("first", Number(from + i));
              emitter_.Set(later, emitter_.LetInt("overtakes",
                                                  Overtakes(second, first)));
            });
          },
          [&] { emitter_.Set(later, 1); });
      emitter_.SetValue(Part(order_, to + place),
                        Number(from + Int::Select(later, j, i)));
      emitter_.Set(j, j + later);
      emitter_.Set(i, i + 1 - later);
    });
  }

  void Deliver(const std::vector<Int>& at, const Int& sorted) {
    const bool values_too = stmt_.op != Op::kArgsort;
    const bool positions_too = stmt_.op != Op::kSort;
    const int shape = stmt_.results[0];
    const int places = stmt_.results.back();
    emitter_.For(
        "k", 0, emitter_.TileOf(shape).dims[axis_].size, 1, [&](const Int& k) {
          std::vector<Int> where = at;
          where[axis_] = k;
          const Int offset = emitter_.LayoutOf(shape).Offset(where);
          const Int number = emitter_.LetInt("number", Number(sorted + k));
          if (values_too) {
            emitter_.SetValue(emitter_.At(shape, offset),
                              Element(dtype_, Part(values_, number)));
          }
          if (!positions_too) return;
          emitter_.SetValue(emitter_.At(places, offset),
                            HasPositions() ? Element(position_dtype_,
                                                     Part(positions_, number))
                                           : Whole(DType::kInt32, number));
        });
  }

  static constexpr int64_t kMostLevels = 18;  // no memory holds 2^18 elements

  Emitter& emitter_;
  const ir::Stmt& stmt_;
  size_t axis_;
  bool falling_;
  std::vector<Source> sources_;
  DType dtype_ = DType::kNone;
  DType position_dtype_ = DType::kInt32;
  Int capacity_ = 0;
  Int count_ = 0;
  Local values_;
  Local positions_;
  Local order_;
};

}  // namespace

void SortByScalars(Emitter& emitter, const ir::Stmt& stmt) {
  ScalarSorter(emitter, stmt).Run();
}

}  // namespace belay::crux::select
