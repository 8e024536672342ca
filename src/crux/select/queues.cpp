// SPDX-License-Identifier: Apache-2.0
#include "crux/select/queues.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "crux/passes/walk.h"
#include "crux/select/overlaps.h"
#include "crux/select/vector.h"
#include "crux/select/work.h"

namespace belay::crux::select {
namespace {

using ir::StmtKind;

// Events of a pair of pipes that queues may take; two are left for flags.
constexpr int kMostEvents = 6;

class QueueSharer {
 public:
  QueueSharer(const ir::Kernel& kernel, const Occurrences& at,
              const Lives& lives, const StoragePlan& plan)
      : kernel_(kernel), at_(at), lives_(lives), plan_(plan) {}

  std::vector<SharedQueue> Run(Home home) {
    const NumbersMoved& numbers = plan_.numbers;
    const bool others = home == Home::kQueueIn    ? !numbers.loaded.empty()
                        : home == Home::kQueueOut ? !numbers.stored.empty()
                                                  : false;
    most_events_ = kMostEvents - (others ? 1 : 0);
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
      rows_behind_.push_back(FindRowsBehind(static_cast<int>(id)));
    }
    // Small tiles of one turn are not worth waiting for each other's slots.
    std::vector<std::vector<int>> groups = QueueGroups(home, false);
    std::vector<int> depths = DepthsOf(groups);
    PutOutside(groups, depths);
    if (std::accumulate(depths.begin(), depths.end(), 0) > most_events_) {
      groups = QueueGroups(home, true);
      depths = DepthsOf(groups);
    }
    LimitDepths(groups, depths);
    std::vector<SharedQueue> queues;
    bool taken = false;
    int most = 0;  // slots of a queue whose slots the host may choose
    for (size_t i = 0; i < groups.size(); ++i) {
      if (MayHaveOne(groups[i])) most = std::max(most, std::min(depths[i], 2));
    }
    for (size_t i = 0; i < groups.size(); ++i) {
      const int tile = groups[i][0];
      const bool if_room =
          depths[i] == 3 && !IsFlat(tile) && !IsSmall(tile) && !KeepsRows(tile);
      if (if_room && taken) depths[i] = 2;
      queues.push_back({groups[i], depths[i], if_room && !taken,
                        depths[i] >= most && MayHaveOne(groups[i]),
                        RowsBefore(groups[i])});
      std::vector<int>& tiles = queues.back().tiles;
      tiles.insert(tiles.end(), queues.back().before.begin(),
                   queues.back().before.end());
      taken = taken || if_room;
    }
    return queues;
  }

 private:
  // What moves once needs no queue where there are too many.
  void PutOutside(const std::vector<std::vector<int>>& groups,
                  std::vector<int>& depths) const {
    for (size_t i = groups.size(); i-- > 0;) {
      const int all = std::accumulate(depths.begin(), depths.end(), 0);
      if (all <= most_events_) return;
      const bool once = std::none_of(
          groups[i].begin(), groups[i].end(),
          [&](int tile) { return at_.PlaceOf(lives_[tile].block).in_loop; });
      if (once) depths[i] = 0;
    }
  }

  std::vector<int> DepthsOf(const std::vector<std::vector<int>>& groups) const {
    std::vector<int> depths;
    for (const std::vector<int>& tiles : groups) {
      depths.push_back(SlotsFor(tiles));
    }
    if (std::count(depths.begin(), depths.end(), 3) == 0) return depths;
    // A large tile is not to wait for a small one's slot, loaded before it.
    for (size_t i = 0; i < groups.size(); ++i) {
      const int tile = groups[i][0];
      if (depths[i] == 2 && (IsSmall(tile) || HasNumbersOfRows(tile))) {
        depths[i] = 3;
      }
    }
    int all = std::accumulate(depths.begin(), depths.end(), 0);
    // What is loaded for many turns may lose its second slot.
    for (size_t i = 0; i < groups.size(); ++i) {
      if (depths[i] == 2 && IsBeforeCores(groups[i][0])) --all;
    }
    if (all > most_events_) std::replace(depths.begin(), depths.end(), 3, 2);
    return depths;
  }

  bool IsFlat(int tile) const { return lives_.LayoutOf(tile).is_flat(); }

