// SPDX-License-Identifier: Apache-2.0
#include "crux/select/select.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "crux/ir/refusal.h"
#include "crux/passes/accesses.h"
#include "crux/passes/walk.h"
#include "crux/select/cores.h"
#include "crux/select/count_memory.h"
#include "crux/select/elementwise.h"
#include "crux/select/emitter.h"
#include "crux/select/fields.h"
#include "crux/select/free_early.h"
#include "crux/select/host_slots.h"
#include "crux/select/kept_rows.h"
#include "crux/select/loads_ahead.h"
#include "crux/select/memory.h"
#include "crux/select/numbers_of_turns.h"
#include "crux/select/occurrences.h"
#include "crux/select/reduce_fold.h"
#include "crux/select/storage.h"
#include "crux/select/turn_selector.h"
#include "crux/select/views.h"
#include "crux/select/work.h"

namespace belay::crux::select {
namespace {

using code::Stage;
using ir::Stmt;
using ir::StmtKind;

class Selector {
 public:
  Selector(const ir::Kernel& kernel, const StoragePlan& plan, code::Kernel& out)
      : kernel_(kernel),
        out_(out),
        emitter_(kernel, out),
        plan_(plan),
        at_(kernel),
        turns_(kernel, plan_, at_, emitter_),
        kept_rows_(kernel, plan_, emitter_),
        numbers_(kernel, plan_, emitter_),
        host_slots_(plan_, emitter_) {}

  void Run() {
    passes::ForEachStmt(kernel_.body, [&](const Stmt& stmt) {
      if (stmt.kind == StmtKind::kLoad) loaded_.insert(stmt.access.tensor);
      if (stmt.kind == StmtKind::kStore || stmt.kind == StmtKind::kAtomicAdd) {
        ++stores_[stmt.access.tensor];
      }
    });
    stored_ = passes::TensorsStoredIn(kernel_.body);
    const auto accesses = passes::AccessesOf(kernel_);
    for (size_t i = 0; i < accesses.size(); ++i) {
      if (!passes::IsUpdatedInPlace(accesses[i])) continue;
      loaded_.erase(static_cast<int>(i));
      stored_.erase(static_cast<int>(i));
    }
    out_.queues = plan_.queues;
    out_.buffers = plan_.buffers;
    FindBufferLives();
    code::Function process{"Process", {}, {}, {}};
    emitter_.Into(process.body, [&] { SelectBlock(kernel_.body); });
    FreeEarly(process.body);
    const code::Block constants = emitter_.WriteConstants();
    process.body.insert(process.body.begin(), constants.begin(),
                        constants.end());
    if (emitter_.constant_bytes() > 0) {
      out_.buffers.push_back(
          {std::string(kConstantsBuffer), emitter_.constant_bytes()});
    }
    if (!emitter_.scratch_bytes().Is(0)) {
      out_.buffers.push_back(
          {std::string(kScratchBuffer), emitter_.scratch_bytes()});
    }
    AddGlobals(kernel_, out_);
    out_.functions.push_back(std::move(process));
    host_slots_.Name(out_);
    CountMemory(plan_.last_if_room, out_);
    out_.block_dim = Max(1, Min(Int::Name("core_count"), items_));
  }

 private:
  // A tile in a buffer gets its name before the first statement of the block
  // that all its uses are in.
  void FindBufferLives() {
    for (const ir::Tile& tile : kernel_.tiles) {
      if (plan_.tiles[tile.id].home != Home::kBuffer) continue;
      const ir::Block* block = nullptr;
      for (const Occurrence& one : at_.Of(tile.id)) {
        block = block == nullptr ? one.block : at_.Common(block, one.block);
      }
      const ir::Stmt* first = nullptr;
      for (const Occurrence& one : at_.Of(tile.id)) {
        const ir::Stmt* held = at_.Within(block, one.stmt, one.block);
        if (first == nullptr || at_.First(held) < at_.First(first)) {
          first = held;
        }
      }
      get_before_[first].push_back(tile.id);
    }
  }

