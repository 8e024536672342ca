// SPDX-License-Identifier: Apache-2.0
#include "crux/select/cores.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "crux/ir/walk.h"
#include "crux/select/vector.h"
#include "crux/select/work.h"

namespace belay::crux::select {
namespace {

using ir::StmtKind;

// What a core loads while all others, one after the other, start (910B1: 47
// times 0.076 us at a 48th of 1.56 TB/s).
constexpr int64_t kLateBytes = 116000;
// So many items are there for each one that the last has less than the first:
// 32 for each of 48 cores.
constexpr int64_t kItemsForLate = 1536;
// Fewer than so many are lost between items that take longer than others: the
// last has a multiple of them less.
constexpr int64_t kLeastLate = 3;

Int TurnsOf(const ir::Loop& loop) {
  if (loop.step.is_constant() && loop.step.value() < 0) {
    return Max(0, CeilDiv(loop.low - loop.high, 0 - loop.step));
  }
  return Max(0, CeilDiv(loop.high - loop.low, loop.step));
}

// Whether doing it again for every item changes nothing.
bool MayBeRepeated(const ir::Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kCompute:
    case StmtKind::kSlice:
    case StmtKind::kReshape:
    case StmtKind::kLoad:
    case StmtKind::kRead:
      return true;
    default:
      return false;
  }
}

void Define(Emitter& emitter, const std::string& name, const Int& value) {
  code::Stmt let;
  let.kind = code::StmtKind::kLet;
  let.name = name;
  let.value = value;
  emitter.Append(std::move(let));
}

void DefineExtent(Emitter& emitter, const ir::Loop& loop) {
  if (loop.extent.empty()) return;
  Define(emitter, loop.extent,
         Min(loop.step, loop.high - Int::Name(loop.name)));
}

// How a loop goes on.
struct Turning {
  std::function<void(const Int&)> define;       // the names of a step
  std::function<void(const Int&)> define_next;  // those of the one behind it
  std::function<Int(const Int&)> has_next;      // whether there is one
  std::vector<std::string> names;
  // The next step may be one of another turn of the loops around: its names are
  // defined outside, and what the first one needs is there.
  bool across = false;
};

// Each turn loads for the next step, then does `body` for its own. Where the
// first step is loaded for as well the loop begins one step before the range.
// With 0 for `loads.ahead` the next step is its own.
void TurnAhead(Emitter& emitter, std::string_view name, const ItemRange& range,
               const Int& step, const Turning& turning, const TurnLoads& loads,
               const std::function<void()>& body) {
  const Int low = turning.across ? range.low : range.low - step * loads.ahead;
  emitter.For(name, low, range.high, step, [&](const Int& at) {
    bool defined = false;
    const auto now = [&](const std::function<void()>& part) {
      if (turning.across) {
        if (!std::exchange(defined, true)) turning.define(at);
        return part();
      }
      emitter.If(Int::Of(ir::IntKind::kLessEqual, range.low, at), [&] {
        turning.define(at);
        part();
      });
    };
    const auto next = [&](const std::function<void()>& part) {
      turning.define_next(at);
      part();
    };
    const auto renamed = [&](const std::function<void()>& part) {
      emitter.Renaming(turning.names, [&] { next(part); });
    };
    const Int has_next = turning.has_next(at);
    if (loads.own) now(loads.own);
    if (loads.next) {
      emitter.If(has_next, [&] {
        turning.across ? renamed(loads.next) : next(loads.next);
      });
    }
    if (!loads.first) return now(body);
    if (!turning.across) {
      emitter.If(Int::Of(ir::IntKind::kAnd, Less(at, range.low), has_next),
                 [&] { next(loads.first); });
    }
    now([&] {
      loads.later([&](const std::function<void()>& part) {
        emitter.If(has_next, [&] { renamed(part); });
      });
      body();
    });
  });
}

// Of a loop that ends with its range and loads for what is so far `ahead`.
Turning TurningIn(const ItemRange& range, const Int& ahead,
                  std::function<void(const Int&)> define,
                  std::vector<std::string> names) {
  Turning turning;
  turning.define = define;
  turning.define_next = [define, ahead](const Int& at) { define(at + ahead); };
  turning.has_next = [range, ahead](const Int& at) {
    return Less(at + ahead, range.high);
  };
  turning.names = std::move(names);
  return turning;
}

void AddNames(const ir::Loop& loop, std::vector<std::string>& names) {
  names.push_back(loop.name);
  if (!loop.extent.empty()) names.push_back(loop.extent);
}

// Of loops from `begin` to before `end`, together.
Int TurnsIn(const CoresNest& nest, size_t begin, size_t end) {
  Int turns = 1;
  for (size_t i = begin; i < end; ++i) turns = turns * nest.turns[i];
  return turns;
}

// Defines the names of loops from `begin` to before `end` for an item of them.
void DefineItem(Emitter& emitter, const CoresNest& nest, size_t begin,
                size_t end, const Int& item) {
  Int left = item;
  for (size_t i = end; i-- > begin;) {
    const ir::Loop& loop = *nest.loops[i];
    const Int turn = i == begin ? left : Mod(left, nest.turns[i]);
    Define(emitter, loop.name, loop.low + turn * loop.step);
    DefineExtent(emitter, loop);
    if (i > begin) {
      left = emitter.Let("outer_item", FloorDiv(left, nest.turns[i]));
    }
  }
}

// Defines what is asked of an item: whether the one before, if the core had it,
// was of the same turn of all loops but the last; which of the turns that
// something is loaded for at once this is.
void DefinePlace(Emitter& emitter, const CoresNest& nest,
                 const ItemRange& range, const Int& item) {
  const ir::Loop& loop = *nest.loops.back();
  if (!nest.again.empty()) {
    Define(emitter, nest.again,
           Int::Of(ir::IntKind::kAnd, Less(range.low, item),
                   Less(loop.low, Int::Name(loop.name))));
  }
  if (!nest.turn_of_these.empty()) {
    Define(emitter, nest.turn_of_these,
           Mod(item - range.low, nest.turns_at_once));
  }
}

// Whether a loop before the last loads rows as long as those of the last: its
// turns wait for these anyway.
bool LoadsRowsBetween(const Emitter& emitter, const CoresNest& nest) {
  const auto length_of = [&](const ir::Stmt& load) {
    const Layout layout = emitter.LayoutOf(load.results[0]);
    return layout.last < 0 ? Int(1) : layout.dims[layout.last].capacity;
  };
  std::vector<Int> lengths;
  for (const auto& stmt : nest.loops.back()->body) {
    if (stmt->kind == StmtKind::kLoad) lengths.push_back(length_of(*stmt));
  }
  return std::any_of(
      nest.loops.begin(), nest.loops.end() - 1, [&](const ir::Loop* loop) {
        return std::any_of(
            loop->body.begin(), loop->body.end(), [&](const auto& stmt) {
              return stmt->kind == StmtKind::kLoad &&
                     std::any_of(lengths.begin(), lengths.end(),
                                 [&](const Int& length) {
                                   return Same(length, length_of(*stmt));
                                 });
            });
      });
}

// Whether the last group loads for its next turn across turns of the others:
// these define no integers that a load could need, loads count no turns, and
// queues give out what comes first.
bool LoadsAcrossGroups(const Emitter& emitter, const CoresNest& nest) {
  if (nest.groups.size() < 2 || nest.last_first || nest.shares_queues ||
      emitter.kernel().rows_on_lanes || LoadsRowsBetween(emitter, nest)) {
    return false;
  }
  return std::all_of(
      nest.loops.begin(), nest.loops.end() - 1, [](const ir::Loop* loop) {
        return std::none_of(
            loop->body.begin(), loop->body.end(),
            [](const auto& stmt) { return stmt->kind == StmtKind::kRead; });
      });
}

// Whether the kernel does nothing else on many cores.
bool IsOnlyLoop(const ir::Kernel& kernel, const ir::Loop& loop) {
  return std::none_of(
      kernel.body.begin(), kernel.body.end(), [&](const auto& stmt) {
        return stmt->kind == StmtKind::kLoop && stmt->loop.get() != &loop;
      });
}

// Whether what stands between the loops, which is done once more where cores
// share a turn, is about single numbers, or one for each row of an item.
bool RepeatsNumbers(const ir::Kernel& kernel, const Layouts& layouts,
                    const CoresNest& nest) {
  const auto is_number = [&](int tile) {
    const Layout& layout = layouts[tile];
    return layout.last < 0 ||
           (layout.is_flat() &&
            CountsRows(kernel, layout.dims[layout.last].capacity));
  };
  return std::all_of(
      nest.loops.begin(), nest.loops.end() - 1, [&](const ir::Loop* loop) {
        return std::all_of(loop->body.begin(), loop->body.end(),
                           [&](const auto& stmt) {
                             return std::all_of(stmt->results.begin(),
                                                stmt->results.end(), is_number);
                           });
      });
}

// Which tensor of a list the integer speaks of, if a variable says that.
std::optional<Int> ElementIn(const Int& integer) {
  if (integer.kind() == ir::IntKind::kElement) {
    const Int& element = integer.args()[0];
    if (element.kind() == ir::IntKind::kName) return element;
  }
  for (const Int& arg : integer.args()) {
    if (const auto found = ElementIn(arg)) return found;
  }
  return std::nullopt;
}

// Values across the cores may be combined in the order of their items.
bool HasWorkspace(const ir::Kernel& kernel) {
  return std::any_of(
      kernel.tensors.begin(), kernel.tensors.end(),
      [](const ir::Tensor& tensor) { return tensor.parameter == nullptr; });
}

}  // namespace

