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

// The lists of a slot: those of lines, and `behind` them those of blocks.
Local ListsOf(Emitter& emitter, const Turn& turn, const Int& slot,
              const Int& behind) {
  return emitter.AllOf(turn.lists, DType::kUint64, "lists",
                       slot * (behind * 2));
}

// A list for each block of a run: entry e is
//   place + e % columns * step + e / columns * row   in bytes.
// Of pairs, so is half of e, and every other entry is a block further. `behind`
// unless 0: as many entries follow that are so many bytes further.
struct List {
  Int at;  // in the lists of the turn
  Local place;
  Int columns;
  Int step;
  int64_t row = 32;
  bool pairs = false;
  Int behind = 0;
};

// By vector instructions: the scalar unit would take longer than the first
// tile takes to be loaded. `free`: see RoomToFill.
void FillList(Emitter& emitter, const Local& lists, const List& list,
              const Int& entries, const Local& free) {
  constexpr DType kInt = DType::kInt32;
  // e / columns is e * reciprocal / 2^shift: there are less than 2^9 entries.
  constexpr int64_t kShift = 16;
  emitter.Invoke(
      "FillList", {{"lists", lists}, {"place", list.place}, {"entry", free}},
      {{"at", list.at},
       {"entries", entries},
       {"columns", list.columns},
       {"step", list.step},
       {"row", list.row},
       {"pairs", Int(list.pairs ? 1 : 0)},
       {"behind", list.behind}},
      [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
        const Int& at = sizes[0];
        const Int& columns = sizes[2];
        const Int& step = sizes[3];
        const Int& pairs = sizes[5];
        const Int lanes =
            emitter.Let("lanes", AlignUp(sizes[1], LanesOfRepeat(kInt)));
        const Local& entry = own[2];
        const Local sum{entry.name, lanes};
        const Local all = emitter.Cast(own[0], DType::kInt64, "all");
        const auto index = [&] {
          emitter.Call("CreateVecIndex", {entry, Whole(kInt, 0), lanes},
                       {kInt});
        };
        const auto scalar = [&](const char* function, const Local& to,
                                const Local& from, const Int& by) {
          emitter.Call(function, {to, from, Whole(kInt, by), lanes});
        };
        const auto add = [&](const Int& factor) {
          scalar("Muls", entry, entry, factor);
          emitter.Call("Add", {sum, sum, entry, lanes});
        };
        const auto write = [&](const Int& to) {
          emitter.Call("Cast", {Local{all.name, to}, sum,
                                code::Word{"RoundMode::CAST_NONE"}, sizes[1]});
        };
        index();
        emitter.If(pairs, [&] { scalar("ShiftRight", entry, entry, 1); });
        scalar("Muls", sum, entry, FloorDiv(int64_t{1} << kShift, columns) + 1);
        scalar("ShiftRight", sum, sum, kShift);
        scalar("Muls", sum, sum, sizes[4] - columns * step);
        add(step - pairs * 64);
        emitter.If(pairs, [&] {
          index();
          add(32);
        });
        emitter.Call("AddAddress", {sum, own[1], lanes});
        write(at);
        emitter.If(Less(0, sizes[6]), [&] {
          scalar("Adds", sum, sum, sizes[6]);
          write(at + sizes[1]);
        });
      });
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
  turn.period = period;
  turn.repeats = repeats;
  turn.by_lines =
      Int::Select(once, 0, FloorDiv(turn.wide ? 2 * step : step, power));
  turn.by_blocks =
      Int::Select(once, 0, turn.wide && turn.back ? period * 2 : period);
  if (other != nullptr) turn.lines = other->lists;
  const int64_t kinds = other == nullptr ? 2 : 1;
  turn.lists = emitter.Kept(
      DType::kUint64, period * (kinds * slots * EntriesOf(turn)), "lists");
  return turn;
}

Int RoomToFill(const Turn& turn) {
  return AlignUp(turn.period * 16, LanesOfRepeat(DType::kInt32)) * 2;
}

void FillTurnLists(Emitter& emitter, const Turn& turn, const Local& lines,
                   const Local& flat, const Int& slot, const Local& free) {
  const bool both = turn.lines.empty();
  const bool halves = turn.wide && turn.back;  // of lines
  const int64_t bytes = turn.wide ? 4 : 2;
  const Int entries = emitter.Let("period", turn.period) * 16;
  const Int behind = entries * (halves ? 2 : 1);
  const Local lists = ListsOf(emitter, turn, slot, behind);
  if (both) {
    FillList(emitter, lists,
             {.at = 0,
              .place = lines,
              .columns = turn.columns,
              .step = turn.pitch * bytes,
              .row = 16 * bytes,
              .pairs = turn.wide && !turn.back,
              .behind = halves ? 32 : 0},
             entries, free);
  }
  const Int run = FloorDiv(turn.rows, 16) * turn.columns * bytes;
  FillList(emitter, lists,
           {.at = both ? behind : Int(0),
            .place = flat,
            .columns = halves ? 8 : 16,
            .step = run,
            .row = halves ? 64 : 32,
            .pairs = halves,
            .behind = halves ? run * 8 : Int(0)},
           entries, free);
}

void FillUpRows(Emitter& emitter, const Turn& turn, const Local& flat,
                const Int& count) {
  const Int all = turn.rows * turn.columns;
  const Int end = emitter.Let("end", AlignUp(count, turn.wide ? 8 : 16));
  emitter.If(Less(end, all), [&] {
    emitter.Call("Duplicate",
                 {Local{flat.name, end}, Whole(turn.word(), 0), all - end},
                 {turn.word()});
  });
}

void EmitTurn(Emitter& emitter, const Turn& turn, const Int& slot) {
  const bool both = turn.lines.empty();
  const Int behind = emitter.Let(
      "behind", emitter.Let("period", turn.period) * EntriesOf(turn));
  const Local lists = ListsOf(emitter, turn, slot, behind);
  const Local other =
      both ? lists : emitter.AllOf(turn.lines, DType::kUint64, "lines");
  const Int repeats = emitter.Let("turn_repeats", turn.repeats);
  const Int by_lines = emitter.Let("by_lines", turn.by_lines);
  const Int by_blocks = emitter.Let("by_blocks", turn.by_blocks);
  const code::Struct params{"TransDataTo5HDParams",
                            {0, 0, repeats, turn.back ? by_blocks : by_lines,
                             turn.back ? by_lines : by_blocks},
                            {}};
  emitter.For("list", 0, behind, 16, [&](const Int& list) {
    const Local lines{other.name, list};
    const Local blocks{lists.name, both ? behind + list : list};
    emitter.Call(
        "TransDataTo5HD",
        {turn.back ? blocks : lines, turn.back ? lines : blocks, params},
        {std::string(turn.wide ? "uint32_t" : "uint16_t")});
  });
}

}  // namespace belay::crux::select
