// SPDX-License-Identifier: Apache-2.0
#include "crux/select/storage.h"

#include <algorithm>

#include "base/error.h"
#include "crux/passes/walk.h"
#include "crux/select/emitter.h"
#include "crux/select/in_place.h"
#include "crux/select/layout.h"
#include "crux/select/lives.h"
#include "crux/select/numbers_of_turns.h"
#include "crux/select/occurrences.h"
#include "crux/select/parts.h"
#include "crux/select/places.h"
#include "crux/select/queues.h"
#include "crux/select/sides.h"
#include "crux/select/spares.h"
#include "crux/select/work.h"

namespace belay::crux::select {
namespace {

using ir::Int;
using ir::StmtKind;

// A buffer while tiles are dealt to it.
struct Shared {
  Int elements;
  int64_t bytes = 0;  // of the largest element
  int free_from = 0;  // number of the first statement that may write it
  std::string name;
  int first_tile = -1;
  int last_tile = -1;
  Int others = 0;  // bytes for tiles of other sizes
};

// The slot of a loaded tile, for tiles that live after it.
struct Slot {
  int tile = -1;
  Int elements;
  int free_from = 0;
  int last_tile = -1;
  const ir::Stmt* last = nullptr;  // that needs it
};

// The one slot of a stored tile, for tiles that live before it.
struct Before {
  int tile = -1;
  size_t queue = 0;  // in the plan
  size_t bytes = 0;  // of the largest element
  int free_from = 0;
};

// From so many buffers on tiles of different sizes share one.
constexpr size_t kManyBuffers = 8;

class Planner {
 public:
  explicit Planner(const ir::Kernel& kernel)
      : kernel_(kernel), at_(kernel), lives_(kernel, at_) {
    plan_.tiles.resize(kernel.tiles.size());
    for (size_t id = 0; id < kernel.tiles.size(); ++id) {
      Storage& storage = plan_.tiles[id];
      storage.root = lives_.RootOf(static_cast<int>(id));
      if (lives_.IsAlias(static_cast<int>(id))) storage.home = Home::kAlias;
    }
  }

  StoragePlan Run() {
    JoinSums();
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) Classify(id);
    PlanNumbersOfTurns(kernel_, lives_, plan_);
    for (const int tile : plan_.numbers.stored) {
      // Nobody waits for the last turn's.
      queued_.push_back(tile);
      doubled_.insert(plan_.tiles[tile].container);
    }
    MakeQueues();
    for (const int tile : queued_) HostResults(tile);
    MakeBuffers();
    CloseQueues();
    return std::move(plan_);
  }

 private:
  const Layout& LayoutOfTile(int id) const { return lives_.LayoutOf(id); }
  Int BytesOfTile(int id) const { return lives_.BytesOf(id); }
  int RootOf(int id) const { return lives_.RootOf(id); }
  std::vector<Occurrence> ReadsOf(int root) const {
    return lives_.ReadsOf(root);
  }

  static bool IsStoreOf(const Occurrence& one) {
    return !one.is_position && (one.stmt->kind == StmtKind::kStore ||
                                one.stmt->kind == StmtKind::kAtomicAdd);
  }

  static bool IsReductionOf(const Occurrence& one) {
    return passes::IsReduction(*one.stmt);
  }

  // What is converted lives until it is added.
  void JoinSums() {
    plan_.widened = WidenedSums(kernel_, at_, lives_);
    for (const auto& [sum, to] : plan_.widened) {
      lives_.Extend(std::get<int>(to->operands[0]), sum);
      plan_.done_by_next.insert(to);
      joined_.insert(to->results[0]);
    }
    plan_.running = FindRunningSums(kernel_, at_, lives_);
    for (const auto& [reduction, sum] : plan_.running.reductions) {
      joined_.insert(reduction->results[0]);
    }
  }