  void SelectBlock(const ir::Block& block) {
    for (const auto& stmt : block) {
      if (ahead_.contains(stmt.get())) continue;
      emitter_.SetLine(stmt->line);
      Before(*stmt);
      SelectStmt(*stmt);
      emitter_.EndStatement();
      emitter_.SetLine(stmt->line);
      After(*stmt);
      EndRunningSums(emitter_, *stmt, plan_.running);
      for (const int tile : stmt->results) {
        if (plan_.tiles[tile].home == Home::kQueueOut &&
            IsOnlyStored(at_, tile) && !emitter_.HoldsBlocks(tile)) {
          HandOver(tile);
        }
      }
    }
  }

  void Before(const Stmt& stmt) {
    emitter_.SetStage(Stage::kCompute);
    if (const auto found = get_before_.find(&stmt);
        found != get_before_.end()) {
      for (const int tile : found->second) {
        code::Stmt get;
        get.kind = code::StmtKind::kGet;
        get.name = kernel_.tiles[tile].name;
        get.from = plan_.tiles[tile].container;
        get.dtype = kernel_.tiles[tile].dtype;
        get.value =
            plan_.tiles[tile].shift / static_cast<int64_t>(BytesOf(get.dtype));
        emitter_.Open(tile, get.name, get.from);
        SettleIfKept(tile, get.name);
        emitter_.Append(std::move(get));
      }
    }
    turns_.Before(stmt);
    if (const auto found = plan_.open_before.find(&stmt);
        found != plan_.open_before.end()) {
      for (const int tile : found->second) {
        if (const auto load = plan_.late.find(tile); load != plan_.late.end()) {
          Load(*load->second, Stage::kCompute);
        }
        TakeOut(tile);
        kept_rows_.TakeOver(tile);
      }
    }
    for (const int tile : stmt.results) OpenSlot(tile);
  }

  // A guest of a loaded tile finds it there; the first in the slot of a stored
  // one asks the queue for it.
  void OpenSlot(int tile) {
    const Storage& storage = plan_.tiles[tile];
    const bool guest = storage.home == Home::kGuest;
    if (!guest && storage.home != Home::kQueueOut) return;
    const int host = guest ? storage.host : tile;
    if (plan_.tiles[host].home == Home::kQueueIn) {
      const std::string& slot = emitter_.At(host).name;
      const DType own = kernel_.tiles[tile].dtype;
      const std::string local =
          own == kernel_.tiles[host].dtype
              ? slot
              : emitter_.Cast({slot, 0}, own, kernel_.tiles[tile].name).name;
      return emitter_.Open(tile, local, slot);
    }
    const DType dtype = kernel_.tiles[tile].dtype;
    const bool same = dtype == kernel_.tiles[host].dtype;
    const std::string& name = kernel_.tiles[tile].name;
    const std::string& slot =
        SlotOf(host, same ? name : kernel_.tiles[host].name);
    const std::string local =
        same ? slot : emitter_.Cast({slot, 0}, dtype, name).name;
    emitter_.Open(tile, local, slot);
  }

  // The slot of a stored tile; the first who needs it asks the queue for it,
  // and calls it `name`.
  const std::string& SlotOf(int stored, const std::string& name) {
    const auto [slot, first] = slots_.emplace(stored, name);
    if (first && numbers_.Has(stored)) {
      slot->second = numbers_.PlaceOf(stored, name).name;
    } else if (first) {
      Queue(code::StmtKind::kAlloc, stored, slot->second);
      emitter_.Declare(slot->second, kernel_.tiles[stored].dtype);
    }
    return slot->second;
  }

  void After(const Stmt& stmt) {
    const auto found = plan_.close_after.find(&stmt);
    if (found == plan_.close_after.end()) return;
    for (const int tile : found->second) {
      if (numbers_.Has(tile)) continue;
      const bool out = plan_.tiles[tile].home != Home::kQueueIn;
      emitter_.SetStage(out ? Stage::kCopyOut : Stage::kCompute);
      Queue(code::StmtKind::kFree, tile, emitter_.At(tile).name);
    }
    if (const auto loads = behind_.find(&stmt); loads != behind_.end()) {
      for (const auto& load : loads->second) {
        emitter_.SetStage(Stage::kNone);
        load();
      }
    }
  }

