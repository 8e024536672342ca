// SPDX-License-Identifier: Apache-2.0
#include "crux/select/interleave.h"

#include <algorithm>

#include "crux/select/vector.h"

namespace belay::crux::select {
namespace {

using ir::Dim;

class Interleaver {
 public:
  Interleaver(Emitter& emitter, const ir::Stmt& stmt)
      : emitter_(emitter),
        result_(stmt.results[0]),
        dims_(emitter.TileOf(result_).dims),
        last_(static_cast<int>(dims_.size()) - 1),
        to_(emitter.LayoutOf(result_)),
        bytes_(static_cast<int64_t>(BytesOf(emitter.DtypeOf(result_)))) {
    for (const ir::Operand& operand : stmt.operands) {
      parts_.push_back(std::get<int>(operand));
    }
    above_ = last_ - 1;
    while (above_ >= 0 && dims_[above_].is_one()) --above_;
  }

  void Emit() {
    if (IsGathered()) {
      Gather();
    } else {
      OneByOne();
    }
  }

 private:
  int64_t count() const { return static_cast<int64_t>(parts_.size()); }
  // Of a block.
  int64_t lanes() const { return 32 / bytes_; }

  bool IsGathered() const {
    return (bytes_ == 2 || bytes_ == 4) && to_.last == last_ &&
           std::all_of(parts_.begin(), parts_.end(), [&](int part) {
             return emitter_.LayoutOf(part).last == last_;
           });
  }

  void OneByOne() {
    for (int64_t i = 0; i < count(); ++i) {
      const int part = parts_[i];
      const Layout from = emitter_.LayoutOf(part);
      ForEachElement(emitter_, emitter_.TileOf(part).dims,
                     [&](const std::vector<Int>& at) {
                       std::vector<Int> there = at;
                       there[last_] = at[last_] * count() + i;
                       emitter_.SetValue(
                           emitter_.At(result_, to_.Offset(there)),
                           Element(emitter_.DtypeOf(result_),
                                   emitter_.At(part, from.Offset(at))));
                     });
    }
  }

  // Elements from a row of an operand to the next.
  Int PitchOf(int part) const {
    const Int pitch = emitter_.LayoutOf(part).pitch;
    return above_ < 0 ? AlignUp(pitch, lanes()) : pitch;
  }

  // Columns of a long row that are gathered at a time: whole blocks of each
  // operand.
  int64_t Chunk() const {
    const int64_t unit = count() * lanes();
    return std::max<int64_t>(1, kGathered / unit) * unit;
  }

  void Gather() {
    const Int is_short = Less(to_.pitch, kGathered + 1);
    const Int most = above_ < 0 ? Int(1) : RowsGathered(to_.pitch);
    const Int pitch =
        Int::Select(is_short, PitchOf(parts_[0]), Chunk() / count());
    const DType word = bytes_ == 2 ? DType::kUint16 : DType::kUint32;
    const Local rows =
        emitter_.Scratch(word, count() * most * pitch, "in_rows");
    together_ = emitter_.Let("together", most);
    part_ = emitter_.Let("part", pitch);
    width_ = emitter_.Let("width", Int::Select(is_short, to_.pitch, Chunk()));
    const Local offsets = Offsets();
    const Local dst = ViewAs(emitter_, LaneOf(emitter_, result_), word).place;
    std::vector<Local> sources;
    for (const int part : parts_) {
      sources.push_back(ViewAs(emitter_, LaneOf(emitter_, part), word).place);
    }
    std::vector<Dim> outer = dims_;
    outer[last_] = {1, 1};
    if (above_ >= 0) outer[above_] = {1, 1};
    const Int all = above_ < 0 ? Int(1) : dims_[above_].size;
    const Int size = dims_[last_].size;
    ForEachElement(emitter_, outer, [&](const std::vector<Int>& first) {
      emitter_.For("row", 0, all, together_, [&](const Int& row) {
        std::vector<Int> at = first;
        if (above_ >= 0) at[above_] = row;
        const Int here = emitter_.Let("here", Min(together_, all - row));
        emitter_.For("column", 0, size, width_, [&](const Int& column) {
          const Int from = emitter_.Let("from", FloorDiv(column, count()));
          for (int64_t i = 0; i < count(); ++i) {
            const Layout layout = emitter_.LayoutOf(parts_[i]);
            CopyRows(Moved(rows, together_ * part_ * i),
                     Moved(sources[i], layout.Offset(at) + from),
                     PitchOf(parts_[i]), from, here);
          }
          emitter_.Call(
              "Gather",
              {Moved(dst, to_.Offset(at) + column), rows, offsets, Int(0),
               (here - 1) * to_.pitch + Min(width_, size - column)});
        });
      });
    });
  }