  void Classify(size_t id) {
    const int tile = static_cast<int>(id);
    Storage& storage = plan_.tiles[id];
    if (storage.home == Home::kAlias || joined_.contains(tile)) return;
    const Life& life = lives_[id];
    if (life.assigned == nullptr) return;
    const std::vector<Occurrence> reads = ReadsOf(tile);
    const bool stored = std::any_of(reads.begin(), reads.end(), IsStoreOf);
    if (life.assigned->kind == StmtKind::kLoad) {
      // A fill is written by the vector unit.
      const bool moved = !life.assigned->fill && !reads.empty() &&
                         std::all_of(reads.begin(), reads.end(), IsStoreOf);
      storage.home = moved ? Home::kBind : Home::kQueueIn;
    } else {
      storage.home = stored ? Home::kQueueOut : Home::kBuffer;
    }
  }

  void MakeQueues() {
    for (const Home home : {Home::kQueueIn, Home::kQueueOut, Home::kBind}) {
      for (const SharedQueue& one :
           ShareQueues(kernel_, at_, lives_, plan_, home)) {
        if (one.depth > 0) {
          MakeQueue(one);
        } else {
          for (const int tile : one.tiles) GoDirectly(tile);
        }
      }
    }
  }

  // Whether another tile of a queue lives in a loop of this one's block: it may
  // need all slots, so that no guest may stay in this one's.
  bool HoldsAnother(int tile, const std::vector<int>& tiles) const {
    const ir::Block* own = lives_[tile].block;
    return std::any_of(tiles.begin(), tiles.end(), [&](int other) {
      const ir::Block* block = lives_[other].block;
      return block != own && at_.Common(own, block) == own;
    });
  }

  void MakeQueue(const SharedQueue& shared) {
    const auto& [tiles, depth, if_room, by_host, before] = shared;
    const Home home = plan_.tiles[tiles[0]].home;
    code::Queue queue;
    queue.position = home == Home::kQueueIn    ? code::QueuePosition::kIn
                     : home == Home::kQueueOut ? code::QueuePosition::kOut
                                               : code::QueuePosition::kBind;
    queue.depth = depth;
    queue.bytes = BytesOfTile(tiles[0]);
    for (const int tile : tiles) {
      const Int bytes = BytesOfTile(tile);
      if (before.contains(tile) || ir::Same(queue.bytes, bytes)) continue;
      queue.bytes = Max(queue.bytes, bytes);
    }
    queue.slots = depth;
    queue.name = kernel_.tiles[tiles[0]].name + "_queue";
    if (if_room) plan_.last_if_room = queue.name;
    if (by_host) plan_.slots_by_host.insert(queue.name);
    for (const int tile : tiles) {
      plan_.tiles[tile].container = queue.name;
      queued_.push_back(tile);
      if (home == Home::kQueueIn) {
        plan_.open_before[lives_.FirstReader(tile)].push_back(tile);
      }
      if (home == Home::kQueueIn && depth > 1 && !HoldsAnother(tile, tiles)) {
        slots_.push_back({tile, LayoutOfTile(tile).elements,
                          lives_[tile].end + 1, tile, nullptr});
      }
    }
    for (const int tile : before) plan_.late[tile] = lives_[tile].assigned;
    if (depth > 1) doubled_.insert(queue.name);
    if (home == Home::kQueueOut && depth == 1 && tiles.size() == 1 &&
        at_.PlaceOf(lives_[tiles[0]].block).in_loop) {
      befores_.push_back({tiles[0], plan_.queues.size(),
                          BytesOf(kernel_.tiles[tiles[0]].dtype), 0});
    }
    plan_.queues.push_back(std::move(queue));
  }

  // Whether `tile` lives in `block` alone and begins with an assignment there.
  bool BeginsIn(int tile, const ir::Block* block) const {
    const Life& life = lives_[tile];
    return plan_.tiles[tile].home == Home::kBuffer &&
           !plan_.tiles[tile].direct && life.block == block &&
           life.first == life.assigned;
  }

  // Whether it is nothing but a value of `block`: assigned once, there.
  bool BelongsTo(int tile, const ir::Block* block) const {
    return BeginsIn(tile, block) && at_.Assignments(tile) == 1;
  }

