// SPDX-License-Identifier: Apache-2.0
// Rows on lanes and back, by TransDataTo5HD.
//
// The rows are cut into 16 runs of rows that follow each other. One instruction
// takes a block of each run and puts their elements side by side, so that 16
// rows, one of each run, become neighbours. Which row is where nobody asks: all
// tiles of the loop are turned alike, and turned back alike.

#include "crux/select/emitter.h"
#include "crux/select/vector.h"

namespace belay::crux::select {
namespace {

// The largest power of two up to `most` that divides `value`.
Int PowerIn(const Int& value, int64_t most) {
  Int power = 1;
  for (int64_t one = 2; one <= most; one *= 2) {
    power = Int::Select(Int::Of(ir::IntKind::kEqual, Mod(value, one), 0), one,
                        power);
  }
  return power;
}

// What is behind the last row of a run that is not full is 0.
void FillUp(Emitter& emitter, const Lane& flat) {
  const DType dtype = emitter.DtypeOf(flat.place);
  const Int end = AlignUp(flat.dims[0].size, LanesOfBlock(dtype));
  const Int rest = flat.dims[0].capacity - end;
  emitter.If(Less(end, flat.dims[0].capacity), [&] {
    const ScalarPtr zero = IsFloating(dtype) ? Real(dtype, 0) : Whole(dtype, 0);
    emitter.Call("Duplicate",
                 {Local{flat.place.name, flat.place.offset + end}, zero, rest},
                 {dtype});
  });
}

}  // namespace

void SelectTurn(Emitter& emitter, const ir::Stmt& stmt) {
  const bool back = stmt.kind == ir::StmtKind::kTurnBack;
  const int to = stmt.results[0];
  const int from = std::get<int>(stmt.operands[0]);
  const std::vector<ir::Dim>& dims = emitter.TileOf(back ? from : to).dims;
  const bool wide = BytesOf(emitter.DtypeOf(to)) == 4;
  const DType word = wide ? DType::kUint32 : DType::kUint16;
  const Lane dst = ViewAs(emitter, LaneOf(emitter, to), word);
  const Lane src = ViewAs(emitter, LaneOf(emitter, from), word);
  if (!back) FillUp(emitter, src);
  Int columns = 1;
  for (size_t i = 0; i + 1 < dims.size(); ++i) {
    columns = columns * dims[i].capacity;
  }
  const Int rows = dims.back().capacity;
  // Elements of each run that an instruction takes. After `period` blocks of so
  // many a row begins where a block does.
  const int64_t step = wide && !back ? 8 : 16;
  const Int power = PowerIn(columns, step);
  const Int common = emitter.Let("common", power);
  const Int period = emitter.Let("period", FloorDiv(columns, power));

  // Lists of addresses are worked out in the first two turns: buffers of queues
  // come back every other turn.
  const int64_t entries = wide && back ? 32 : 16;
  const Int size = emitter.Let("list", period * entries);
  const Local lists = emitter.Kept(
      DType::kUint64, FloorDiv(columns, power) * (4 * entries), "lists");
  const Int turns = emitter.Counter("turns");
  const Int set = emitter.Let("set", Mod(turns, 2) * (size * 2));
  const Local lines{lists.name, set};
  const Local flat{lists.name, set + size};
  emitter.If(Less(turns, 2), [&] {
    const std::string fill = !wide  ? "TurnLists16"
                             : back ? "TurnListsBack32"
                                    : "TurnLists32";
    emitter.Invoke(
        "Fill" + fill,
        {{"lines_list", lines},
         {"flat_list", flat},
         {"lines", back ? src.place : dst.place},
         {"flat", back ? dst.place : src.place}},
        {{"columns", columns}, {"rows", rows}, {"period", period}},
        [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
          emitter.Call(fill, {own[0], own[1], own[2], own[3], sizes[0],
                              sizes[1], sizes[2]});
        });
  });

  const Int repeats =
      emitter.Let("repeats", FloorDiv(FloorDiv(rows, 16) * common, step));
  const Int once = Int::Of(ir::IntKind::kEqual, repeats, 1);
  const Int by_lines = emitter.Let(
      "by_lines",
      Int::Select(once, 0, FloorDiv(wide ? 2 * step : step, common)));
  const Int by_blocks = emitter.Let(
      "by_blocks", Int::Select(once, 0, wide && back ? period * 2 : period));
  const code::Struct params{
      "TransDataTo5HDParams",
      {0, 0, repeats, back ? by_blocks : by_lines, back ? by_lines : by_blocks},
      {}};
  const TemplateArguments types = {std::string(wide ? "uint32_t" : "uint16_t")};
  emitter.For("entry", 0, size, 16, [&](const Int& entry) {
    const Local line_list{lines.name, lines.offset + entry};
    const Local flat_list{flat.name, flat.offset + entry};
    emitter.Call(
        "TransDataTo5HD",
        {back ? flat_list : line_list, back ? line_list : flat_list, params},
        types);
  });
  emitter.Set(turns, turns + 1);
}

}  // namespace belay::crux::select
