// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_STORAGE_H_
#define BELAY_CRUX_SELECT_STORAGE_H_

// Where every tile lives: loaded ones in queues into the vector unit, stored
// ones in queues out of it, the rest in buffers that tiles share when they do
// not live at the same time. Tiles that a stored one is computed in place of
// lie where it lies, and others where a loaded tile lay that nobody reads any
// more.
//
// Wants what passes/stages.h makes: a loaded tile is assigned once and used in
// its own block only; a stored tile is assigned once, in the block of its
// stores.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "crux/ir/code.h"
#include "crux/ir/tile.h"
#include "crux/select/running_sums.h"

namespace belay::crux::select {

enum class Home : uint8_t {
  kNone,      // never assigned
  kQueueIn,   // loaded
  kQueueOut,  // computed, then stored
  kBind,      // loaded and stored, nothing else
  kBuffer,
  kGuest,  // in the slot of a queue that another tile has
  kAlias,  // another tile's elements
};

struct Storage {
  Home home = Home::kNone;
  std::string container;  // queue or buffer
  int root = -1;          // the tile whose memory it is; itself if no alias
  int host = -1;          // kGuest: the loaded or stored tile
  // Loaded or stored, but in a buffer of its own: a pair of pipes has too few
  // events for another queue. Flags stand around the move.
  bool direct = false;
  int over = -1;      // kBuffer: the tile it is computed in place of
  int64_t shift = 0;  // kBuffer: bytes from the buffer's begin
};

// Rows that are only reduced are made a few at a time, by the reduction.
struct Parts {
  const ir::Stmt* made = nullptr;  // how
  ir::Int step;                    // rows at a time
  ir::Int width;                   // elements of them at a time
};

// Tiles that are moved for several turns at once (numbers_of_turns.h).
struct NumbersMoved {
  const ir::Loop* loop = nullptr;
  std::vector<int> loaded;
  std::vector<int> stored;

  bool Has(int tile) const;
};

struct StoragePlan {
  std::vector<Storage> tiles;  // by id
  std::vector<code::Queue> queues;
  std::string last_if_room;             // the queue that may have one slot less
  std::set<std::string> slots_by_host;  // queues that have as many
  std::vector<code::Buffer> buffers;
  // Loaded tiles are taken out of their queue before this statement (of the
  // block that loads them); tiles in queues are given back after that one, when
  // their guests are dead, too.
  std::map<const ir::Stmt*, std::vector<int>> open_before;
  // Loads of tiles that share a slot with others: done then, not before.
  std::map<int, const ir::Stmt*> late;
  std::map<const ir::Stmt*, std::vector<int>> close_after;
  // Reductions of slices (FoldsSlices) that may use memory of as many elements
  // as what they reduce, of 16 bits for 32, of 32 for 16: a buffer in which no
  // tile lives then; empty: what they reduce, which nobody reads behind them.
  std::map<const ir::Stmt*, std::string> spare;
  std::map<const ir::Stmt*, Parts> parts;  // by reduction
  // A host value: halves of a single row that are made at a time; or empty.
  std::string halves;
  // Sums of columns that are made in parts: the stored tile whose slot they may
  // use as well.
  std::map<const ir::Stmt*, int> beside;
  // Sums that convert one of their operands as well: how.
  std::map<const ir::Stmt*, const ir::Stmt*> widened;
  RunningSums running;
  NumbersMoved numbers;
  // Statements whose work the one behind them does.
  std::set<const ir::Stmt*> done_by_next;
};

// Bytes are in terms of host values.
StoragePlan PlanStorage(const ir::Kernel& kernel);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_STORAGE_H_
