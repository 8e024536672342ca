// SPDX-License-Identifier: Apache-2.0
// Sorting by the sorting instructions, which sort pairs of a value and its
// number by falling value: equal ones stay in order, NaN comes first. A rising
// order is a falling one of the line read backwards, read backwards again.

#include <limits>

#include "crux/select/order.h"
#include "crux/select/vector.h"

namespace belay::crux::select {
namespace {

using ir::Dim;

constexpr int64_t kGroup = 32;  // elements that are sorted at once
constexpr int64_t kPairBytes = 8;

class VectorSorter {
 public:
  VectorSorter(Emitter& emitter, const ir::Stmt& stmt)
      : emitter_(emitter),
        stmt_(stmt),
        axis_(static_cast<size_t>(stmt.axes[0])),
        falling_(stmt.op == Op::kTopk ? stmt.largest : stmt.descending),
        source_(std::get<int>(stmt.operands[0])),
        dtype_(emitter.DtypeOf(source_)),
        word_(BytesOf(dtype_) == 2 ? DType::kInt16 : DType::kInt32),
        from_(emitter.LayoutOf(source_)),
        to_(emitter.LayoutOf(stmt.results[0])),
        line_(emitter.TileOf(source_).dims[axis_]),
        wanted_(emitter.TileOf(stmt.results[0]).dims[axis_]) {}

  void Run() {
    const Int room = AlignUp(line_.capacity, kGroup);
    const Int pairs =
        room * (kPairBytes / static_cast<int64_t>(BytesOf(dtype_)));
    keys_ = emitter_.Scratch(dtype_, room, "keys");
    numbers_ = emitter_.Scratch(DType::kInt32, room, "numbers");
    pairs_ = emitter_.Scratch(dtype_, pairs, "pairs");
    merged_ = emitter_.Scratch(dtype_, pairs, "merged");
    indices_ = emitter_.Cast(numbers_, DType::kUint32, "indices");
    count_ = emitter_.Let("elements", line_.size);
    groups_ = emitter_.Let("groups", CeilDiv(count_, kGroup));
    if (!falling_ || !IsRow()) MakeOffsets();
    std::vector<Dim> lines = emitter_.TileOf(source_).dims;
    lines[axis_] = {1, 1};
    const bool rows = falling_ && IsRow() && IsRowOfResults();
    if (rows) Prepare();
    ForEachElement(emitter_, lines, [&](const std::vector<Int>& at) {
      if (!rows) Prepare();
      Collect(from_.Offset(at));
      emitter_.Call("Sort", {pairs_, keys_, indices_, merged_, groups_},
                    {dtype_, std::string("true")});
      if (rows) return TakePairs(at);
      emitter_.Call("Extract", {keys_, indices_, pairs_, groups_}, {dtype_});
      Deliver(at);
    });
  }

 private:
  static Local Part(const Local& of, const Int& offset) {
    return {of.name, of.offset + offset};
  }

  bool IsRow() const { return static_cast<int>(axis_) == from_.last; }
  bool IsRowOfResults() const { return static_cast<int>(axis_) == to_.last; }

  // number * step, of the last element first where the order is rising.
  void Number(const Local& into, const Int& step) {
    const Int first = falling_ ? Int(0) : (count_ - 1) * step;
    const Int next = falling_ ? step : Int(0) - step;
    emitter_.Call("CreateVecIndex", {into, Whole(DType::kInt32, 0), count_},
                  {DType::kInt32});
    if (!next.Is(1)) {
      emitter_.Call("Muls", {into, into, Whole(DType::kInt32, next), count_},
                    {DType::kInt32});
    }
    if (!first.Is(0)) {
      emitter_.Call("Adds", {into, into, Whole(DType::kInt32, first), count_},
                    {DType::kInt32});
    }
  }

  // In bytes, of the elements of a line and of their numbers. What is sorted
  // is read backwards by those of a row.
  void MakeOffsets() {
    const auto bytes = static_cast<int64_t>(BytesOf(dtype_));
    const auto make = [&](const Int& step, const char* wish) {
      const Local offsets =
          emitter_.Scratch(DType::kInt32, line_.capacity, wish);
      Number(offsets, step);
      return emitter_.Cast(offsets, DType::kUint32, wish);
    };
    line_offsets_ = make(from_.strides[axis_] * bytes, "line_offsets");
    number_offsets_ = line_offsets_;
    if (stmt_.op != Op::kSort && IsRow() && bytes != 4) {
      number_offsets_ = make(4, "number_offsets");
    }
  }

  // The lowest elements, of which those up to a whole group stay; numbers.
  void Prepare() {
    emitter_.Call(
        "Duplicate",
        {keys_, Real(dtype_, -std::numeric_limits<double>::infinity()),
         groups_ * kGroup},
        {dtype_});
    Number(numbers_, 1);
  }