  void MakeGuest(int tile, int host) {
    Storage& storage = plan_.tiles[tile];
    storage.home = Home::kGuest;
    storage.host = host;
    storage.container = plan_.tiles[host].container;
  }

  // What a stored tile is computed in place of, and that in place of others,
  // goes into its slot at once. With one slot the vector unit would wait for
  // the last store, if it had nothing larger to do first.
  void HostResults(int stored) {
    if (plan_.tiles[stored].home != Home::kQueueOut) return;
    const bool doubled = doubled_.contains(plan_.tiles[stored].container);
    const ir::Block* block = lives_[stored].block;
    for (int result = stored; result >= 0;) {
      int taken = -1;
      ir::ForEachTileRead(*lives_[result].assigned, [&](int tile) {
        const int root = RootOf(tile);
        if (taken < 0 && BeginsIn(root, block) && TakesOver(result, root) &&
            (doubled || IsAfterRows(root)) &&
            kernel_.tiles[root].dtype == kernel_.tiles[stored].dtype) {
          taken = root;
        }
      });
      if (taken >= 0) {
        MakeGuest(taken, stored);
        if (!plan_.numbers.Has(stored)) {
          Int& bytes = BytesOfSlot(stored);
          bytes = Max(bytes, BytesOfTile(taken));
        }
        std::erase_if(befores_,
                      [&](const Before& one) { return one.tile == stored; });
      }
      result = taken;
    }
  }

  // Whether a tile without rows begins to live behind work on tiles with rows,
  // in which the last turn's stores end.
  bool IsAfterRows(int tile) const {
    const Life& life = lives_[tile];
    if (!LayoutOfTile(tile).is_flat()) return false;
    int work = 0;
    for (const auto& stmt : *life.block) {
      if (stmt.get() == life.first) break;
      if (stmt->kind != StmtKind::kCompute) continue;
      work += ir::AnyTileRead(
          *stmt, [&](int one) { return !LayoutOfTile(one).is_flat(); });
    }
    return work >= kWorkBefore;
  }

  // Of the queue that the tile is in.
  Int& BytesOfSlot(int tile) {
    return std::find_if(plan_.queues.begin(), plan_.queues.end(),
                        [&](const auto& one) {
                          return one.name == plan_.tiles[tile].container;
                        })
        ->bytes;
  }

  // A slot of a loaded tile that is dead when `tile` begins to live.
  Slot* FindSlot(int tile, bool in_place) {
    const auto found =
        std::find_if(slots_.begin(), slots_.end(), [&](const Slot& slot) {
          const Life& life = lives_[tile];
          if (!BelongsTo(tile, lives_[slot.tile].block) ||
              kernel_.tiles[tile].dtype != kernel_.tiles[slot.tile].dtype ||
              !ir::Same(slot.elements, LayoutOfTile(tile).elements)) {
            return false;
          }
          if (in_place) {
            return slot.free_from == life.begin + 1 &&
                   TakesOver(tile, slot.last_tile);
          }
          return slot.free_from <= life.begin;
        });
    return found == slots_.end() ? nullptr : &*found;
  }

  void Enter(int tile, Slot& slot) {
    MakeGuest(tile, slot.tile);
    slot.free_from = lives_[tile].end + 1;
    slot.last_tile = tile;
    slot.last = lives_[tile].last;
  }

  bool CanEnterBefore(int tile, const Before& one) const {
    const Life& life = lives_[tile];
    return BelongsTo(tile, lives_[one.tile].block) &&
           ir::Same(LayoutOfTile(one.tile).elements,
                    LayoutOfTile(tile).elements) &&
           one.free_from <= life.begin && life.end < lives_[one.tile].begin &&
           IsAfterWork(life, one.tile);
  }

