// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_OCCURRENCES_H_
#define BELAY_CRUX_SELECT_OCCURRENCES_H_

// Where the tiles of a kernel are assigned and read.

#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "crux/ir/tile.h"

namespace belay::crux::select {

struct Occurrence {
  const ir::Stmt* stmt = nullptr;
  const ir::Block* block = nullptr;  // the statement stands in
  int number = 0;                    // of the statement: Occurrences::First
  bool assigns = false;
  bool is_position = false;  // says where elements are taken or put
};

// A block and the statement it belongs to.
struct BlockPlace {
  const ir::Block* parent = nullptr;  // null for the kernel's body
  const ir::Stmt* stmt = nullptr;     // in parent
  int depth = 0;
  bool in_loop = false;  // the block, or one around it, is a loop's
};

class Occurrences {
 public:
  explicit Occurrences(const ir::Kernel& kernel);

  // In order of execution.
  std::span<const Occurrence> Of(int tile) const {
    return std::span(occurrences_)
        .subspan(begins_[tile], begins_[tile + 1] - begins_[tile]);
  }
  int Assignments(int tile) const;
  const BlockPlace& PlaceOf(const ir::Block* block) const {
    return blocks_.at(block);
  }
  // Statements in order of execution: its own number, and the last one inside.
  int First(const ir::Stmt* stmt) const { return SpanOf(stmt).first; }
  int Last(const ir::Stmt* stmt) const { return SpanOf(stmt).last; }

  // The innermost block that holds both.
  const ir::Block* Common(const ir::Block* a, const ir::Block* b) const;
  // The statement of `block` that is, or holds, a statement of `inner`.
  const ir::Stmt* Within(const ir::Block* block, const ir::Stmt* stmt,
                         const ir::Block* inner) const;

 private:
  struct Span {
    const ir::Stmt* stmt = nullptr;
    int first = 0;
    int last = 0;
  };
  using OfTile = std::pair<int, Occurrence>;

  void Visit(const ir::Block& block, const BlockPlace& place,
             std::vector<OfTile>& seen);
  void SortByTile(const std::vector<OfTile>& seen, size_t tiles);
  const Span& SpanOf(const ir::Stmt* stmt) const;

  std::vector<Occurrence> occurrences_;  // by tile
  std::vector<size_t> begins_;           // of a tile's; the last: of none
  std::unordered_map<const ir::Block*, BlockPlace> blocks_;
  std::vector<Span> spans_;  // by the address of the statement
  int next_ = 0;
};

// Whether the tile is assigned once and then stored once, in the same block,
// and nothing else is done with it.
bool IsOnlyStored(const Occurrences& at, int tile);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_OCCURRENCES_H_