  // Whether a loaded tile has rows of the last turn's: smaller pieces then load
  // no more.
  bool KeepsRows(int tile) const {
    const ir::Stmt* loop = at_.PlaceOf(lives_[tile].block).stmt;
    return loop != nullptr && loop->kind == StmtKind::kLoop &&
           OverlapOf(kernel_, lives_.layouts(), *loop->loop,
                     *lives_[tile].assigned);
  }

  // Whether rows go through the queue, one at least at a time. A second reading
  // takes longer than one slot makes wait, but rows that are only loaded are
  // not read again as a rule.
  bool MayHaveOne(const std::vector<int>& tiles) const {
    const auto& parameters = kernel_.parameters;
    const int tile = tiles[0];
    if (tiles.size() != 1 || parameters.size() != 1 ||
        parameters[0].role != ir::TileParameter::Role::kRows ||
        parameters[0].unit != 1 || !GrowsWithRow(tile) ||
        !at_.PlaceOf(lives_[tile].block).in_loop) {
      return false;
    }
    if (plan_.tiles[tile].home == Home::kQueueOut) return true;
    return plan_.tiles[tile].home == Home::kQueueIn && !KeepsRows(tile) &&
           StoresAsLarge(tile);
  }

  // Whether one row is more than a few numbers.
  bool GrowsWithRow(int tile) const {
    std::set<std::string> names;
    CollectNames(lives_.BytesOf(tile), names);
    names.erase(kernel_.parameters[0].name);
    return !names.empty();
  }

  // Whether tiles as large are stored where `loaded` is loaded.
  bool StoresAsLarge(int loaded) const {
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
      const int tile = static_cast<int>(id);
      if (plan_.tiles[id].home == Home::kQueueOut &&
          lives_[tile].block == lives_[loaded].block &&
          ir::Same(lives_.LayoutOf(tile).elements,
                   lives_.LayoutOf(loaded).elements)) {
        return true;
      }
    }
    return false;
  }

  // Two where the next tile moves while this one is worked on. One is enough
  // where the vector unit has so much to do that the move ends in time: beside
  // all but the conversion that reads (or makes) the tile. Three where work and
  // moves take about as long as each other: of tiles with rows, of which fewer
  // would fit, only where memory is left, or where rows stay on chip.
  int SlotsFor(std::vector<int> tiles) const {
    // What is loaded once for many turns has them to be loaded in.
    std::erase_if(tiles, [&](int tile) { return IsRowOfInner(tile); });
    if (tiles.empty() || !at_.PlaceOf(lives_[tiles[0]].block).in_loop) return 1;
    // What is stored once for many turns has them to be stored in.
    if (std::all_of(tiles.begin(), tiles.end(), [&](int tile) {
          return plan_.tiles[tile].home == Home::kQueueOut &&
                 HoldsTurns(*lives_[tile].block);
        })) {
      return 1;
    }
    // The last turn's store ends before all of this turn is turned back.
    const bool turned = std::all_of(tiles.begin(), tiles.end(), [&](int tile) {
      return lives_[tile].assigned->kind == StmtKind::kTurnBack;
    });
    if (turned) return 1;
    const bool spare = std::all_of(tiles.begin(), tiles.end(), [&](int tile) {
      if (IsSmall(tile) || !IsOnlyConverted(tile)) return false;
      const auto& is_enough = plan_.tiles[tile].home == Home::kQueueOut
                                  ? IsStoredBesideWork
                                  : IsHeldByVectors;
      return is_enough(kernel_, lives_.layouts(), *lives_[tile].block, tile);
    });
    if (spare) return 1;
    const bool three = plan_.tiles[tiles[0]].home == Home::kQueueIn &&
                       tiles.size() == 1 && !IsSmall(tiles[0]) &&
                       !kernel_.parameters.empty() &&
                       IsHeldByBoth(kernel_, lives_.layouts(),
                                    *lives_[tiles[0]].block, tiles[0]);
    return three ? 3 : 2;
  }

  bool IsSmall(int tile) const {
    return lives_.BytesOf(tile).Is(kPeriodOfBanks);
  }

  // Whether it has one number for each row, loaded before all of their pieces.
  bool HasNumbersOfRows(int tile) const {
    const Layout& layout = lives_.LayoutOf(tile);
    return layout.last >= 0 && layout.is_flat() && IsBeforeCores(tile) &&
           CountsRows(kernel_, layout.dims[layout.last].capacity);
  }