  // `tile` and what is computed in place of it, one after the other.
  std::vector<int> InPlaceFrom(int tile) const {
    std::vector<int> chain = {tile};
    for (;;) {
      const ir::Stmt& stmt = *lives_[chain.back()].last;
      if (stmt.kind != StmtKind::kCompute || stmt.results.size() != 1 ||
          !BelongsTo(stmt.results[0], lives_[tile].block) ||
          !TakesOver(stmt.results[0], chain.back()) ||
          EndsBesideAnother(chain.back())) {
        return chain;
      }
      chain.push_back(stmt.results[0]);
    }
  }

  // Puts `tile`, and what is computed in place of it, into the one slot of a
  // tile that is stored later, whose last store ends while the turn begins;
  // if the last of them is only reduced, or nothing is computed in place of it.
  bool EnterBefore(int tile) {
    const std::vector<int> chain = InPlaceFrom(tile);
    const std::vector<Occurrence> reads = ReadsOf(chain.back());
    if (!std::all_of(reads.begin(), reads.end(), IsReductionOf) &&
        !EndsBesideAnother(chain.back())) {
      return false;
    }
    const int end = lives_[chain.back()].end;
    const auto found =
        std::find_if(befores_.begin(), befores_.end(), [&](const Before& one) {
          return CanEnterBefore(tile, one) && end < lives_[one.tile].begin;
        });
    if (found == befores_.end()) return false;
    for (const int one : chain) MakeGuest(one, found->tile);
    found->free_from = end + 1;
    const size_t bytes = BytesOf(kernel_.tiles[tile].dtype);
    if (bytes > found->bytes) {
      found->bytes = bytes;
      plan_.queues[found->queue].bytes = BytesOfTile(tile);
    }
    return true;
  }

  // Rows that are only summed up need no memory for all of them: some lie in
  // the slot of a loaded tile that is dead, or of one that is stored later
  // (half as large, or as large), or in a buffer of their own.
  bool MakeInParts(int tile) {
    const ir::Stmt* reduction = ReductionOfParts(kernel_, at_, lives_, tile);
    if (reduction == nullptr) return false;
    const Layout& layout = LayoutOfTile(tile);
    Parts parts = {lives_[tile].assigned, RowsOfPart(layout), layout.pitch};
    if (const int host = EnterHalf(tile); host >= 0) {
      parts.step = RowsOfHalf(layout);
      plan_.halves = "halves";
      while (kernel_.used_names.contains(plan_.halves)) plan_.halves += "_";
      const Int halves = Int::Name(plan_.halves);
      parts.width = WidthOfHalves(layout, halves);
      const Int half = BytesOfHalf(layout, halves);
      Int& bytes = BytesOfSlot(host);
      bytes = ir::Same(bytes, BytesOfTile(host)) ? half : Max(bytes, half);
    } else if (const int result = ResultBehind(kernel_, lives_, plan_, tile);
               result >= 0) {
      MakeGuest(tile, result);
    } else {
      parts.width = Min(layout.pitch, kElementsOfParts);
      plan_.tiles[tile].container = "parts_buffer";
      parts_bytes_ = kElementsOfParts * int64_t{sizeof(float)};
    }
    plan_.done_by_next.insert(parts.made);
    plan_.parts[reduction] = std::move(parts);
    return true;
  }

  // Makes `tile` a guest of one with as many elements of two bytes, whose
  // number it gives; -1: there is none.
  int EnterHalf(int tile) {
    const auto is_half = [&](int host) {
      return 2 * BytesOf(kernel_.tiles[host].dtype) ==
                 BytesOf(kernel_.tiles[tile].dtype) &&
             ir::Same(LayoutOfTile(host).elements, LayoutOfTile(tile).elements);
    };
    const Life& life = lives_[tile];
    const auto slot =
        std::find_if(slots_.begin(), slots_.end(), [&](const Slot& one) {
          return is_half(one.tile) && BelongsTo(tile, lives_[one.tile].block) &&
                 one.free_from <= life.begin;
        });
    if (slot != slots_.end()) {
      Enter(tile, *slot);
      return slot->tile;
    }
    const auto found =
        std::find_if(befores_.begin(), befores_.end(), [&](const Before& one) {
          return is_half(one.tile) && one.bytes < sizeof(float) &&
                 CanEnterBefore(tile, one);
        });
    if (found == befores_.end()) return -1;
    MakeGuest(tile, found->tile);
    found->free_from = life.end + 1;
    return found->tile;
  }

