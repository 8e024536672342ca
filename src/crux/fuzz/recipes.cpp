// SPDX-License-Identifier: Apache-2.0
// Little algorithms that need more than one loop or a special place.

#include <fmt/format.h>

#include "crux/fuzz/statements.h"

namespace belay::crux::fuzz {
void Statements::Scratch() {
  const Dim rows = scope_.NamedSize();
  const Dim columns = scope_.NamedSize();
  const Dtype dtype = expressions_.DtypeFor(OpDtypes::kNumeric);
  const std::string name = scope_.NewName("g");
  scope_.Line(fmt::format("{} = scratch({}[{}, {}])", name, dtype.text,
                          rows.text, columns.text));
  OpenLoop(LoopSort::kCores, rows, rows.text);
  TileType row{dtype, {columns}};
  const std::string index = scope_.loops.back().dim.index;
  const std::string value = expressions_.Tile(row, 2);
  scope_.Line(fmt::format("store({}[{}, :], {})", name, index, value));
  Close();
  OpenLoop(LoopSort::kCores, columns, columns.text);
  const LoopAround column = scope_.loops.back();
  TileType whole{dtype, {rows}};
  if (column.range) whole.dims.push_back(column.dim);
  const std::string loaded = scope_.NewName("t");
  scope_.Line(
      fmt::format("{} = load({}[:, {}])", loaded, name, column.dim.index));
  scope_.locals.push_back({loaded, whole});
  Store();
  scope_.locals.pop_back();
  Close();
}

void Statements::Packed() {
  const Dim size = scope_.NamedSize();
  const Dtype dtype = expressions_.DtypeFor(OpDtypes::kAny);
  const std::string x = scope_.NewInput(dtype, {size.size});
  const std::string mask = scope_.NewInput(kBool, {size.size});
  const std::string y =
      scope_.NewOutput(dtype, fmt::format("upto({})", size.text));
  const std::string before = scope_.NewName("before");
  const std::string tile = scope_.random.Chance(50)
                               ? "auto"
                               : std::to_string(scope_.random.Between(1, 9));
  scope_.Line(fmt::format("{} = across_cores(cumsum, i32)", before));
  const std::string loop =
      fmt::format("for c in cores({}, tile={}):", size.text, tile);
  scope_.Line(loop);
  scope_.Indent();
  scope_.Line(fmt::format("{} += sum(load({}[c]).to(i32))", before, mask));
  scope_.Dedent();
  scope_.Line(loop);
  scope_.Indent();
  scope_.Line(
      fmt::format("t, n = compress(load({}[c]), load({}[c]))", x, mask));
  scope_.Line(fmt::format("store({}[{}[c] + arange(n)], t[:n])", y, before));
  // The same in each of a few columns, or rows, of an output.
  const int64_t lines = scope_.random.Between(0, 3);
  const bool columns = scope_.random.Chance(50);
  if (lines > 0) {
    const std::string lined = scope_.NewOutput(
        dtype, columns ? fmt::format("upto({}), {}", size.text, lines)
                       : fmt::format("{}, upto({})", lines, size.text));
    for (int64_t i = 0; i < lines; ++i) {
      const std::string where = fmt::format("{}[c] + arange(n)", before);
      scope_.Line(
          columns ? fmt::format("store({}[{}, {}], t[:n])", lined, where, i)
                  : fmt::format("store({}[{}, {}], t[:n])", lined, i, where));
    }
  }
  scope_.Dedent();
}

void Statements::InPlace() {
  const Dim size = scope_.NamedSize();
  OpenLoop(LoopSort::kCores, size, size.text);
  const LoopAround loop = scope_.loops.back();
  const bool adds = scope_.random.Chance(50);
  TileType type{
      expressions_.DtypeFor(adds ? OpDtypes::kAtomic : OpDtypes::kNumeric), {}};
  if (loop.range) type.dims.push_back(loop.dim);
  const std::string name = scope_.NewInOut(type.dtype, {size.size});
  const std::string value = expressions_.Tile(type, 2);
  if (adds) {
    scope_.Line(
        fmt::format("atomic_add({}[{}], {})", name, loop.dim.index, value));
  } else {
    scope_.Line(fmt::format("store({0}[{1}], load({0}[{1}]) + {2})", name,
                            loop.dim.index, value));
  }
  Close();
}

void Statements::DeviceBounds() {
  Random& random = scope_.random;
  const Dim rows = scope_.NamedSize();
  const Dim columns = scope_.NamedSize();
  const std::string ends =
      scope_.NewIndices(rows.size, scope_.ValueOf(columns.size) + 1);
  const std::string picks =
      scope_.NewIndices(rows.size, scope_.ValueOf(rows.size));
  const Dtype dtype = expressions_.DtypeFor(OpDtypes::kNumeric);
  const std::string x = scope_.NewInput(dtype, {rows.size, columns.size});
  const std::string y = scope_.NewOutput(dtype, {rows.size, columns.size});
  const std::string r = scope_.NewName("r");
  scope_.Line(fmt::format("for {} in cores({}):", r, rows.text));
  scope_.Indent();
  scope_.Line(fmt::format("end = load({}[{}])", ends, r));
  scope_.Line(fmt::format("pick = load({}[{}])", picks, r));
  scope_.Line(fmt::format("store({}[{}, :], zeros({}))", y, r, dtype.text));
  scope_.Line("if end > 0:");
  scope_.Indent();
  scope_.Line(fmt::format("for c in tiles(0, end, tile={}):",
                          random.Chance(50) ? "auto" : "3"));
  scope_.Indent();
  scope_.Line(fmt::format("store({}[{}, c], load({}[pick, c]))", y, r, x));
  scope_.Dedent();
  scope_.Dedent();
  scope_.Dedent();
}

void Statements::AcrossParts() {
  const Dim rows = scope_.NamedSize();
  const Dim columns = scope_.NamedSize();
  const bool sums = scope_.random.Chance(50);
  const Dtype dtype = expressions_.DtypeFor(OpDtypes::kNumeric);
  const std::string name = scope_.NewName("acc");
  scope_.Line(fmt::format("{} = across_cores({}, {}[{}])", name,
                          sums ? "sum" : "max", dtype.text, columns.text));
  OpenLoop(LoopSort::kCores, rows, rows.text);
  OpenLoop(LoopSort::kTiles, columns, columns.text);
  const LoopAround piece = scope_.loops.back();
  TileType type{dtype, {}};
  if (piece.range) type.dims.push_back(piece.dim);
  const std::string value = expressions_.Tile(type, 2);
  const std::string part = fmt::format("{}[{}]", name, piece.dim.index);
  scope_.Line(sums ? fmt::format("{} += {}", part, value)
                   : fmt::format("{} = maximum({}, {})", part, part, value));
  Close();
  Close();
  const TileType whole{dtype, {columns}};
  const std::string optional =
      scope_.NewOptionalOutput(dtype, {columns.size}, scope_.random.Chance(50));
  scope_.Line(fmt::format("if present({}):", optional));
  scope_.Indent();
  scope_.Line(fmt::format("store({}[:], {})", optional, name));
  scope_.Dedent();
  scope_.Line(fmt::format("store({}, {})", scope_.PlaceFor(whole), name));
}

void Statements::Scatter() {
  const Dim size = scope_.NamedSize();
  const bool adds = scope_.random.Chance(50);
  const Dtype dtype =
      expressions_.DtypeFor(adds ? OpDtypes::kAtomic : OpDtypes::kAny);
  const std::string x = scope_.NewInput(dtype, {size.size});
  const std::string c = scope_.NewName("c");
  scope_.Line(fmt::format("for {} in cores({}, tile=auto):", c, size.text));
  scope_.Indent();
  if (adds) {
    const std::string at =
        scope_.NewIndices(size.size, scope_.ValueOf(size.size));
    const std::string y = scope_.NewInOut(dtype, {size.size});
    scope_.Line(fmt::format("atomic_add({}[load({}[{}])], load({}[{}]))", y, at,
                            c, x, c));
  } else {
    // Reversed: each position once.
    const std::string y = scope_.NewOutput(dtype, {size.size});
    const std::string falling =
        fmt::format("[{} - 1 - arange({})]", size.text, c);
    const std::string rising = "[" + c + "]";
    // By a copy: what follows is drawn as it was.
    const bool stores = Random(scope_.random).Chance(50);
    scope_.Line(fmt::format("store({}{}, load({}{}))", y,
                            stores ? falling : rising, x,
                            stores ? rising : falling));
  }
  scope_.Dedent();
}

void Statements::HostSizes() {
  Random& random = scope_.random;
  const Dim rows = scope_.NamedSize();
  const Dim columns = scope_.NamedSize();
  const Dtype dtype = expressions_.DtypeFor(OpDtypes::kNumeric);
  const std::string x = scope_.NewInput(dtype, {rows.size, columns.size});
  const std::string half = scope_.NewName("H");
  const std::string step = scope_.NewName("W");
  const std::string v = scope_.NewHostList(2);
  scope_.Line(
      fmt::format("{} = maximum(ceil_div({}, 2), 1)", half, columns.text));
  scope_.Line(fmt::format("{} = choose({}, 4, 8)", step, random.Between(1, 5)));
  scope_.Line(
      fmt::format("assert {} >= 0 and {} > 0, \"sizes\"", rows.text, half));
  const std::string y = scope_.NewOutput(dtype, {rows.size, half});
  const int view = random.Below(3);
  std::string row;
  if (view == 0) {
    row = fmt::format("{}.around(0)[0, r, 0:{}]", x, half);
  } else if (view == 1) {
    row = fmt::format("{}.view({}, {})[r, 0:{}]", x, rows.text, columns.text,
                      half);
  } else {
    row = fmt::format("{}[r, 0:{}]", x, half);
  }
  scope_.Line(fmt::format("for r in cores({}):", rows.text));
  scope_.Indent();
  scope_.Line(fmt::format("t = load({})", row));
  scope_.Line(fmt::format("for k in range({}[0], {}[0] + {}):", v, v, step));
  scope_.Indent();
  scope_.Line(fmt::format("t = t + (k % 2) + {}[1]", v));
  scope_.Dedent();
  scope_.Line(fmt::format("store({}[r, :], t)", y));
  scope_.Dedent();
}

}  // namespace belay::crux::fuzz