  // The move of a stored tile may begin before the store is reached.
  void HandOver(int tile) {
    if (numbers_.Has(tile) || !handed_over_.insert(tile).second) return;
    emitter_.SetStage(Stage::kCompute);
    Queue(code::StmtKind::kEnQue, tile, emitter_.At(tile).name);
  }

  void Queue(code::StmtKind kind, int tile, const std::string& local) {
    emitter_.Queue(kind, plan_.tiles[tile].container, kernel_.tiles[tile].dtype,
                   local);
  }

  void TakeOut(int tile) {
    if (numbers_.Has(tile)) return numbers_.TakeOut(tile);
    const std::string local = emitter_.FreshName(kernel_.tiles[tile].name);
    Queue(code::StmtKind::kDeQue, tile, local);
    emitter_.Open(tile, local, local);
    SettleIfKept(tile, local);
  }

  // A tile that is given its only value before all loops.
  void SettleIfKept(int tile, const std::string& local) {
    if (at_.Assignments(tile) == 1 &&
        at_.PlaceOf(at_.Of(tile).front().block).parent == nullptr) {
      emitter_.Settle(local);
    }
  }

  void SelectStmt(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kCompute:
        return SelectCompute(stmt);
      case StmtKind::kSlice:
        return Slice(stmt);
      case StmtKind::kReshape:
        return Rename(stmt);
      case StmtKind::kTurn:
      case StmtKind::kTurnBack:
        return turns_.Select(stmt);
      case StmtKind::kLoad:
        if (plan_.late.contains(stmt.results[0])) return;
        return Load(stmt);
      case StmtKind::kStore:
      case StmtKind::kAtomicAdd:
        return Store(stmt);
      case StmtKind::kRead:
        return Read(stmt);
      case StmtKind::kLoop:
        return SelectLoop(stmt);
      case StmtKind::kIf:
        emitter_.SetStage(Stage::kNone);
        return emitter_.If(
            stmt.condition, [&] { SelectBlock(stmt.body); },
            [&] {
              SelectBlock(stmt.otherwise);
              emitter_.SetLine(stmt.line);
            });
      case StmtKind::kSyncAll: {
        emitter_.SetStage(Stage::kNone);
        code::Stmt sync;
        sync.kind = code::StmtKind::kSyncAll;
        return emitter_.Append(std::move(sync));
      }
      case StmtKind::kAcrossUpdate:
      case StmtKind::kAcrossValue:
      case StmtKind::kAcrossPrefix:
        break;
    }
    throw InternalError("[crux] a statement that no pass has lowered");
  }

  void SelectCompute(const Stmt& stmt) {
    if (stmt.op == Op::kPhilox) return SelectPhilox(emitter_, stmt);
    if (stmt.op == Op::kMatmul) {
      ir::Refuse(belay::code::kX301, stmt.line,
                 "`@` has no compiled form: it runs on cube cores",
                 "run the program with --interpret");
    }
    if (plan_.done_by_next.contains(&stmt)) return;
    if (SelectRunningSum(emitter_, stmt, plan_.running)) return;
    if (const auto sum = plan_.widened.find(&stmt);
        sum != plan_.widened.end()) {
      return SelectWidenedSum(emitter_, stmt, *sum->second);
    }
    switch (InfoOf(stmt.op).family) {
      case OpFamily::kReduce:
        if (const auto parts = plan_.parts.find(&stmt);
            parts != plan_.parts.end()) {
          return SelectReduceOfParts(emitter_, stmt, parts->second,
                                     BesideOf(stmt));
        }
        return SelectReduce(emitter_, stmt, SpareFor(stmt));
      case OpFamily::kScan:
        return SelectScan(emitter_, stmt);
      case OpFamily::kShape:
        return SelectShape(emitter_, stmt);
      case OpFamily::kOrder:
        return SelectOrder(emitter_, stmt);
      default:
        return SelectElementwise(emitter_, stmt);
    }
  }