CoresNest NestOf(const ir::Stmt& stmt) {
  CoresNest nest;
  nest.items = 1;
  const ir::Stmt* next = &stmt;
  std::set<std::string> changing;
  while (next != nullptr) {
    const ir::Loop& loop = *next->loop;
    std::set<std::string> used;
    CollectNames(loop.low, used);
    CollectNames(loop.high, used);
    CollectNames(loop.step, used);
    for (const std::string& name : used) {
      if (changing.contains(name)) return nest;
    }
    if (nest.loops.empty() || nest.loops.back()->body.size() > 1) {
      nest.groups.push_back(nest.loops.size());
    }
    nest.loops.push_back(&loop);
    nest.turns.push_back(TurnsOf(loop));
    nest.items = nest.items * nest.turns.back();
    changing.insert(loop.name);
    changing.insert(loop.extent);
    next = nullptr;
    for (size_t i = 0; i < loop.body.size(); ++i) {
      const ir::Stmt& inner = *loop.body[i];
      if (inner.kind == StmtKind::kLoop && inner.loop->cores &&
          i + 1 == loop.body.size()) {
        next = &inner;
      } else if (!MayBeRepeated(inner)) {
        break;
      } else if (inner.kind == StmtKind::kRead) {
        changing.insert(inner.name);
      }
    }
  }
  return nest;
}

