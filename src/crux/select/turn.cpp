// SPDX-License-Identifier: Apache-2.0
#include "crux/select/turn.h"

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

// Addresses of each kind for each block.
int64_t EntriesOf(const Turn& turn) { return turn.wide && turn.back ? 32 : 16; }

// Where the lists of a slot begin: those of lines, those of blocks behind them.
Int SetOf(const Turn& turn, const Int& slot) {
  return slot * (turn.period * (2 * EntriesOf(turn)));
}

}  // namespace

Turn PlanTurn(Emitter& emitter, const ir::Stmt& stmt, int slots,
              const Turn* other) {
  const int to = stmt.results[0];
  const int from = std::get<int>(stmt.operands[0]);
  Turn turn;
  turn.back = stmt.kind == ir::StmtKind::kTurnBack;
  turn.wide = BytesOf(emitter.DtypeOf(to)) == 4;
  turn.slots = slots;
  const Layout layout = emitter.LayoutOf(turn.back ? from : to);
  turn.columns = layout.Rows();
  turn.rows = layout.dims[layout.last].capacity;
  turn.pitch = layout.pitch;
  // Elements of each run that an instruction takes.
  const int64_t step = turn.wide && !turn.back ? 8 : 16;
  const Int power = PowerIn(turn.columns, step);
  const Int period = FloorDiv(turn.columns, power);
  const Int repeats = FloorDiv(FloorDiv(turn.rows, 16) * power, step);
  const Int once = Int::Of(ir::IntKind::kEqual, repeats, 1);
  turn.period = emitter.Let("period", period);
  turn.repeats = emitter.Let("repeats", repeats);
  turn.by_lines = emitter.Let(
      "by_lines",
      Int::Select(once, 0, FloorDiv(turn.wide ? 2 * step : step, power)));
  turn.by_blocks = emitter.Let(
      "by_blocks",
      Int::Select(once, 0, turn.wide && turn.back ? period * 2 : period));
  if (other != nullptr) turn.lines = other->lists;
  const int64_t kinds = other == nullptr ? 2 : 1;
  turn.lists = emitter.Kept(
      DType::kUint64, period * (kinds * slots * EntriesOf(turn)), "lists");
  return turn;
}

void FillTurnLists(Emitter& emitter, const Turn& turn, const Local& lines,
                   const Local& flat, const Int& slot) {
  if (!turn.lines.name.empty()) {
    return emitter.Invoke(
        "FillTurnBlocks16", {{"lists", turn.lists}, {"flat", flat}},
        {{"run", FloorDiv(turn.rows, 16) * turn.columns},
         {"period", turn.period}},
        [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
          emitter.Call("TurnBlocks16", {own[0], own[1], sizes[0], sizes[1]});
        });
  }
  const std::string name = !turn.wide  ? "TurnLists16"
                           : turn.back ? "TurnListsBack32"
                                       : "TurnLists32";
  emitter.Invoke(
      "Fill" + name, {{"lists", turn.lists}, {"lines", lines}, {"flat", flat}},
      {{"columns", turn.columns},
       {"rows", turn.rows},
       {"pitch", turn.pitch},
       {"period", turn.period},
       {"set", SetOf(turn, slot)}},
      [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
        emitter.Call(name,
                     {Local{own[0].name, sizes[4]},
                      Local{own[0].name, sizes[4] + sizes[3] * EntriesOf(turn)},
                      own[1], own[2], sizes[0], sizes[1], sizes[2], sizes[3]});
      });
}

void FillUpRows(Emitter& emitter, const Turn& turn, const Local& flat,
                const Int& count) {
  const Int all = turn.rows * turn.columns;
  emitter.If(Less(count, all), [&] {
    const Int end = emitter.Let("end", AlignUp(count, turn.wide ? 8 : 16));
    emitter.If(Less(end, all), [&] {
      emitter.Call("Duplicate",
                   {Local{flat.name, end}, Whole(turn.word(), 0), all - end},
                   {turn.word()});
    });
  });
}

void EmitTurn(Emitter& emitter, const Turn& turn, const Int& slot) {
  const Int set = SetOf(turn, slot);
  const Int behind = emitter.Let("behind", turn.period * EntriesOf(turn));
  const code::Struct params{
      "TransDataTo5HDParams",
      {0, 0, turn.repeats, turn.back ? turn.by_blocks : turn.by_lines,
       turn.back ? turn.by_lines : turn.by_blocks},
      {}};
  emitter.For("entry", 0, behind, 16, [&](const Int& entry) {
    const bool both = turn.lines.name.empty();
    const Local lines{both ? turn.lists.name : turn.lines.name, set + entry};
    const Local blocks{turn.lists.name, (both ? set + behind : set) + entry};
    emitter.Call(
        "TransDataTo5HD",
        {turn.back ? blocks : lines, turn.back ? lines : blocks, params},
        {std::string(turn.wide ? "uint32_t" : "uint16_t")});
  });
}

}  // namespace belay::crux::select
