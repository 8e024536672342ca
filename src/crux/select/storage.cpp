// SPDX-License-Identifier: Apache-2.0
#include "crux/select/storage.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "crux/select/emitter.h"
#include "crux/select/layout.h"
#include "crux/select/occurrences.h"
#include "crux/select/sides.h"
#include "crux/select/work.h"

namespace belay::crux::select {
namespace {

using ir::Int;
using ir::StmtKind;

// Events of a pair of pipes that queues may take; two are left for flags.
constexpr int kMostEvents = 6;

// After so many bytes bank groups repeat.
constexpr int64_t kPeriod = 512;

// When a tile and its aliases live, in terms of the block that holds all their
// statements.
struct Life {
  const ir::Block* block = nullptr;
  const ir::Stmt* first = nullptr;  // in block
  const ir::Stmt* last = nullptr;   // in block
  int begin = std::numeric_limits<int>::max();
  int end = -1;
  const ir::Stmt* assigned = nullptr;  // the first assignment
};

// A buffer while tiles are dealt to it.
struct Shared {
  Int elements;
  int64_t bytes = 0;  // of the largest element
  int free_from = 0;  // number of the first statement that may write it
  std::string name;
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

// From so many buffers on tiles of different sizes share one.
constexpr size_t kManyBuffers = 8;

class Planner {
 public:
  explicit Planner(const ir::Kernel& kernel)
      : kernel_(kernel), at_(kernel), padding_(PaddingOf(kernel)) {
    plan_.tiles.resize(kernel.tiles.size());
  }

  StoragePlan Run() {
    FindRoots();
    FindLives();
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) Classify(id);
    MakeQueues();
    for (const int tile : queued_) HostResults(tile);
    MakeBuffers();
    CloseQueues();
    return std::move(plan_);
  }

 private:
  Layout LayoutOfTile(int id) const {
    return LayoutOf(kernel_.tiles[id].dims, padding_);
  }

  Int BytesOfTile(int id) const {
    const auto size = static_cast<int64_t>(BytesOf(kernel_.tiles[id].dtype));
    return AlignUp(LayoutOfTile(id).elements * size, kPeriod);
  }

  int RootOf(int id) const {
    while (plan_.tiles[id].root >= 0 && plan_.tiles[id].root != id) {
      id = plan_.tiles[id].root;
    }
    return id;
  }

  // A reshape that moves nothing makes its result another name.
  void FindRoots() {
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
      const int tile = static_cast<int>(id);
      plan_.tiles[id].root = tile;
      if (at_.Assignments(tile) != 1) continue;
      const auto& seen = at_.Of(tile);
      const auto assigned =
          std::find_if(seen.begin(), seen.end(),
                       [](const Occurrence& one) { return one.assigns; });
      const ir::Stmt& stmt = *assigned->stmt;
      if (stmt.kind != StmtKind::kReshape) continue;
      const int* source = std::get_if<int>(&stmt.operands[0]);
      if (source == nullptr || at_.Assignments(*source) != 1) continue;
      if (kernel_.tiles[*source].dtype != kernel_.tiles[tile].dtype) continue;
      if (!SamePlaces(LayoutOfTile(*source), LayoutOfTile(tile))) continue;
      plan_.tiles[id].root = *source;
      plan_.tiles[id].home = Home::kAlias;
    }
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
      plan_.tiles[id].root = RootOf(static_cast<int>(id));
    }
  }