  // Whether a loop in order that loads is part of the block.
  static bool HoldsTurns(const ir::Block& block) {
    return std::any_of(block.begin(), block.end(), [](const auto& stmt) {
      return stmt->kind == StmtKind::kLoop && !stmt->loop->cores &&
             (HoldsTurns(stmt->loop->body) ||
              std::any_of(stmt->loop->body.begin(), stmt->loop->body.end(),
                          [](const auto& inner) {
                            return inner->kind == StmtKind::kLoad;
                          }));
    });
  }

  // Whether a loaded tile is read, or a stored one made, by a conversion alone.
  // Reductions may read the loaded one as well.
  bool IsOnlyConverted(int tile) const {
    const auto converts = [&](const ir::Stmt& stmt) {
      return (stmt.kind == StmtKind::kCompute && stmt.op == Op::kTo) ||
             stmt.kind == StmtKind::kTurn;
    };
    if (plan_.tiles[tile].home == Home::kQueueOut) {
      return converts(*lives_[tile].assigned);
    }
    const std::vector<Occurrence> reads = lives_.ReadsOf(tile);
    const auto conversions = std::count_if(
        reads.begin(), reads.end(),
        [&](const Occurrence& one) { return converts(*one.stmt); });
    return plan_.tiles[tile].home == Home::kQueueIn && conversions == 1 &&
           std::all_of(reads.begin(), reads.end(), [&](const Occurrence& one) {
             return one.block == lives_[tile].block &&
                    (converts(*one.stmt) || passes::IsReduction(*one.stmt));
           });
  }

  // Whether `row`, loaded, is as long as the rows of `rows`, which is loaded in
  // a loop behind it.
  bool IsRowBefore(int row, int rows) const {
    if (plan_.tiles[rows].home != Home::kQueueIn || row == rows) return false;
    const Layout& small = lives_.LayoutOf(row);
    const Layout& large = lives_.LayoutOf(rows);
    return small.last >= 0 && small.is_flat() && !large.is_flat() &&
           ir::Same(small.dims[small.last].capacity,
                    large.dims[large.last].capacity) &&
           at_.First(lives_[row].first) < lives_[rows].begin &&
           lives_[row].block != lives_[rows].block &&
           at_.Common(lives_[row].block, lives_[rows].block) ==
               lives_[row].block;
  }