  // More memory for a sum of parts in f32; no name: there is none.
  Local BesideOf(const Stmt& stmt) {
    const auto found = plan_.beside.find(&stmt);
    if (found == plan_.beside.end()) return {};
    const std::string& slot =
        SlotOf(found->second, kernel_.tiles[found->second].name);
    if (kernel_.tiles[found->second].dtype == DType::kFloat) return {slot, 0};
    return emitter_.Cast({slot, 0}, DType::kFloat, "beside");
  }

  // A name of the memory that a reduction may use; empty: there is none.
  std::string SpareFor(const Stmt& stmt) {
    const auto found = plan_.spare.find(&stmt);
    if (found == plan_.spare.end()) return "";
    const int source = std::get<int>(stmt.operands[0]);
    if (found->second.empty()) return emitter_.At(source).name;
    return emitter_.AllOf(found->second, kernel_.tiles[source].dtype, "spare")
        .name;
  }

  void Slice(const Stmt& stmt) {
    const int result = stmt.results[0];
    if (plan_.tiles[result].home != Home::kAlias) {
      return SelectSlice(emitter_, stmt);
    }
    const int source = std::get<int>(stmt.operands[0]);
    const Local part =
        emitter_.Part(emitter_.At(source, *FirstOfRows(kernel_, stmt)),
                      kernel_.tiles[result].name);
    emitter_.Open(result, part.name, part.name);
  }

  void Rename(const Stmt& stmt) {
    const int result = stmt.results[0];
    const int* source = std::get_if<int>(&stmt.operands[0]);
    if (plan_.tiles[result].home == Home::kAlias) {
      // What is only moved is never opened.
      if (plan_.tiles[plan_.tiles[result].root].home == Home::kBind) return;
      emitter_.Open(result, emitter_.At(*source).name,
                    emitter_.MemoryOf(*source));
      emitter_.Alias(result, *source);
      return;
    }
    SelectReshape(emitter_, stmt);
  }

  void Load(const Stmt& stmt, Stage stage = Stage::kCopyIn) {
    const int tile = stmt.results[0];
    emitter_.SetStage(stage);
    if (numbers_.Has(tile)) return numbers_.Load(stmt);
    if (plan_.tiles[tile].direct) {
      emitter_.Sync("V_MTE2");
      // A move from tensor to tensor reads the buffer on another pipe.
      emitter_.Sync("MTE3_MTE2");
      SelectLoad(emitter_, stmt, emitter_.At(tile));
      emitter_.Sync("MTE2_V");
      return;
    }
    const std::string local = emitter_.FreshName(kernel_.tiles[tile].name);
    Queue(code::StmtKind::kAlloc, tile, local);
    emitter_.Declare(local, kernel_.tiles[tile].dtype);
    // What this core stored must have arrived.
    if (stored_.contains(stmt.access.tensor)) emitter_.Sync("MTE3_MTE2");
    const Int skipped = kept_rows_.SkippedBy(tile);
    SelectLoad(emitter_, stmt, {local, 0}, skipped,
               skipped.Is(0) && plan_.tiles[tile].home == Home::kQueueIn);
    Queue(code::StmtKind::kEnQue, tile, local);
    turns_.Prepare(tile, {local, 0});
  }

