// SPDX-License-Identifier: Apache-2.0
#include "crux/select/turn.h"

#include <algorithm>
#include <optional>
#include <utility>

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

// Where the blocks of a list are, from its place on: entry e is
//   e % columns * step + e / columns * row   in bytes.
// Of pairs, so is half of e, and every other entry is a block further.
struct Offsets {
  Int entries;
  Int columns;
  Int step;
  Int row = 32;
  bool pairs = false;
};

bool AreSame(const Offsets& a, const Offsets& b) {
  return Same(a.entries, b.entries) && Same(a.columns, b.columns) &&
         Same(a.step, b.step) && Same(a.row, b.row) && a.pairs == b.pairs;
}

// Where a list is written, and of which place. `behind` unless 0: as many
// entries follow that are so many bytes further.
struct Target {
  Local lists;
  Int at;
  Local place;
  Int behind = 0;
};

// Lists by vector instructions: the scalar unit would take longer than the
// first tile takes to be loaded. Those that follow each other and differ in
// their place only have their offsets worked out once.
class ListWriter {
 public:
  // `free`: see RoomToFill.
  ListWriter(Emitter& emitter, Local free)
      : emitter_(emitter), free_(std::move(free)) {}

  // One name for equal integers.
  Int Named(const Int& period) {
    const auto found =
        std::find_if(periods_.begin(), periods_.end(),
                     [&](const auto& one) { return Same(one.first, period); });
    if (found != periods_.end()) return found->second;
    periods_.emplace_back(period, emitter_.Let("period", period));
    return periods_.back().second;
  }

  void Write(const Offsets& offsets, const Target& target) {
    if (!last_ || !AreSame(*last_, offsets)) WorkOut(offsets);
    last_ = offsets;
    emitter_.Invoke(
        "WriteList",
        {{"lists", target.lists}, {"place", target.place}, {"entry", free_}},
        {{"at", target.at},
         {"entries", offsets.entries},
         {"behind", target.behind}},
        [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
          const Int lanes = LanesFor(sizes[1]);
          const Local all = emitter_.Cast(own[0], DType::kInt64, "all");
          const auto write = [&](const Int& to) {
            emitter_.Call("Cast",
                          {Local{all.name, to}, own[2],
                           code::Word{"RoundMode::CAST_NONE"}, sizes[1]});
          };
          emitter_.Call("AddAddress",
                        {own[2], Local{own[2].name, lanes}, own[1], lanes});
          write(sizes[0]);
          emitter_.If(Less(0, sizes[2]), [&] {
            Scalar("Adds", own[2], own[2], sizes[2], lanes);
            write(sizes[0] + sizes[1]);
          });
        });
  }

 private:
  static constexpr DType kInt = DType::kInt32;

  // They are behind as much of the free memory as they take.
  void WorkOut(const Offsets& offsets) {
    // e / columns is e * (2^16 / columns + 1) / 2^16: there are less than 2^9
    // entries and at most 32 columns.
    constexpr int64_t kShift = 16;
    emitter_.Invoke(
        "WorkOutOffsets", {{"entry", free_}},
        {{"entries", offsets.entries},
         {"columns", offsets.columns},
         {"step", offsets.step},
         {"row", offsets.row},
         {"pairs", Int(offsets.pairs ? 1 : 0)}},
        [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
          const Int& columns = sizes[1];
          const Int& step = sizes[2];
          const Int& pairs = sizes[4];
          const Int lanes = LanesFor(sizes[0]);
          const Local& entry = own[0];
          const Local sum{entry.name, lanes};
          const auto index = [&] {
            emitter_.Call("CreateVecIndex", {entry, Whole(kInt, 0), lanes},
                          {kInt});
          };
          const auto add = [&](const Int& factor) {
            Scalar("Muls", entry, entry, factor, lanes);
            emitter_.Call("Add", {sum, sum, entry, lanes});
          };
          index();
          emitter_.If(pairs,
                      [&] { Scalar("ShiftRight", entry, entry, 1, lanes); });
          Scalar("Muls", sum, entry,
                 FloorDiv(int64_t{1} << kShift, columns) + 1, lanes);
          Scalar("ShiftRight", sum, sum, kShift, lanes);
          Scalar("Muls", sum, sum, sizes[3] - columns * step, lanes);
          add(step - pairs * 64);
          emitter_.If(pairs, [&] {
            index();
            add(32);
          });
        });
  }

  Int LanesFor(const Int& entries) {
    return emitter_.Let("lanes", AlignUp(entries, LanesOfRepeat(kInt)));
  }

  void Scalar(const char* function, const Local& to, const Local& from,
              const Int& by, const Int& lanes) {
    emitter_.Call(function, {to, from, Whole(kInt, by), lanes});
  }

  Emitter& emitter_;
  Local free_;
  std::optional<Offsets> last_;
  std::vector<std::pair<Int, Int>> periods_;
};

// Of a turn back in 32 bits lines are taken in halves.
bool HasHalves(const Turn& turn) { return turn.wide && turn.back; }

void WriteLines(const TurnPlaces& one, const Local& lists, ListWriter& writer) {
  const Turn& turn = one.turn;
  const Int period = writer.Named(turn.period);
  const int64_t bytes = turn.wide ? 4 : 2;
  const Target target = {
      lists, 0, one.lines,
      HasHalves(turn) && !turn.columns.Is(1) ? Int(32) : Int(0)};
  // Halves of the only column are one list.
  if (HasHalves(turn) && turn.columns.Is(1)) {
    return writer.Write({.entries = 32, .columns = 16, .step = 64, .row = 32},
                        target);
  }
  writer.Write({.entries = period * 16,
                .columns = turn.columns,
                .step = turn.pitch * bytes,
                .row = 16 * bytes,
                .pairs = turn.wide && !turn.back},
               target);
}

void WriteBlocks(const TurnPlaces& one, const Local& lists,
                 ListWriter& writer) {
  const Turn& turn = one.turn;
  const Int period = writer.Named(turn.period);
  const Int behind = period * EntriesOf(turn);
  const bool halves = HasHalves(turn);
  const Int run = FloorDiv(turn.rows, 16) * turn.columns * (turn.wide ? 4 : 2);
  Target target = {lists, turn.lines.empty() ? behind : Int(0), one.flat};
  if (halves && turn.columns.Is(1)) {
    return writer.Write({.entries = 32, .columns = 2, .step = 32, .row = run},
                        target);
  }
  if (halves) target.behind = run * 8;
  writer.Write({.entries = period * 16,
                .columns = halves ? 8 : 16,
                .step = run,
                .row = halves ? 64 : 32,
                .pairs = halves},
               target);
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

void FillTurnLists(Emitter& emitter, const std::vector<TurnPlaces>& turns,
                   const Local& free) {
  ListWriter writer(emitter, free);
  std::vector<Local> lists;
  for (const auto& [turn, lines, flat, slot] : turns) {
    lists.push_back(ListsOf(emitter, turn, slot,
                            writer.Named(turn.period) * EntriesOf(turn)));
  }
  for (size_t i = 0; i < turns.size(); ++i) {
    if (turns[i].turn.lines.empty()) WriteLines(turns[i], lists[i], writer);
  }
  for (size_t i = 0; i < turns.size(); ++i) {
    WriteBlocks(turns[i], lists[i], writer);
  }
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