  // Whether what reads the tile last writes over another operand, which ends
  // there as well, so that nothing is computed in place of the tile.
  bool EndsBesideAnother(int tile) const {
    const ir::Stmt& stmt = *lives_[tile].last;
    if (stmt.kind != StmtKind::kCompute || stmt.results.size() != 1) {
      return false;
    }
    return ir::AnyTileRead(stmt, [&](int operand) {
      const int other = RootOf(operand);
      return other != tile && plan_.tiles[other].home == Home::kBuffer &&
             lives_[other].block == lives_[tile].block &&
             TakesOver(stmt.results[0], other);
    });
  }

  // Whether the vector unit has something to do before the tile begins to live
  // in its turn.
  bool IsAfterWork(const Life& life, int stored) const {
    return StatementsBefore(lives_.layouts(), *life.block, life.first,
                            stored) >= kWorkBefore;
  }

  void CloseQueues() {
    std::map<int, const ir::Stmt*> last;
    for (const Slot& slot : slots_) {
      if (slot.last != nullptr) last[slot.tile] = slot.last;
    }
    for (const int tile : queued_) {
      const auto guest = last.find(tile);
      const ir::Stmt* stmt =
          guest != last.end() ? guest->second : lives_[tile].last;
      plan_.close_after[stmt].push_back(tile);
    }
  }

  void GoDirectly(int tile) {
    Storage& storage = plan_.tiles[tile];
    storage.home = Home::kBuffer;
    storage.direct = true;
    storage.container = kernel_.tiles[tile].name + "_buffer";
    plan_.buffers.push_back({storage.container, BytesOfTile(tile)});
  }