  void Store(const Stmt& stmt) {
    const int tile = std::get<int>(stmt.operands[0]);
    const int root = plan_.tiles[tile].root;
    const bool direct = plan_.tiles[root].direct;
    emitter_.DropBlocks(root);
    // At the end of the turn.
    if (numbers_.Has(root)) return;
    if (!direct && taken_out_.insert(root).second) {
      if (plan_.tiles[root].home == Home::kQueueOut) HandOver(root);
      emitter_.SetStage(Stage::kCopyOut);
      TakeOut(root);
    }
    emitter_.SetStage(Stage::kCopyOut);
    const Local place = emitter_.At(root);
    if (direct) emitter_.Sync("V_MTE3");
    if (direct || loaded_.contains(stmt.access.tensor)) {
      emitter_.Sync("MTE2_MTE3");
    }
    if (MayMeetItself(stmt)) emitter_.Barrier("PIPE_MTE3");
    const auto move = [&] { SelectStore(emitter_, stmt, place); };
    if (in_cores_ || stmt.every_core) {
      move();
    } else {
      emitter_.If(Int::Of(ir::IntKind::kEqual, Int::Name("block_idx"), 0),
                  move);
    }
    if (direct) emitter_.Sync("MTE3_V");
  }

  // Whether a place that this statement stores to may have been stored to by
  // the core before: by another statement, or in an earlier turn of a loop that
  // its access does not follow.
  bool MayMeetItself(const Stmt& stmt) const {
    if (stores_.at(stmt.access.tensor) > 1) return true;
    std::set<std::string> used;
    for (const ir::Index& index : stmt.access.indices) {
      if (index.kind == ir::IndexKind::kTile) return true;
      CollectNames(index.start, used);
    }
    CollectNames(stmt.access.element, used);
    return std::any_of(
        turning_.begin(), turning_.end(),
        [&](const std::string& name) { return !used.contains(name); });
  }

  void Read(const Stmt& stmt) {
    const int tile = std::get<int>(stmt.operands[0]);
    code::Stmt let;
    let.kind = code::StmtKind::kScalarLet;
    let.name = stmt.name;
    let.dtype = DType::kInt64;
    let.scalar = Converted(DType::kInt64,
                           Element(emitter_.DtypeOf(tile), emitter_.At(tile)));
    emitter_.Append(std::move(let));
  }

  // Whether an earlier loop over cores touched what this one loads: what it
  // touched last is still in the L2 cache. Prefixes want items in order.
  bool TouchesAgain(const ir::Loop& loop) {
    bool again = false;
    std::set<int> touched;
    passes::ForEachStmt(loop.body, [&](const Stmt& stmt) {
      const bool loads = stmt.kind == StmtKind::kLoad;
      if (!loads && stmt.kind != StmtKind::kStore) return;
      touched.insert(stmt.access.tensor);
      again = again || (loads && touched_.contains(stmt.access.tensor));
    });
    touched_.merge(touched);
    return again && std::none_of(kernel_.across.begin(), kernel_.across.end(),
                                 [](const ir::Across& across) {
                                   return across.combine == Op::kCumsum;
                                 });
  }

  // What loads a turn's tiles earlier than its body would.
  TurnLoads LoadsOfTurns(const ir::Block& body) {
    const LoadsAhead loads =
        FindLoadsAhead(kernel_, emitter_.layouts(), plan_, body);
    if (!loads.any()) return {};
    TurnLoads turns;
    if (!loads.next.empty()) turns.next = LoadsOf(loads.next);
    turns.ahead = host_slots_.TurnsAhead(loads);
    if (!loads.others.empty()) turns.own = LoadsOf(loads.others);
    if (loads.reloads.empty()) return turns;
    std::vector<const Stmt*> first;
    for (const auto& [load, freed] : loads.reloads) first.push_back(load);
    turns.first = LoadsOf(first);
    turns.later = [this, reloads = loads.reloads](const ForNextTurn& next) {
      for (const auto& [load, freed] : reloads) {
        behind_[freed].push_back([this, next, load] { next(LoadsOf({load})); });
      }
    };
    return turns;
  }

  // Loads that their loop does itself.
  std::function<void()> LoadsOf(const std::vector<const Stmt*>& loads) {
    ahead_.insert(loads.begin(), loads.end());
    return [this, loads] {
      for (const Stmt* load : loads) {
        emitter_.SetLine(load->line);
        Load(*load);
        emitter_.EndStatement();
      }
    };
  }