  // Up to part_ columns, which begin at `first`, of rows that are `pitch`
  // elements apart.
  void CopyRows(const Local& to, const Local& from, const Int& pitch,
                const Int& first, const Int& rows) {
    const Int blocks =
        emitter_.Let("blocks", FloorDiv(Min(part_, pitch - first), lanes()));
    const auto copy = [&] {
      emitter_.Call(
          "DataCopy",
          {to, from,
           code::Struct{"DataCopyParams",
                        {rows, blocks, FloorDiv(pitch, lanes()) - blocks,
                         FloorDiv(part_, lanes()) - blocks},
                        {}}});
    };
    // The last elements may be the first operands' alone.
    if (Same(pitch, PitchOf(parts_[0]))) return copy();
    emitter_.If(Less(0, blocks), copy);
  }

  // Where elements of rows that are gathered at a time lie, in bytes: element
  // j = q * count + i of a row is element q of that row of operand i. Padding
  // is where the row's first element is.
  Local Offsets() {
    const Local offsets = emitter_.Scratch(DType::kInt32, kGathered, "numbers");
    const Local quotients =
        emitter_.Scratch(DType::kInt32, kGathered, "quotients");
    const Local reals = emitter_.Cast(quotients, DType::kFloat, "reals");
    const Int size = emitter_.Let("columns", Min(dims_[last_].size, width_));
    const Int length = together_ * part_;  // of what an operand has of them
    const auto on_all = [&](const char* name, const Local& to,
                            const Local& from, const ScalarPtr& number) {
      emitter_.Call(name, {to, from, number, size}, {emitter_.DtypeOf(to)});
    };
    emitter_.Call("Duplicate",
                  {offsets, Whole(DType::kInt32, 0), Int(kGathered)},
                  {DType::kInt32});
    emitter_.Call("CreateVecIndex", {offsets, Whole(DType::kInt32, 0), size},
                  {DType::kInt32});
    // (j + 1 / 2) / count is no closer to an integer than it is exact.
    emitter_.Call("Cast",
                  {reals, offsets, code::Word{"RoundMode::CAST_RINT"}, size});
    on_all("Adds", reals, reals, Real(DType::kFloat, 0.5));
    on_all("Muls", reals, reals,
           Real(DType::kFloat, 1.0 / static_cast<double>(count())));
    emitter_.Call(
        "Cast", {quotients, reals, code::Word{"RoundMode::CAST_FLOOR"}, size});
    on_all("Muls", offsets, offsets, Whole(DType::kInt32, length * bytes_));
    on_all("Muls", quotients, quotients,
           Whole(DType::kInt32, (1 - length * count()) * bytes_));
    emitter_.Call("Add", {offsets, offsets, quotients, size});
    if (above_ >= 0) {
      emitter_.For("next", 1, Min(together_, dims_[above_].size), 1,
                   [&](const Int& next) {
                     emitter_.Call("Adds",
                                   {Moved(offsets, next * to_.pitch), offsets,
                                    Whole(DType::kInt32, next * part_ * bytes_),
                                    to_.pitch},
                                   {DType::kInt32});
                   });
    }
    return emitter_.Cast(offsets, DType::kUint32, "offsets");
  }

  Emitter& emitter_;
  int result_;
  const std::vector<Dim>& dims_;
  int last_;  // axis
  Layout to_;
  int64_t bytes_;  // of an element
  std::vector<int> parts_;
  int above_ = -1;  // axis of rows; -1: there is one
  // What is gathered at a time: rows, columns of them, and elements of each
  // operand for a row.
  Int together_;
  Int width_;
  Int part_;
};

}  // namespace

void SelectInterleave(Emitter& emitter, const ir::Stmt& stmt) {
  Interleaver(emitter, stmt).Emit();
}

}  // namespace belay::crux::select