  // Linear scan: tiles by when they begin to live; a buffer serves the next
  // tile of as many elements once its last one is dead.
  void MakeBuffers() {
    std::vector<int> order;
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
      if (plan_.tiles[id].home == Home::kBuffer && !plan_.tiles[id].direct) {
        order.push_back(static_cast<int>(id));
      }
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return lives_[a].begin < lives_[b].begin;
    });
    std::vector<Shared> buffers;
    for (const int tile : order) Deal(tile, buffers);
    std::set<std::string> rows;  // one number for each row on lanes
    for (const Shared& buffer : buffers) {
      if (CountsLanes(buffer.elements, lives_.padding()))
        rows.insert(buffer.name);
      const Int own = AlignUp(buffer.elements * buffer.bytes, kPeriodOfBanks);
      plan_.buffers.push_back(
          {buffer.name, buffer.others.Is(0) ? own : Max(own, buffer.others)});
    }
    if (!parts_bytes_.Is(0)) {
      plan_.buffers.push_back({"parts_buffer", parts_bytes_});
    }
    FindSpares(kernel_, at_, lives_, plan_);
    const Layouts& layouts = lives_.layouts();
    if (ArrangePlaces(kernel_, layouts, plan_)) return;
    ArrangeSides(kernel_, layouts, rows, plan_);
    MoveOperandsOfFunctions(kernel_, layouts, plan_);
  }

  // Columns of rows on lanes that are only summed up need half their memory.
  bool IsMadeByColumns(int tile) {
    if (!LayoutOfTile(tile).on_lanes || lives_[tile].assigned == nullptr) {
      return false;
    }
    const ir::Stmt* reduction = ReductionOfParts(kernel_, at_, lives_, tile);
    if (reduction == nullptr) return false;
    plan_.parts[reduction].made = lives_[tile].assigned;
    plan_.done_by_next.insert(lives_[tile].assigned);
    return true;
  }

  void Deal(int tile, std::vector<Shared>& buffers) {
    if (plan_.tiles[tile].home == Home::kGuest) return;
    const Life& life = lives_[tile];
    const bool by_columns = IsMadeByColumns(tile);
    const auto own = static_cast<int64_t>(BytesOf(kernel_.tiles[tile].dtype));
    const int64_t bytes = by_columns ? own / 2 : own;
    const Int elements = LayoutOfTile(tile).elements;
    Shared* chosen = nullptr;
    for (Shared& buffer : buffers) {
      const bool free =
          buffer.free_from <= life.begin && ir::Same(buffer.elements, elements);
      const bool in_place = buffer.free_from == life.begin + 1 &&
                            TakesOver(tile, buffer.last_tile);
      if (!free && !in_place) continue;
      // In place first, then the buffer whose elements are as large.
      if (chosen == nullptr || in_place ||
          (chosen->bytes != bytes && buffer.bytes == bytes)) {
        chosen = &buffer;
        if (in_place) break;
      }
    }
    const bool in_place =
        chosen != nullptr && chosen->free_from == life.begin + 1;
    Slot* slot = in_place || by_columns ? nullptr : FindSlot(tile, true);
    if (slot == nullptr && chosen == nullptr && !by_columns) {
      slot = FindSlot(tile, false);
    }
    if (slot != nullptr) return Enter(tile, *slot);
    if (chosen == nullptr && !by_columns &&
        (MakeInParts(tile) || EnterBefore(tile))) {
      return;
    }
    if (chosen == nullptr) {
      const auto free =
          std::find_if(buffers.begin(), buffers.end(), [&](const Shared& one) {
            return one.free_from <= life.begin &&
                   (buffers.size() >= kManyBuffers ||
                    lives_.AreApart(one.first_tile, tile));
          });
      if (free != buffers.end()) {
        const Int needed = BytesOfTile(tile);
        free->others = free->others.Is(0) ? needed : Max(free->others, needed);
        free->free_from = life.end + 1;
        free->last_tile = tile;
        plan_.tiles[tile].container = free->name;
        return;
      }
    }
    if (chosen == nullptr) {
      buffers.push_back({elements, bytes, 0,
                         kernel_.tiles[tile].name + "_buffer", tile, tile});
      chosen = &buffers.back();
    }
    chosen->bytes = std::max(chosen->bytes, bytes);
    chosen->free_from = life.end + 1;
    if (in_place) plan_.tiles[tile].over = chosen->last_tile;
    chosen->last_tile = tile;
    plan_.tiles[tile].container = chosen->name;
  }

  // Whether the statement that assigns `tile` first is the last one that reads
  // `other`, and may write over it, or over the rows that it begins with.
  bool TakesOver(int tile, int other) const {
    const ir::Stmt* stmt = lives_[tile].assigned;
    if (stmt == nullptr || lives_[tile].first != stmt) return false;
    if (lives_[other].last != stmt) return false;
    if (BytesOf(kernel_.tiles[tile].dtype) !=
        BytesOf(kernel_.tiles[other].dtype)) {
      return false;
    }
    bool reads = false;
    for (size_t i = 0; i < stmt->operands.size(); ++i) {
      const int* operand = std::get_if<int>(&stmt->operands[i]);
      if (operand == nullptr || RootOf(*operand) != other) continue;
      reads = true;
      if (!lives_.BeginsAsRoot(*operand) ||
          !SamePlaces(LayoutOfTile(*operand), LayoutOfTile(tile)) ||
          !RunsInPlace(kernel_, *stmt, i)) {
        return false;
      }
    }
    return reads;
  }

  const ir::Kernel& kernel_;
  Occurrences at_;
  Lives lives_;
  StoragePlan plan_;
  std::vector<int> queued_;        // tiles in queues
  std::set<std::string> doubled_;  // queues of two slots
  std::vector<Slot> slots_;
  std::vector<Before> befores_;
  std::set<int> joined_;  // tiles that no memory is needed for
  Int parts_bytes_ = 0;   // 0: there is no such buffer
};

}  // namespace

StoragePlan PlanStorage(const ir::Kernel& kernel) {
  return Planner(kernel).Run();
}

}  // namespace belay::crux::select