  void SelectGroup(const ir::Loop& loop, size_t group, const ItemRange& range) {
    const bool last = group + 1 == nest_.groups.size();
    ForGroup(
        emitter_, nest_, group, range,
        [&](const ItemRange& inside) {
          next_group_ = group + 1;
          next_range_ = inside;
          SelectBlock(loop.body);
          if (last) numbers_.Store(loop);
        },
        last ? nest_loads_ : TurnLoads());
  }

  void SelectLoop(const Stmt& stmt) {
    emitter_.SetStage(Stage::kNone);
    const ir::Loop& loop = *stmt.loop;
    if (loop.cores && inlined_.contains(&loop)) {
      if (next_group_ < nest_.groups.size() &&
          nest_.loops[nest_.groups[next_group_]] == &loop) {
        return SelectGroup(loop, next_group_, next_range_);
      }
      return SelectBlock(loop.body);
    }
    if (loop.cores && !in_cores_) {
      nest_ = NestOf(stmt);
      nest_.last_first = TouchesAgain(loop);
      nest_.shares_queues = SharesQueues(plan_, nest_);
      nest_.bytes = BytesOfItem(kernel_, emitter_.layouts(), nest_);
      for (const ir::Loop* inner : nest_.loops) inlined_.insert(inner);
      // All cores take part where only the device knows how much there is.
      items_ = Max(items_, passes::IsHost(kernel_, nest_.items)
                               ? nest_.items
                               : Int::Name("core_count"));
      in_cores_ = true;
      if (nest_.groups.size() == 1 && !nest_.last_first) {
        const std::string again =
            emitter_.FreshName(nest_.loops.back()->name + "_again");
        if (kept_rows_.Find(*nest_.loops.back(), Int::Name(again))) {
          nest_.again = again;
        }
      }
      const ItemRange items = ItemsOfCore(emitter_, nest_);
      nest_.end_item = items.high;
      numbers_.Begin(nest_, items);
      nest_loads_ = LoadsOfTurns(nest_.loops.back()->body);
      LoadFirst(emitter_, nest_, items, nest_loads_);
      SelectGroup(loop, 0, items);
      in_cores_ = false;
      return;
    }
    turning_.push_back(loop.name);
    kept_rows_.Find(loop, Less(loop.low, Int::Name(loop.name)));
    InOrder(
        emitter_, loop, [&] { SelectBlock(loop.body); },
        LoadsOfTurns(loop.body));
    turning_.pop_back();
  }

  const ir::Kernel& kernel_;
  code::Kernel& out_;
  Emitter emitter_;
  const StoragePlan& plan_;
  Occurrences at_;
  std::map<const Stmt*, std::vector<int>> get_before_;
  TurnSelector turns_;
  KeptRows kept_rows_;
  NumbersOfTurns numbers_;
  HostSlots host_slots_;
  std::map<int, std::string> slots_;  // locals of stored tiles
  std::set<int> handed_over_;         // stored tiles, into their queue
  std::set<int> taken_out_;           // and out of it
  std::set<const Stmt*> ahead_;       // loads that their loop does itself
  // Loads for the next turn, by the statement that frees their slot.
  std::map<const Stmt*, std::vector<std::function<void()>>> behind_;
  std::set<int> touched_;              // tensors, by loops over cores so far
  CoresNest nest_;                     // around the statement at hand
  TurnLoads nest_loads_;               // of its last group
  std::set<const ir::Loop*> inlined_;  // part of it
  size_t next_group_ = 0;              // of it, inside
  ItemRange next_range_;
  // Tensors, by any statement, save those that turns update in place.
  std::set<int> loaded_;
  std::set<int> stored_;
  std::map<int, int> stores_;         // statements that store to a tensor
  std::vector<std::string> turning_;  // loops in order around the statement
  bool in_cores_ = false;
  Int items_ = 1;
};

}  // namespace

code::Kernel Select(const ir::Kernel& kernel, const StoragePlan& plan) {
  code::Kernel out;
  out.tiles = &kernel;
  Selector(kernel, plan, out).Run();
  out.fields = FieldsOf(kernel, out);
  return out;
}

}  // namespace belay::crux::select
