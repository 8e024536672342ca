// SPDX-License-Identifier: Apache-2.0
// take, compress and deinterleave. Elements of 16 and 32 bits are moved by the
// gathering instructions, others one by one.

#include <fmt/format.h>

#include "base/error.h"
#include "crux/select/elementwise.h"
#include "crux/select/extremes.h"
#include "crux/select/order.h"
#include "crux/select/vector.h"

namespace belay::crux::select {
namespace {

using code::Struct;
using ir::Dim;

// The dtype under which GatherMask moves elements of a dtype; kNone: it does
// not.
DType WordOf(DType dtype) {
  switch (BytesOf(dtype)) {
    case 2:
      return DType::kUint16;
    case 4:
      return DType::kUint32;
    default:
      return DType::kNone;
  }
}

Local Part(const Local& of, const Int& offset) {
  return {of.name, of.offset + offset};
}

// Whether an instruction gathers what is taken: single elements of one row
// each, of a table at all positions, or of every row at the same ones.
bool IsGathered(const Emitter& emitter, const ir::Stmt& stmt) {
  const int source = std::get<int>(stmt.operands[0]);
  const int numbers = std::get<int>(stmt.operands[1]);
  const size_t rank = emitter.TileOf(source).dims.size();
  const size_t wide = emitter.TileOf(numbers).dims.size();
  if (WordOf(emitter.DtypeOf(source)) == DType::kNone ||
      emitter.DtypeOf(numbers) != DType::kInt32 || wide == 0) {
    return false;
  }
  if (stmt.by_rows || rank + wide == 2) return wide == 1;
  const auto along = [&](int tile) {
    const Layout& layout = emitter.LayoutOf(tile);
    return layout.last + 1 == static_cast<int>(layout.dims.size());
  };
  return rank + wide == 3 && stmt.axes[0] + 1 == static_cast<int>(rank) &&
         along(source) && along(numbers) && along(stmt.results[0]);
}

Int LengthOf(const Layout& layout) {
  return layout.last < 0 ? Int(1)
                         : layout.dims[static_cast<size_t>(layout.last)].size;
}

// The kernel ends if a position lies outside of the axis: as f32 every one that
// lies inside is itself, and the others stay outside.
void CheckPositions(Emitter& emitter, const ir::Stmt& stmt,
                    const std::string& message) {
  const int positions = std::get<int>(stmt.operands[1]);
  const Layout& at = emitter.LayoutOf(positions);
  const auto extreme = [&](const char* function, const char* wish) {
    return ExtremeOf(emitter, function, emitter.At(positions), at, 0, wish);
  };
  const Int largest = extreme("Max", "largest");
  const Int smallest = extreme("Min", "smallest");
  const ir::Tile& source = emitter.TileOf(std::get<int>(stmt.operands[0]));
  const Int inside = Int::Of(
      ir::IntKind::kAnd, Int::Of(ir::IntKind::kLessEqual, 0, smallest),
      Less(largest, source.dims[static_cast<size_t>(stmt.axes[0])].size));
  Require(emitter, Int::Of(ir::IntKind::kOr, Less(LengthOf(at), 1), inside),
          message);
}

void GatherNumbers(Emitter& emitter, const ir::Stmt& stmt) {
  const int source = std::get<int>(stmt.operands[0]);
  const Local numbers = emitter.At(std::get<int>(stmt.operands[1]));
  const Layout& at = emitter.LayoutOf(std::get<int>(stmt.operands[1]));
  const Layout& from = emitter.LayoutOf(source);
  const Layout& to = emitter.LayoutOf(stmt.results[0]);
  const DType word = WordOf(emitter.DtypeOf(source));
  const auto bytes = static_cast<int64_t>(BytesOf(word));
  const Int count = LengthOf(at);
  const Int most =
      at.last < 0 ? Int(1) : at.dims[static_cast<size_t>(at.last)].capacity;
  const Local place = emitter.Scratch(DType::kInt32, most, "place");
  const Local offsets = emitter.Cast(place, DType::kUint32, "place_offsets");
  const Local dst =
      ViewAs(emitter, LaneOf(emitter, stmt.results[0]), word).place;
  const Local src = ViewAs(emitter, LaneOf(emitter, source), word).place;
  const auto scale = [&](const Local& numbers_of, const Int& factor) {
    emitter.Call("Muls",
                 {place, numbers_of, Whole(DType::kInt32, factor), count},
                 {DType::kInt32});
  };
  const auto gather = [&](const Int& result, const Int& row) {
    emitter.Call("Gather",
                 {Part(dst, result), src, offsets, row * bytes, count});
  };
  if (stmt.by_rows) {
    emitter.Call("CreateVecIndex", {place, Whole(DType::kInt32, 0), count},
                 {DType::kInt32});
    scale(place, from.pitch);
    emitter.Call("Add", {place, place, numbers, count});
    scale(place, bytes);
    return gather(0, 0);
  }
  if (at.dims.size() == 2) {
    return emitter.For("row", 0, at.Rows(), 1, [&](const Int& row) {
      scale(Part(numbers, row * at.pitch), bytes);
      gather(row * to.pitch, 0);
    });
  }
  scale(numbers, bytes);
  if (from.dims.size() == 1) return gather(0, 0);
  emitter.For("row", 0, from.Rows(), 1, [&](const Int& row) {
    gather(row * to.pitch, row * from.pitch);
  });
}

}  // namespace

void SelectTake(Emitter& emitter, const ir::Stmt& stmt) {
  const std::string message = fmt::format(
      "line {}: take at an index outside of axis {}", stmt.line, stmt.axes[0]);
  if (IsGathered(emitter, stmt)) {
    if (!stmt.within) CheckPositions(emitter, stmt, message);
    return GatherNumbers(emitter, stmt);
  }
  const int result = stmt.results[0];
  const int source = std::get<int>(stmt.operands[0]);
  const int numbers = std::get<int>(stmt.operands[1]);
  const auto axis = static_cast<size_t>(stmt.axes[0]);
  const DType dtype = emitter.DtypeOf(result);
  const Layout to = emitter.LayoutOf(result);
  const Layout from = emitter.LayoutOf(source);
  const Layout at_number = emitter.LayoutOf(numbers);
  const std::vector<Dim>& dims = emitter.TileOf(source).dims;
  const size_t wide = emitter.TileOf(numbers).dims.size();
  // Behind the axis both lie alike: as one run, if it has blocks of its own.
  std::vector<Dim> inner(dims.begin() + static_cast<std::ptrdiff_t>(axis) + 1,
                         dims.end());
  const bool runs = static_cast<int>(axis) < from.last;
  std::vector<Dim> outer = emitter.TileOf(result).dims;
  for (size_t i = axis + wide; i < outer.size(); ++i) {
    if (runs) outer[i] = {1, 1};
  }
  ForEachElement(emitter, outer, [&](const std::vector<Int>& at) {
    const std::vector<Int> own(
        at.begin() + static_cast<std::ptrdiff_t>(axis),
        at.begin() + static_cast<std::ptrdiff_t>(axis + wide));
    const Int number = emitter.LetInt(
        "number", Element(emitter.DtypeOf(numbers),
                          emitter.At(numbers, at_number.Offset(own))));
    Require(
        emitter,
        Int::Of(ir::IntKind::kAnd, Int::Of(ir::IntKind::kLessEqual, 0, number),
                Less(number, dims[axis].size)),
        message);
    std::vector<Int> there(at.begin(),
                           at.begin() + static_cast<std::ptrdiff_t>(axis));
    there.push_back(number);
    there.insert(there.end(),
                 at.begin() + static_cast<std::ptrdiff_t>(axis + wide),
                 at.end());
    const Local dst = emitter.At(result, to.Offset(at));
    const Local src = emitter.At(source, from.Offset(there));
    if (runs) {
      CopyLanes(emitter, {dst, inner}, {src, inner});
    } else {
      emitter.SetValue(dst, Element(dtype, src));
    }
  });
}

void SelectCompress(Emitter& emitter, const ir::Stmt& stmt) {
  const int kept = stmt.results[0];
  const Local number = emitter.At(stmt.results[1]);
  const int source = std::get<int>(stmt.operands[0]);
  const int mask = std::get<int>(stmt.operands[1]);
  const DType dtype = emitter.DtypeOf(source);
  const DType word = WordOf(dtype);
  const Dim& length = emitter.TileOf(source).dims[0];
  if (word == DType::kNone || length.is_one()) {
    const Int found = emitter.Variable("found", Int(0));
    ForEachElement(emitter, {length}, [&](const std::vector<Int>& at) {
      const Int keeps = emitter.LetInt(
          "keeps", Element(emitter.DtypeOf(mask), emitter.At(mask, at[0])));
      emitter.If(keeps, [&] {
        emitter.SetValue(emitter.At(kept, found),
                         Element(dtype, emitter.At(source, at[0])));
        emitter.Set(found, found + 1);
      });
    });
    emitter.SetValue(number, Whole(DType::kInt32, found));
    return;
  }
  const Local bits = NewBits(emitter, LaneOf(emitter, mask));
  const bool contrary =
      CompareLanes(emitter, bits, Op::kGreater, stmt.operands[1], ir::Number{},
                   emitter.TileOf(mask).dims);
  const Local words = emitter.Cast(bits, word, "kept_bits");
  if (contrary) {
    throw InternalError("[crux] a mask whose bits say the contrary");
  }
  code::Stmt gather;
  gather.kind = code::StmtKind::kCall;
  gather.function = "GatherMask";
  gather.name = emitter.FreshName("found");
  const Int found = Int::Name(gather.name);
  gather.args = {ViewAs(emitter, LaneOf(emitter, kept), word).place,
                 ViewAs(emitter, LaneOf(emitter, source), word).place,
                 words,
                 Word{"true"},
                 length.size,
                 Struct{"GatherMaskParams", {1, 1, 8, 8}, {}}};
  emitter.Append(std::move(gather));
  emitter.SetValue(number, Whole(DType::kInt32, found));
}

void SelectDeinterleave(Emitter& emitter, const ir::Stmt& stmt) {
  const int source = std::get<int>(stmt.operands[0]);
  const DType dtype = emitter.DtypeOf(source);
  const DType word = WordOf(dtype);
  const Layout from = emitter.LayoutOf(source);
  const Layout to = emitter.LayoutOf(stmt.results[0]);
  const std::vector<Dim>& dims = emitter.TileOf(source).dims;
  const std::vector<Dim>& halves = emitter.TileOf(stmt.results[0]).dims;
  const size_t last = dims.size() - 1;
  if (word == DType::kNone || to.last != static_cast<int>(last)) {
    ForEachElement(emitter, halves, [&](const std::vector<Int>& at) {
      for (const int odd : {0, 1}) {
        std::vector<Int> there = at;
        there[last] = at[last] * 2 + odd;
        emitter.SetValue(
            emitter.At(stmt.results[odd], to.Offset(at)),
            Element(dtype, emitter.At(source, from.Offset(there))));
      }
    });
    return;
  }
  const Local src = ViewAs(emitter, LaneOf(emitter, source), word).place;
  std::vector<Dim> rows = halves;
  rows[last] = {1, 1};
  for (const int odd : {0, 1}) {
    const Local dst =
        ViewAs(emitter, LaneOf(emitter, stmt.results[odd]), word).place;
    ForEachElement(emitter, rows, [&](const std::vector<Int>& at) {
      emitter.Call("GatherMask",
                   {Part(dst, to.Offset(at)), Part(src, from.Offset(at)),
                    Int(1 + odd), Word{"true"}, dims[last].size,
                    Struct{"GatherMaskParams", {1, 1, 8, 8}, {}}});
    });
  }
}

}  // namespace belay::crux::select