  // The tile of rows whose slots a row goes through that only one statement
  // reads, alone, before these are loaded: a gamma to be converted; -1: none.
  int RowsBehind(int row) const { return rows_behind_[row]; }
  int FindRowsBehind(int row) const {
    const ir::Stmt* reader = lives_[row].last;
    if (plan_.tiles[row].home != Home::kQueueIn ||
        at_.PlaceOf(lives_[row].block).in_loop ||
        reader->operands.size() != 1 || lives_.FirstReader(row) != reader) {
      return -1;
    }
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
      const int rows = static_cast<int>(id);
      if (IsRowBefore(row, rows) && lives_[row].end < lives_[rows].begin &&
          kernel_.tiles[row].dtype == kernel_.tiles[rows].dtype &&
          !plan_.numbers.Has(rows)) {
        return rows;
      }
    }
    return -1;
  }

  std::set<int> RowsBefore(const std::vector<int>& group) const {
    std::set<int> before;
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
      const int row = static_cast<int>(id);
      if (std::find(group.begin(), group.end(), RowsBehind(row)) !=
          group.end()) {
        before.insert(row);
      }
    }
    return before;
  }

  // Whether it is loaded between loops over cores that are one space.
  bool IsBeforeCores(int tile) const {
    const ir::Block& block = *lives_[tile].block;
    return plan_.tiles[tile].home == Home::kQueueIn &&
           std::any_of(block.begin(), block.end(), [](const auto& stmt) {
             return stmt->kind == StmtKind::kLoop && stmt->loop->cores;
           });
  }

  bool IsRowOfInner(int row) const {
    if (plan_.tiles[row].home != Home::kQueueIn) return false;
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
      if (IsRowBefore(row, static_cast<int>(id))) return true;
    }
    return false;
  }

  // Tiles that can go through one queue: as large as each other, or pieces, in
  // loops of which one ends before the next begins. Small ones of a loop in the
  // other's only if `all`.
  std::vector<std::vector<int>> QueueGroups(Home home, bool all) const {
    std::vector<int> order;
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
      const int tile = static_cast<int>(id);
      if (plan_.tiles[id].home == home && !plan_.numbers.Has(tile) &&
          RowsBehind(tile) < 0) {
        order.push_back(tile);
      }
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return lives_[a].begin < lives_[b].begin;
    });
    std::vector<std::vector<int>> groups;
    for (const int tile : order) {
      const auto follows = [&](const std::vector<int>& group) {
        return Follows(group.back(), tile, all) &&
               ir::Same(lives_.BytesOf(group[0]), lives_.BytesOf(tile));
      };
      const auto found = std::find_if(groups.begin(), groups.end(), follows);
      if (found != groups.end()) {
        found->push_back(tile);
      } else {
        groups.push_back({tile});
      }
    }
    JoinPieces(groups);
    return groups;
  }

  // Whether `tile` may be next in the queue that `last` was in.
  bool Follows(int last, int tile, bool all) const {
    const ir::Block* before = lives_[last].block;
    const ir::Block* behind = lives_[tile].block;
    return lives_[last].end < lives_[tile].begin && before != behind &&
           at_.PlaceOf(before).in_loop && at_.PlaceOf(behind).in_loop &&
           (all || !IsSmall(tile) || at_.Common(before, behind) != before) &&
           !IsTurned(last) && !IsTurned(tile);
  }

  // Whether lists of addresses are kept for each slot of its queue, whose turns
  // its own loop counts.
  bool IsTurned(int tile) const {
    const auto turns = [](const ir::Stmt& stmt) {
      return stmt.kind == StmtKind::kTurn || stmt.kind == StmtKind::kTurnBack;
    };
    const std::vector<Occurrence> reads = lives_.ReadsOf(tile);
    return turns(*lives_[tile].assigned) ||
           std::any_of(reads.begin(), reads.end(),
                       [&](const Occurrence& one) { return turns(*one.stmt); });
  }

  // Pieces of loops that follow each other go through one queue, too.
  void JoinPieces(std::vector<std::vector<int>>& groups) const {
    for (size_t i = 0; i < groups.size(); ++i) {
      for (size_t j = i + 1; j < groups.size();) {
        const int last = groups[i].back();
        const int next = groups[j].front();
        if (Follows(last, next, false) && lives_.AreApart(last, next)) {
          groups[i].insert(groups[i].end(), groups[j].begin(), groups[j].end());
          groups.erase(groups.begin() + static_cast<ptrdiff_t>(j));
        } else {
          ++j;
        }
      }
    }
  }

  // Every buffer of a queue may hold an event of its pair of pipes. The last
  // queues get one buffer, those of tiles with fewer axes first, then none.
  void LimitDepths(const std::vector<std::vector<int>>& groups,
                   std::vector<int>& depths) const {
    std::vector<size_t> last_first(groups.size());
    std::iota(last_first.rbegin(), last_first.rend(), size_t{0});
    std::vector<size_t> by_axes = last_first;
    std::stable_sort(by_axes.begin(), by_axes.end(), [&](size_t a, size_t b) {
      return AxesOf(groups[a][0]) < AxesOf(groups[b][0]);
    });
    const auto limit = [&](const std::vector<size_t>& order, int least) {
      for (const size_t i : order) {
        const int all = std::accumulate(depths.begin(), depths.end(), 0);
        if (all <= most_events_) return;
        if (depths[i] == least + 1) depths[i] = least;
      }
    };
    limit(by_axes, 1);
    limit(last_first, 0);
  }

  // Of more than one element.
  int AxesOf(int tile) const {
    const auto& dims = kernel_.tiles[tile].dims;
    return static_cast<int>(
        std::count_if(dims.begin(), dims.end(),
                      [](const ir::Dim& dim) { return !dim.is_one(); }));
  }

  const ir::Kernel& kernel_;
  const Occurrences& at_;
  const Lives& lives_;
  const StoragePlan& plan_;
  int most_events_ = kMostEvents;  // less that of numbers_of_turns.h
  std::vector<int> rows_behind_;   // by tile
};

}  // namespace

std::vector<SharedQueue> ShareQueues(const ir::Kernel& kernel,
                                     const Occurrences& at, const Lives& lives,
                                     const StoragePlan& plan, Home home) {
  return QueueSharer(kernel, at, lives, plan).Run(home);
}

}  // namespace belay::crux::select