  // The elements of a line.
  void Collect(const Int& offset) {
    const auto bytes = static_cast<int64_t>(BytesOf(dtype_));
    if (falling_ && IsRow()) {
      Copy(keys_, Part(emitter_.At(source_), offset), count_);
    } else {
      emitter_.Call("Gather", {keys_, emitter_.At(source_), line_offsets_,
                               offset * bytes, count_});
    }
  }

  // The first pairs become a row of each result: of four or two words the
  // first is the value, of two the second the number.
  void TakePairs(const std::vector<Int>& at) {
    const auto take = [&](int result, DType word, int64_t pattern) {
      const auto view = [&](const Local& place) {
        return Part(emitter_.Cast({place.name, 0}, word, place.name + "_words"),
                    place.offset);
      };
      const auto words = kPairBytes / static_cast<int64_t>(BytesOf(word));
      emitter_.Call("GatherMask",
                    {view(emitter_.At(result, to_.Offset(at))), view(pairs_),
                     Int(pattern), Word{"true"}, wanted_.size * words,
                     code::Struct{"GatherMaskParams", {1, 1, 8, 8}, {}}});
    };
    if (stmt_.op != Op::kArgsort) {
      const bool half = BytesOf(dtype_) == 2;
      take(stmt_.results[0], half ? DType::kUint16 : DType::kUint32,
           half ? 3 : 1);
    }
    if (stmt_.op != Op::kSort) take(stmt_.results.back(), DType::kUint32, 2);
  }

  // Bit by bit, of elements of the sorted dtype.
  void Copy(const Local& to, const Local& from, const Int& count) {
    const auto view = [&](const Local& place) {
      return Part(emitter_.Cast({place.name, 0}, word_, place.name + "_bits"),
                  place.offset);
    };
    const Local source = view(from);
    emitter_.Call("Max", {view(to), source, source, count}, {word_});
  }

  // Number `k` of the result stands there.
  Int Sorted(const Int& k) const { return falling_ ? k : count_ - 1 - k; }

  void Deliver(const std::vector<Int>& at) {
    const bool values_too = stmt_.op != Op::kArgsort;
    const bool numbers_too = stmt_.op != Op::kSort;
    const int values = stmt_.results[0];
    const int places = stmt_.results.back();
    if (IsRow() && IsRowOfResults()) {
      const Int offset = to_.Offset(at);
      const auto row = [&](int result, const Local& sorted,
                           const Local& backwards) {
        emitter_.Call("Gather", {emitter_.At(result, offset), sorted, backwards,
                                 Int(0), wanted_.size});
      };
      if (values_too) row(values, keys_, line_offsets_);
      if (numbers_too) row(places, numbers_, number_offsets_);
      return;
    }
    emitter_.For("k", 0, wanted_.size, 1, [&](const Int& k) {
      std::vector<Int> where = at;
      where[axis_] = k;
      const Int offset = to_.Offset(where);
      if (values_too) {
        emitter_.SetValue(emitter_.At(values, offset),
                          Element(dtype_, Part(keys_, Sorted(k))));
      }
      if (numbers_too) {
        emitter_.SetValue(emitter_.At(places, offset),
                          Element(DType::kInt32, Part(numbers_, Sorted(k))));
      }
    });
  }

  Emitter& emitter_;
  const ir::Stmt& stmt_;
  size_t axis_;
  bool falling_;
  int source_;
  DType dtype_;
  DType word_;
  Layout from_;
  Layout to_;
  Dim line_;
  Dim wanted_;
  Int count_;
  Int groups_;
  Local keys_;
  Local numbers_;  // and their view as u32
  Local indices_;
  Local pairs_;
  Local merged_;
  Local line_offsets_;
  Local number_offsets_;
};

}  // namespace

bool SortByVectors(Emitter& emitter, const ir::Stmt& stmt) {
  const int source = std::get<int>(stmt.operands[0]);
  const DType dtype = emitter.DtypeOf(source);
  const auto axis = static_cast<size_t>(stmt.axes[0]);
  if (stmt.op == Op::kMergeTopk) return false;
  if (dtype != DType::kFloat && dtype != DType::kHalf) return false;
  if (emitter.TileOf(source).dims[axis].is_one()) return false;
  const Dim& line = emitter.TileOf(source).dims[axis];
  if (Same(line.size, line.capacity)) {
    VectorSorter(emitter, stmt).Run();
  } else {
    emitter.If(Less(0, line.size), [&] { VectorSorter(emitter, stmt).Run(); });
  }
  return true;
}

}  // namespace belay::crux::select