bool SharesQueues(const StoragePlan& plan, const CoresNest& nest) {
  // What stands inside of statements counts, but for the loops of the nest.
  const auto queues_of = [&](const ir::Loop* loop) {
    std::set<std::string> queues;
    for (const auto& stmt : loop->body) {
      if (stmt->loop != nullptr &&
          std::find(nest.loops.begin(), nest.loops.end(), stmt->loop.get()) !=
              nest.loops.end()) {
        continue;
      }
      ir::ForEachStmt(ir::Block{stmt}, [&](const ir::Stmt& one) {
        if (one.kind != StmtKind::kLoad) return;
        queues.insert(plan.tiles[plan.tiles[one.results[0]].root].container);
      });
    }
    return queues;
  };
  const std::set<std::string> last = queues_of(nest.loops.back());
  return std::any_of(
      nest.loops.begin(), nest.loops.end() - 1, [&](const ir::Loop* loop) {
        const std::set<std::string> own = queues_of(loop);
        return std::any_of(own.begin(), own.end(), [&](const std::string& one) {
          return last.contains(one);
        });
      });
}

Int BytesOfItem(const ir::Kernel& kernel, const Layouts& layouts,
                const CoresNest& nest) {
  if (!IsOnlyLoop(kernel, *nest.loops[0]) ||
      !RepeatsNumbers(kernel, layouts, nest)) {
    return 0;
  }
  return BytesWaitedFor(kernel, layouts, nest.loops.back()->body);
}

ItemRange ItemsOfCore(Emitter& emitter, const CoresNest& nest) {
  const Int items = emitter.Let("items", nest.items);
  const Int cores = Int::Name("block_num");
  // Runs that begin in the middle of a row of pieces would load again what the
  // piece before has loaded.
  const Int late =
      nest.bytes.Is(0) || !nest.again.empty()
          ? Int(0)
          : emitter.Let("late",
                        Min(FloorDiv(items, kItemsForLate * kLeastLate),
                            FloorDiv(kLateBytes / kLeastLate, nest.bytes + 1)) *
                            kLeastLate);
  const auto begin = [&](const Int& at) {
    const Int even = at * FloorDiv(items, cores) + Min(at, Mod(items, cores));
    return late.Is(0) ? even
                      : even + FloorDiv(late * at * (cores - at), cores * 2);
  };
  Int core = Int::Name("block_idx");
  // Small tensors of a list go to one core after the other.
  const auto element = ElementIn(nest.items);
  if (element && !HasWorkspace(emitter.kernel())) {
    core = emitter.Let("core", Mod(core + *element, cores));
  }
  const Int first = emitter.Let("first_item", begin(core));
  return {first, emitter.Let("end_item", begin(core + 1))};
}

void LoadFirst(Emitter& emitter, const CoresNest& nest, const ItemRange& range,
               const TurnLoads& loads) {
  if (!loads.any() || !LoadsAcrossGroups(emitter, nest)) return;
  const Int any = Less(range.low, range.high);
  const bool always = loads.ahead.is_constant();
  emitter.If(always ? any : Int::Of(ir::IntKind::kAnd, loads.ahead, any), [&] {
    DefineItem(emitter, nest, 0, nest.loops.size(), range.low);
    if (loads.next) loads.next();
    if (loads.first) loads.first();
  });
}

