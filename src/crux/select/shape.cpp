// SPDX-License-Identifier: Apache-2.0
// Operations that move elements: broadcast, transpose, concat, slices and
// reshapes. Rows that lie in whole blocks are copied, others go element by
// element.

#include <numeric>

#include "base/error.h"
#include "crux/select/elementwise.h"
#include "crux/select/emitter.h"
#include "crux/select/interleave.h"
#include "crux/select/vector.h"
#include "crux/select/views.h"

namespace belay::crux::select {
namespace {

using ir::Dim;
using ir::Index;

// Bursts of one DataCopy.
constexpr int64_t kMostBursts = 4095;

constexpr int64_t kNumbersOfBrcb = 8 * kGroupsOfBrcb;

void CopyElement(Emitter& emitter, const Local& to, const Local& from,
                 DType dtype) {
  emitter.SetValue(to, Element(dtype, from));
}

// Whether one number after the other goes into a block of its own
// (passes/stages.h).
bool FillsBlocks(const Lane& to, const Lane& from) {
  return to.dims.size() > 1 && to.dims.size() == from.dims.size() &&
         to.dims.back().size.Is(1) && !to.dims.back().is_one();
}

void FillBlocks(Emitter& emitter, const Lane& to, const Lane& from) {
  const Layout layout = LayoutOf(to.dims, emitter.padding());
  const Int apart =
      FloorDiv(layout.pitch, LanesOfBlock(emitter.DtypeOf(to.place)));
  const Int numbers = layout.Rows();
  emitter.For("first", 0, numbers, kNumbersOfBrcb, [&](const Int& first) {
    const Local blocks = {to.place.name,
                          to.place.offset + first * layout.pitch};
    const Local source = {from.place.name, from.place.offset + first};
    emitter.Call(
        "Brcb",
        {blocks, source, CeilDiv(Min(numbers - first, kNumbersOfBrcb), 8),
         code::Struct{"BrcbRepeatParams", {apart, apart * 8}, {}}});
  });
}

// The first of the axes at the end that a tile and what it is broadcast from
// have alike, elements in the same places; all of them have elements side by
// side there. The rank: there is none.
size_t FirstAlike(const Layout& to, const Layout& from) {
  const size_t rank = to.dims.size();
  const size_t more = rank - from.dims.size();
  if (to.last < 0 || from.last + static_cast<int>(more) != to.last) return rank;
  size_t first = rank;
  while (
      first > more &&
      Same(to.dims[first - 1].capacity, from.dims[first - 1 - more].capacity) &&
      Same(to.strides[first - 1], from.strides[first - 1 - more])) {
    --first;
  }
  return first > static_cast<size_t>(to.last) ? rank : first;
}

// What lies along the axes from `first` on, over and over.
void CopyAlike(Emitter& emitter, const ir::Stmt& stmt, size_t first) {
  const int result = stmt.results[0];
  const int source = std::get<int>(stmt.operands[0]);
  const Layout to = emitter.LayoutOf(result);
  const Layout from = emitter.LayoutOf(source);
  const auto last = static_cast<size_t>(to.last);
  size_t lead = first;
  while (to.dims[lead].is_one()) ++lead;
  const Int elements = to.dims[lead].size * to.strides[lead];
  const Int run = AlignUp(elements, LanesOfBlock(emitter.DtypeOf(result)));
  std::vector<Dim> outer = to.dims;
  for (size_t i = first; i <= last; ++i) outer[i] = {1, 1};
  ForEachElement(emitter, outer, [&](const std::vector<Int>& at) {
    emitter.Call(
        "DataCopy",
        {emitter.At(result, to.Offset(at)),
         emitter.At(source, from.Offset(BroadcastIndices(from.dims, at))),
         run});
  });
}

void Broadcast(Emitter& emitter, const ir::Stmt& stmt) {
  const int result = stmt.results[0];
  const DType dtype = emitter.DtypeOf(result);
  const int source = std::get<int>(stmt.operands[0]);
  const Lane to = LaneOf(emitter, result);
  const Lane from = LaneOf(emitter, source);
  const int64_t bytes = static_cast<int64_t>(BytesOf(dtype));
  if (SamePlaces(LayoutOf(to.dims, emitter.padding()),
                 LayoutOf(from.dims, emitter.padding()))) {
    return CopyLanes(emitter, to, from);
  }
  if (FillsBlocks(to, from)) {
    emitter.KeepBlocks(source,
                       {result, to.place, emitter.LayoutOf(result).pitch});
    const DType word = bytes == 2 ? DType::kInt16 : DType::kInt32;
    return FillBlocks(emitter, ViewAs(emitter, to, word),
                      ViewAs(emitter, from, word));
  }
  if (bytes == 2 || bytes == 4) return BroadcastTo(emitter, to, from);
  const Layout there = emitter.LayoutOf(result);
  const Layout here = emitter.LayoutOf(source);
  if (const size_t first = FirstAlike(there, here); first < to.dims.size()) {
    return CopyAlike(emitter, stmt, first);
  }
  ForEachElement(emitter, to.dims, [&](const std::vector<Int>& at) {
    CopyElement(
        emitter, emitter.At(result, there.Offset(at)),
        emitter.At(source, here.Offset(BroadcastIndices(from.dims, at))),
        dtype);
  });
}

// Rows of the result, one by one: copied where they are rows of the source as
// well, else gathered.
void TransposeRows(Emitter& emitter, const ir::Stmt& stmt) {
  const int result = stmt.results[0];
  const int source = std::get<int>(stmt.operands[0]);
  const Layout& to = emitter.LayoutOf(result);
  const Layout& from = emitter.LayoutOf(source);
  const auto last = static_cast<size_t>(to.last);
  const int axis = stmt.axes[last];
  const Dim row = to.dims[last];
  const DType dtype = emitter.DtypeOf(result);
  const auto bytes = static_cast<int64_t>(BytesOf(dtype));
  const bool gathers = from.last != axis;
  Local offsets;
  if (gathers) {
    const Local numbers =
        emitter.Scratch(DType::kInt32, row.capacity, "numbers");
    emitter.Call("CreateVecIndex", {numbers, Whole(DType::kInt32, 0), row.size},
                 {DType::kInt32});
    const Int step = from.strides[static_cast<size_t>(axis)] * bytes;
    emitter.Call("Muls",
                 {numbers, numbers, Whole(DType::kInt32, step), row.size},
                 {DType::kInt32});
    offsets = emitter.Cast(numbers, DType::kUint32, "offsets");
  }
  std::vector<Dim> rows = to.dims;
  rows[last] = {1, 1};
  ForEachElement(emitter, rows, [&](const std::vector<Int>& at) {
    std::vector<Int> there(at.size());
    for (size_t i = 0; i < at.size(); ++i) there[stmt.axes[i]] = at[i];
    const Local put = emitter.At(result, to.Offset(at));
    const Int first = from.Offset(there);
    if (gathers) {
      emitter.Call("Gather",
                   {put, emitter.At(source), offsets, first * bytes, row.size});
    } else {
      emitter.Call("DataCopy", {put, emitter.At(source, first),
                                AlignUp(row.size, LanesOfBlock(dtype))});
    }
  });
}

void Transpose(Emitter& emitter, const ir::Stmt& stmt) {
  const int result = stmt.results[0];
  const int source = std::get<int>(stmt.operands[0]);
  const Layout to = emitter.LayoutOf(result);
  const Layout from = emitter.LayoutOf(source);
  const size_t bytes = BytesOf(emitter.DtypeOf(result));
  if (to.last >= 0 && (bytes == 2 || bytes == 4)) {
    return TransposeRows(emitter, stmt);
  }
  ForEachElement(emitter, emitter.TileOf(result).dims,
                 [&](const std::vector<Int>& at) {
                   std::vector<Int> there(at.size());
                   for (size_t i = 0; i < at.size(); ++i)
                     there[stmt.axes[i]] = at[i];
                   CopyElement(emitter, emitter.At(result, to.Offset(at)),
                               emitter.At(source, from.Offset(there)),
                               emitter.DtypeOf(result));
                 });
}

// One operand of a concatenation, which begins `before` elements along `axis`.
struct ConcatPart {
  int result = 0;
  int source = 0;
  size_t axis = 0;
  Int before;
};

// Its elements one by one.
void ConcatElements(Emitter& emitter, const ConcatPart& part) {
  const Layout to = emitter.LayoutOf(part.result);
  const Layout from = emitter.LayoutOf(part.source);
  ForEachElement(emitter, emitter.TileOf(part.source).dims,
                 [&](const std::vector<Int>& at) {
                   std::vector<Int> there = at;
                   there[part.axis] = there[part.axis] + part.before;
                   CopyElement(emitter,
                               emitter.At(part.result, to.Offset(there)),
                               emitter.At(part.source, from.Offset(at)),
                               emitter.DtypeOf(part.result));
                 });
}

// Whole blocks of its rows, which begin at blocks of the result; what lies
// behind a row in its last block is written, too.
void ConcatRows(Emitter& emitter, const ConcatPart& part) {
  const Layout to = emitter.LayoutOf(part.result);
  const Layout from = emitter.LayoutOf(part.source);
  const int64_t lanes = LanesOfBlock(emitter.DtypeOf(part.result));
  std::vector<Dim> outer = emitter.TileOf(part.source).dims;
  int above = to.last - 1;
  while (above >= 0 && outer[above].is_one()) --above;
  const Dim rows = above < 0 ? Dim{1, 1} : outer[above];
  const Int blocks = emitter.Let("blocks", CeilDiv(outer[to.last].size, lanes));
  const auto gap = [&](const Layout& layout) {
    return above < 0 ? Int(0) : FloorDiv(layout.strides[above], lanes) - blocks;
  };
  outer[to.last] = {1, 1};
  if (above >= 0) outer[above] = {1, 1};
  ForEachElement(emitter, outer, [&](const std::vector<Int>& first) {
    emitter.For("row", 0, rows.size, kMostBursts, [&](const Int& row) {
      std::vector<Int> at = first;
      if (above >= 0) at[above] = row;
      std::vector<Int> there = at;
      there[part.axis] = there[part.axis] + part.before;
      emitter.Call("DataCopy", {emitter.At(part.result, to.Offset(there)),
                                emitter.At(part.source, from.Offset(at)),
                                code::Struct{"DataCopyParams",
                                             {Min(rows.size - row, kMostBursts),
                                              blocks, gap(from), gap(to)},
                                             {}}});
    });
  });
}

// Operands in their order: what one writes behind its rows is the next one's,
// or padding.
void Concat(Emitter& emitter, const ir::Stmt& stmt) {
  ConcatPart part;
  part.result = stmt.results[0];
  part.axis = stmt.axes.empty() ? 0 : stmt.axes[0];
  part.before = 0;
  const int last = emitter.LayoutOf(part.result).last;
  const int64_t lanes = LanesOfBlock(emitter.DtypeOf(part.result));
  for (const ir::Operand& operand : stmt.operands) {
    part.source = std::get<int>(operand);
    const Int& size = emitter.TileOf(part.source).dims[part.axis].size;
    const Int whole =
        static_cast<int>(part.axis) == last
            ? Int::Of(ir::IntKind::kEqual, Mod(part.before, lanes), 0)
            : Int(1);
    if (last < 0 || emitter.LayoutOf(part.source).last != last) {
      ConcatElements(emitter, part);
    } else if (whole.Is(1)) {
      emitter.If(Less(0, emitter.TileOf(part.source).dims[last].size),
                 [&] { ConcatRows(emitter, part); });
    } else {
      emitter.If(
          whole,
          [&] {
            emitter.If(Less(0, size), [&] { ConcatRows(emitter, part); });
          },
          [&] { ConcatElements(emitter, part); });
    }
    part.before = part.before + size;
  }
}

// Offsets of neighbours along the contiguous axis of a slice: taken by Gather,
// which reads 16- and 32-bit elements from anywhere.
bool Gathers(const Emitter& emitter, const ir::Stmt& stmt) {
  const int64_t bytes =
      static_cast<int64_t>(BytesOf(emitter.DtypeOf(stmt.results[0])));
  return bytes == 2 || bytes == 4;
}

// The range of a slice that is this axis of the result; null: there is none.
const Index* RangeOf(const ir::Stmt& stmt, int axis) {
  for (const Index& index : stmt.slice) {
    if (index.kind == ir::IndexKind::kRange && index.axis == axis) {
      return &index;
    }
  }
  return nullptr;
}

// The pattern under which GatherMask keeps what a slice takes of all rows,
// every second or fourth element from a known one on; 0: there is none.
int64_t PatternOf(const Emitter& emitter, const ir::Stmt& stmt) {
  const Layout to = emitter.LayoutOf(stmt.results[0]);
  const Layout from = emitter.LayoutOf(std::get<int>(stmt.operands[0]));
  if (to.last < 0 || to.last != from.last ||
      to.dims.size() != stmt.slice.size()) {
    return 0;
  }
  for (size_t i = 0; i < stmt.slice.size(); ++i) {
    const Index& index = stmt.slice[i];
    const bool inner = static_cast<int>(i) == to.last;
    if (index.kind != ir::IndexKind::kRange ||
        index.axis != static_cast<int>(i) ||
        (!inner && (!index.start.Is(0) || !index.step.Is(1) ||
                    !Same(to.dims[i].capacity, from.dims[i].capacity)))) {
      return 0;
    }
  }
  const Index& inner = stmt.slice[to.last];
  if ((!inner.step.Is(2) && !inner.step.Is(4)) || !inner.start.is_constant() ||
      inner.start.value() < 0 || inner.start.value() >= inner.step.value()) {
    return 0;
  }
  return inner.step.value() - 1 + inner.start.value();
}

// One instruction for all rows: what is kept of them comes one after the other.
void KeepOfRows(Emitter& emitter, const ir::Stmt& stmt, int64_t pattern) {
  const int result = stmt.results[0];
  const int source = std::get<int>(stmt.operands[0]);
  const DType dtype = emitter.DtypeOf(result);
  const DType word = BytesOf(dtype) == 2 ? DType::kUint16 : DType::kUint32;
  const Layout to = emitter.LayoutOf(result);
  const Layout from = emitter.LayoutOf(source);
  const Index& inner = stmt.slice[to.last];
  const Int taken =
      Max(0, inner.start + (to.dims[to.last].size - 1) * inner.step + 1);
  emitter.Call(
      "GatherMask",
      {ViewAs(emitter, LaneOf(emitter, result), word).place,
       ViewAs(emitter, LaneOf(emitter, source), word).place, Int(pattern),
       code::Word{"true"}, taken,
       code::Struct{
           "GatherMaskParams",
           {1, to.Rows(),
            to.is_flat() ? Int(8) : FloorDiv(from.pitch, LanesOfBlock(dtype)),
            8},
           {}}});
}

// Where the source of a slice has an element of the result.
Int PlaceOf(const ir::Stmt& stmt, const Layout& from,
            const std::vector<Int>& at) {
  std::vector<Int> there;
  for (const Index& index : stmt.slice) {
    there.push_back(index.kind == ir::IndexKind::kPoint
                        ? index.start
                        : index.start + at[index.axis] * index.step);
  }
  return from.Offset(there);
}

// Elements of the result's contiguous axis are a step apart, `inner`'s.
void GatherSlice(Emitter& emitter, const ir::Stmt& stmt, const Index& inner) {
  const int result = stmt.results[0];
  const int source = std::get<int>(stmt.operands[0]);
  const Layout to = emitter.LayoutOf(result);
  const Layout from = emitter.LayoutOf(source);
  const std::vector<Dim>& dims = emitter.TileOf(result).dims;
  const auto bytes = static_cast<int64_t>(BytesOf(emitter.DtypeOf(result)));
  const auto apart = [&](const Index& index) {
    return index.step * from.strides[&index - stmt.slice.data()] * bytes;
  };
  const Int count = dims[to.last].size;
  // Positions that fall are counted from the last element on.
  const bool falls = inner.step.is_constant() && inner.step.value() < 0;
  const Int lowest = falls ? count - Int(1) : Int(0);
  const auto place_of = [&](std::vector<Int> at) {
    at[to.last] = lowest;
    return PlaceOf(stmt, from, at) * bytes;
  };
  const auto numbers_of = [&](const Local& numbers) {
    emitter.Call("CreateVecIndex",
                 {numbers, Whole(DType::kInt32, Int(0) - lowest), count},
                 {DType::kInt32});
    emitter.Call("Muls",
                 {numbers, numbers, Whole(DType::kInt32, apart(inner)), count},
                 {DType::kInt32});
  };
  int above = to.last - 1;
  while (above >= 0 && dims[above].is_one()) --above;
  const Index* rows = RangeOf(stmt, above);
  std::vector<Dim> outer = dims;
  outer[to.last] = {1, 1};
  if (rows == nullptr) {
    const Local numbers =
        emitter.Scratch(DType::kInt32, dims[to.last].capacity, "numbers");
    numbers_of(numbers);
    const Local offsets = emitter.Cast(numbers, DType::kUint32, "offsets");
    ForEachElement(emitter, outer, [&](const std::vector<Int>& at) {
      emitter.Call("Gather",
                   {emitter.At(result, to.Offset(at)), emitter.At(source),
                    offsets, place_of(at), count});
    });
    return;
  }
  // Short rows several at a time; their padding reads the first element.
  const Int most = RowsGathered(to.pitch);
  const Local numbers =
      emitter.Scratch(DType::kInt32, Max(kGathered, to.pitch), "numbers");
  emitter.Call("Duplicate", {numbers, Whole(DType::kInt32, 0), to.pitch},
               {DType::kInt32});
  numbers_of(numbers);
  const Int step = emitter.Let("together", most);
  emitter.For("row", 1, Min(step, dims[above].size), 1, [&](const Int& row) {
    emitter.Call("Adds",
                 {Moved(numbers, row * to.pitch), numbers,
                  Whole(DType::kInt32, row * apart(*rows)), to.pitch},
                 {DType::kInt32});
  });
  const Local offsets = emitter.Cast(numbers, DType::kUint32, "offsets");
  outer[above] = {1, 1};
  ForEachElement(emitter, outer, [&](const std::vector<Int>& first) {
    const auto gather = [&](const Int& row) {
      std::vector<Int> at = first;
      at[above] = row;
      emitter.Call("Gather", {emitter.At(result, to.Offset(at)),
                              emitter.At(source), offsets, place_of(at),
                              Min(step, dims[above].size - row) * to.pitch});
    };
    emitter.For("row", 0, dims[above].size, step, gather);
  });
}

}  // namespace

void CopyTile(Emitter& emitter, int to, int from) {
  CopyLanes(emitter, LaneOf(emitter, to), LaneOf(emitter, from));
}

void SelectShape(Emitter& emitter, const ir::Stmt& stmt) {
  switch (stmt.op) {
    case Op::kBroadcast:
      return Broadcast(emitter, stmt);
    case Op::kTranspose:
      return Transpose(emitter, stmt);
    case Op::kConcat:
      return stmt.in_turns ? SelectInterleave(emitter, stmt)
                           : Concat(emitter, stmt);
    default:
      throw InternalError("[crux] not an operation on shapes");
  }
}

void SelectSlice(Emitter& emitter, const ir::Stmt& stmt) {
  const int result = stmt.results[0];
  const int source = std::get<int>(stmt.operands[0]);
  const DType dtype = emitter.DtypeOf(result);
  if (const auto first = FirstOfRows(emitter.kernel(), stmt)) {
    return CopyLanes(emitter, LaneOf(emitter, result),
                     {emitter.At(source, *first), emitter.TileOf(result).dims});
  }
  const Layout to = emitter.LayoutOf(result);
  const Layout from = emitter.LayoutOf(source);
  const std::vector<Dim>& dims = emitter.TileOf(result).dims;
  // Along the contiguous axis of the result elements are `step` apart.
  const Index* inner = RangeOf(stmt, to.last);
  if (!Gathers(emitter, stmt) || inner == nullptr || to.last < 0) {
    ForEachElement(emitter, dims, [&](const std::vector<Int>& at) {
      CopyElement(emitter, emitter.At(result, to.Offset(at)),
                  emitter.At(source, PlaceOf(stmt, from, at)), dtype);
    });
    return;
  }
  const int64_t pattern = PatternOf(emitter, stmt);
  if (pattern == 0) return GatherSlice(emitter, stmt, *inner);
  const auto keep = [&] { KeepOfRows(emitter, stmt, pattern); };
  if (to.is_flat()) return keep();
  const Int without_gaps = emitter.Let(
      "whole", Int::Of(ir::IntKind::kEqual, to.pitch, dims[to.last].size));
  emitter.If(without_gaps, keep, [&] { GatherSlice(emitter, stmt, *inner); });
}

void SelectReshape(Emitter& emitter, const ir::Stmt& stmt) {
  const int result = stmt.results[0];
  const int source = std::get<int>(stmt.operands[0]);
  const Layout to = emitter.LayoutOf(result);
  const Layout from = emitter.LayoutOf(source);
  if (SamePlaces(to, from)) return CopyTile(emitter, result, source);
  const DType dtype = emitter.DtypeOf(result);
  const std::vector<Dim>& dims = emitter.TileOf(source).dims;
  const std::vector<Dim>& shape = emitter.TileOf(result).dims;
  ForEachElement(emitter, dims, [&](const std::vector<Int>& at) {
    Int position = 0;
    for (size_t i = 0; i < at.size(); ++i) {
      position = position * dims[i].size + at[i];
    }
    position = emitter.Let("position", position);
    std::vector<Int> there(shape.size());
    Int left = position;
    for (size_t i = shape.size(); i-- > 0;) {
      if (shape[i].is_one()) continue;
      there[i] = i == 0 ? left : Mod(left, shape[i].size);
      left = FloorDiv(left, shape[i].size);
    }
    CopyElement(emitter, emitter.At(result, to.Offset(there)),
                emitter.At(source, from.Offset(at)), dtype);
  });
}

}  // namespace belay::crux::select