  void FindLives() {
    lives_.resize(kernel_.tiles.size());
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
      Life& life = lives_[RootOf(static_cast<int>(id))];
      for (const Occurrence& one : at_.Of(static_cast<int>(id))) {
        life.block = life.block == nullptr ? one.block
                                           : at_.Common(life.block, one.block);
      }
    }
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
      const int root = RootOf(static_cast<int>(id));
      Life& life = lives_[root];
      for (const Occurrence& one : at_.Of(static_cast<int>(id))) {
        const ir::Stmt* held = at_.Within(life.block, one.stmt, one.block);
        if (at_.First(held) < life.begin) {
          life.begin = at_.First(held);
          life.first = held;
        }
        if (at_.Last(held) > life.end) {
          life.end = at_.Last(held);
          life.last = held;
        }
        if (one.assigns && static_cast<int>(id) == root &&
            (life.assigned == nullptr ||
             at_.First(one.stmt) < at_.First(life.assigned))) {
          life.assigned = one.stmt;
        }
      }
    }
  }

  // Statements that read a tile or an alias of it.
  std::vector<Occurrence> ReadsOf(int root) const {
    std::vector<Occurrence> reads;
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
      if (RootOf(static_cast<int>(id)) != root) continue;
      for (const Occurrence& one : at_.Of(static_cast<int>(id))) {
        const bool renames =
            one.stmt->kind == StmtKind::kReshape &&
            plan_.tiles[one.stmt->results[0]].home == Home::kAlias;
        if (!one.assigns && !renames) reads.push_back(one);
      }
    }
    return reads;
  }

  static bool IsStoreOf(const Occurrence& one) {
    return one.stmt->kind == StmtKind::kStore ||
           one.stmt->kind == StmtKind::kAtomicAdd;
  }

  void Classify(size_t id) {
    const int tile = static_cast<int>(id);
    Storage& storage = plan_.tiles[id];
    if (storage.home == Home::kAlias) return;
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
      const std::vector<std::vector<int>> groups = QueueGroups(home);
      std::vector<int> depths;
      for (const std::vector<int>& tiles : groups) {
        depths.push_back(SlotsFor(tiles));
      }
      LimitDepths(depths);
      for (size_t i = 0; i < groups.size(); ++i) {
        if (depths[i] > 0) {
          MakeQueue(groups[i], depths[i]);
        } else {
          for (const int tile : groups[i]) GoDirectly(tile);
        }
      }
    }
  }

  // Two where the next tile moves while this one is worked on. One is enough
  // where the vector unit has so much to do that the move ends in time: beside
  // all but the conversion that reads (or makes) the tile.
  int SlotsFor(const std::vector<int>& tiles) const {
    if (!at_.PlaceOf(lives_[tiles[0]].block).in_loop) return 1;
    const bool spare = std::all_of(tiles.begin(), tiles.end(), [&](int tile) {
      return IsOnlyConverted(tile) &&
             IsHeldByVectors(kernel_, *lives_[tile].block, tile);
    });
    return spare ? 1 : 2;
  }

  // Whether a loaded tile is read, or a stored one made, by a conversion alone.
  bool IsOnlyConverted(int tile) const {
    const auto converts = [&](const ir::Stmt& stmt) {
      return stmt.kind == StmtKind::kCompute && stmt.op == Op::kTo;
    };
    if (plan_.tiles[tile].home == Home::kQueueOut) {
      return converts(*lives_[tile].assigned);
    }
    const std::vector<Occurrence> reads = ReadsOf(tile);
    return plan_.tiles[tile].home == Home::kQueueIn && reads.size() == 1 &&
           reads[0].block == lives_[tile].block && converts(*reads[0].stmt);
  }

  // Tiles that can go through one queue: as large as each other, in loops of
  // which one ends before the next begins.
  std::vector<std::vector<int>> QueueGroups(Home home) const {
    std::vector<int> order;
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
      if (plan_.tiles[id].home == home) order.push_back(static_cast<int>(id));
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return lives_[a].begin < lives_[b].begin;
    });
    std::vector<std::vector<int>> groups;
    for (const int tile : order) {
      const auto follows = [&](const std::vector<int>& group) {
        const Life& last = lives_[group.back()];
        const Life& next = lives_[tile];
        return last.end < next.begin && last.block != next.block &&
               at_.PlaceOf(last.block).in_loop &&
               at_.PlaceOf(next.block).in_loop &&
               ir::Same(BytesOfTile(group[0]), BytesOfTile(tile));
      };
      const auto found = std::find_if(groups.begin(), groups.end(), follows);
      if (found != groups.end()) {
        found->push_back(tile);
      } else {
        groups.push_back({tile});
      }
    }
    return groups;
  }

  // Every buffer of a queue may hold an event of its pair of pipes. The last
  // queues get one buffer, then none.
  static void LimitDepths(std::vector<int>& depths) {
    for (const int least : {1, 0}) {
      for (size_t i = depths.size(); i-- > 0;) {
        const int all = std::accumulate(depths.begin(), depths.end(), 0);
        if (all <= kMostEvents) return;
        if (depths[i] == least + 1) depths[i] = least;
      }
    }
  }

  void MakeQueue(const std::vector<int>& tiles, int depth) {
    const Home home = plan_.tiles[tiles[0]].home;
    code::Queue queue;
    queue.position = home == Home::kQueueIn    ? code::QueuePosition::kIn
                     : home == Home::kQueueOut ? code::QueuePosition::kOut
                                               : code::QueuePosition::kBind;
    queue.depth = depth;
    queue.bytes = BytesOfTile(tiles[0]);
    queue.name = kernel_.tiles[tiles[0]].name + "_queue";
    for (const int tile : tiles) {
      plan_.tiles[tile].container = queue.name;
      queued_.push_back(tile);
      if (home == Home::kQueueIn) Open(tile, lives_[tile]);
      if (home == Home::kQueueIn && depth > 1) {
        slots_.push_back({tile, LayoutOfTile(tile).elements,
                          lives_[tile].end + 1, tile, nullptr});
      }
    }
    if (depth > 1) doubled_.insert(queue.name);
    plan_.queues.push_back(std::move(queue));
  }

  // Whether `tile` is nothing but a value of `block`: assigned once, there.
  bool BelongsTo(int tile, const ir::Block* block) const {
    const Life& life = lives_[tile];
    return plan_.tiles[tile].home == Home::kBuffer &&
           !plan_.tiles[tile].direct && life.block == block &&
           life.first == life.assigned && at_.Assignments(tile) == 1;
  }

  void MakeGuest(int tile, int host) {
    Storage& storage = plan_.tiles[tile];
    storage.home = Home::kGuest;
    storage.host = host;
    storage.container = plan_.tiles[host].container;
  }

  // What a stored tile is computed in place of, and that in place of others,
  // goes into its slot at once. With one slot the vector unit would wait for
  // the last store.
  void HostResults(int stored) {
    if (plan_.tiles[stored].home != Home::kQueueOut ||
        !doubled_.contains(plan_.tiles[stored].container)) {
      return;
    }
    const ir::Block* block = lives_[stored].block;
    for (int result = stored; result >= 0;) {
      int taken = -1;
      for (const int tile : TilesReadBy(*lives_[result].assigned)) {
        const int root = RootOf(tile);
        if (BelongsTo(root, block) && TakesOver(result, root) &&
            kernel_.tiles[root].dtype == kernel_.tiles[stored].dtype) {
          taken = root;
          break;
        }
      }
      if (taken >= 0) MakeGuest(taken, stored);
      result = taken;
    }
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

  void Open(int tile, const Life& life) {
    // Taken out directly before the first statement of its block that needs it.
    const ir::Stmt* first = nullptr;
    for (const auto& stmt : *life.block) {
      if (stmt.get() == life.assigned) continue;
      if (at_.First(stmt.get()) < at_.First(life.assigned)) continue;
      if (Mentions(*stmt, tile)) {
        first = stmt.get();
        break;
      }
    }
    if (first == nullptr) first = life.last;
    plan_.open_before[first].push_back(tile);
  }

  bool Mentions(const ir::Stmt& stmt, int root) const {
    for (const int tile : TilesReadBy(stmt)) {
      if (RootOf(tile) == root) return true;
    }
    const auto any = [&](const ir::Block& block) {
      return std::any_of(block.begin(), block.end(), [&](const auto& inner) {
        return Mentions(*inner, root);
      });
    };
    if (stmt.kind == StmtKind::kLoop) return any(stmt.loop->body);
    return any(stmt.body) || any(stmt.otherwise);
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
    for (const Shared& buffer : buffers) {
      const Int own = AlignUp(buffer.elements * buffer.bytes, kPeriod);
      plan_.buffers.push_back(
          {buffer.name, buffer.others.Is(0) ? own : Max(own, buffer.others)});
    }
    Arrange();
  }

  // What is in front comes first; half a period lies between it and the rest,
  // behind its last buffer: slots of a queue are whole periods apart.
  void Arrange() {
    const std::set<std::string> front = ContainersInFront(kernel_, plan_);
    if (front.empty()) return;
    for (code::Queue& queue : plan_.queues) {
      queue.in_front = front.contains(queue.name);
    }
    const auto behind = std::stable_partition(
        plan_.buffers.begin(), plan_.buffers.end(), [&](code::Buffer& buffer) {
          buffer.in_front = front.contains(buffer.name);
          return buffer.in_front;
        });
    if (behind == plan_.buffers.begin()) {
      plan_.buffers.insert(behind, {"bank_pad", kPeriod / 2, true});
      return;
    }
    code::Buffer& last = *std::prev(behind);
    last.bytes = last.bytes + kPeriod / 2;
  }

  void Deal(int tile, std::vector<Shared>& buffers) {
    const Life& life = lives_[tile];
    const auto bytes = static_cast<int64_t>(BytesOf(kernel_.tiles[tile].dtype));
    const Int elements = LayoutOfTile(tile).elements;
    Shared* chosen = nullptr;
    for (Shared& buffer : buffers) {
      if (!ir::Same(buffer.elements, elements)) continue;
      const bool free = buffer.free_from <= life.begin;
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
    Slot* slot = in_place ? nullptr : FindSlot(tile, true);
    if (slot == nullptr && chosen == nullptr) slot = FindSlot(tile, false);
    if (slot != nullptr) return Enter(tile, *slot);
    if (chosen == nullptr && buffers.size() >= kManyBuffers) {
      const auto free = std::find_if(
          buffers.begin(), buffers.end(),
          [&](const Shared& one) { return one.free_from <= life.begin; });
      if (free != buffers.end()) {
        free->others = Max(free->others, BytesOfTile(tile));
        free->free_from = life.end + 1;
        free->last_tile = tile;
        plan_.tiles[tile].container = free->name;
        return;
      }
    }
    if (chosen == nullptr) {
      buffers.push_back(
          {elements, bytes, 0, kernel_.tiles[tile].name + "_buffer", tile});
      chosen = &buffers.back();
    }
    chosen->bytes = std::max(chosen->bytes, bytes);
    chosen->free_from = life.end + 1;
    chosen->last_tile = tile;
    plan_.tiles[tile].container = chosen->name;
  }

  // Whether the statement that assigns `tile` first is the last one that reads
  // `other`, and may write over it.
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
      if (!SamePlaces(LayoutOfTile(*operand), LayoutOfTile(tile)) ||
          !RunsInPlace(kernel_, *stmt, i)) {
        return false;
      }
    }
    return reads;
  }

  const ir::Kernel& kernel_;
  Occurrences at_;
  int64_t padding_;
  StoragePlan plan_;
  std::vector<Life> lives_;
  std::vector<int> queued_;        // tiles in queues
  std::set<std::string> doubled_;  // queues of two slots
  std::vector<Slot> slots_;
};

}  // namespace

StoragePlan PlanStorage(const ir::Kernel& kernel) {
  return Planner(kernel).Run();
}

}  // namespace belay::crux::select