void ForGroup(Emitter& emitter, const CoresNest& nest, size_t group,
              const ItemRange& range,
              const std::function<void(const ItemRange&)>& body,
              const TurnLoads& loads) {
  const bool last = group + 1 == nest.groups.size();
  const size_t begin = nest.groups[group];
  const size_t end = last ? nest.loops.size() : nest.groups[group + 1];
  Int inside = TurnsIn(nest, last ? begin : end, nest.loops.size());
  ItemRange turns = range;
  if (!last) {
    // No items: nothing is divided by them.
    inside = emitter.Let("items_inside", Max(1, inside));
    turns = {FloorDiv(range.low, inside), CeilDiv(range.high, inside)};
  }
  const bool falls = nest.last_first && group == 0;
  if (falls) {
    turns = {emitter.Let("first", turns.low), emitter.Let("end", turns.high)};
  }
  const auto define = [&](const Int& counter) {
    const Int item =
        falls ? emitter.Let("item", turns.low + turns.high - 1 - counter)
              : counter;
    DefineItem(emitter, nest, begin, end, item);
    DefinePlace(emitter, nest, range, item);
    return item;
  };
  const char* const name = falls ? "turn" : "item";
  if (loads.any()) {
    const bool across = LoadsAcrossGroups(emitter, nest);
    std::vector<std::string> names;
    for (size_t i = across ? 0 : begin; i < end; ++i) {
      AddNames(*nest.loops[i], names);
    }
    for (const std::string& name : {nest.again, nest.turn_of_these}) {
      if (!name.empty()) names.push_back(name);
    }
    const Int& ahead = loads.ahead;
    Turning turning = TurningIn(
        turns, ahead, [&](const Int& at) { define(at); }, names);
    if (across) {
      // A turn of the groups around is all of this one.
      inside = emitter.Let("items_inside", Max(1, inside));
      turning.define_next = [&, turn = range.turn](const Int& at) {
        const Int stays = emitter.Let("stays", Less(at + ahead, inside));
        DefineItem(emitter, nest, 0, begin, turn + 1 - stays);
        DefineItem(emitter, nest, begin, end, (at + ahead) * stays);
      };
      turning.has_next = [&, before = range.turn * inside](const Int& at) {
        return Less(before + at + ahead, nest.end_item);
      };
      turning.across = true;
    }
    return TurnAhead(emitter, name, turns, 1, turning, loads,
                     [&] { body({}); });
  }
  emitter.For(name, turns.low, turns.high, 1, [&](const Int& counter) {
    const Int item = define(counter);
    if (last) return body({});
    body({emitter.Let("low", Max(0, range.low - item * inside)),
          emitter.Let("high", Min(inside, range.high - item * inside)),
          range.turn * TurnsIn(nest, begin, end) + item});
  });
}

void InOrder(Emitter& emitter, const ir::Loop& loop,
             const std::function<void()>& body, const TurnLoads& loads) {
  const bool upwards =
      !loop.reverse && !(loop.step.is_constant() && loop.step.value() < 0);
  std::vector<std::string> names;
  AddNames(loop, names);
  if (upwards && loads.any()) {
    const ItemRange range = {loop.low, loop.high};
    const auto define = [&](const Int& position) {
      Define(emitter, loop.name, position);
      DefineExtent(emitter, loop);
    };
    return TurnAhead(emitter, "position", range, loop.step,
                     TurningIn(range, loop.step * loads.ahead, define, names),
                     loads, body);
  }
  if (upwards) {
    code::Stmt turns;
    turns.kind = code::StmtKind::kFor;
    turns.name = loop.name;
    turns.value = loop.low;
    turns.high = loop.high;
    turns.step = loop.step;
    emitter.Into(turns.body, [&] {
      DefineExtent(emitter, loop);
      body();
    });
    emitter.Append(std::move(turns));
    return;
  }
  const Int turns = emitter.Let("turns", TurnsOf(loop));
  const auto define = [&](const Int& turn) {
    const Int which = loop.reverse ? turns - 1 - turn : turn;
    Define(emitter, loop.name, loop.low + which * loop.step);
    DefineExtent(emitter, loop);
  };
  if (loads.any()) {
    const ItemRange range = {0, turns};
    return TurnAhead(emitter, "turn", range, 1,
                     TurningIn(range, loads.ahead, define, names), loads, body);
  }
  emitter.For("turn", 0, turns, 1, [&](const Int& turn) {
    define(turn);
    body();
  });
}

}  // namespace belay::crux::select
