// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_OCCURRENCES_H_
#define BELAY_CRUX_SELECT_OCCURRENCES_H_

// Where the tiles of a kernel are assigned and read.

#include <unordered_map>
#include <vector>

#include "crux/ir/tile.h"

namespace belay::crux::select {

struct Occurrence {
  const ir::Stmt* stmt = nullptr;
  const ir::Block* block = nullptr;  // the statement stands in
  bool assigns = false;
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

  const std::vector<Occurrence>& Of(int tile) const { return of_[tile]; }
  int Assignments(int tile) const;
  const BlockPlace& PlaceOf(const ir::Block* block) const {
    return blocks_.at(block);
  }
  // Statements in order of execution: its own number, and the last one inside.
  int First(const ir::Stmt* stmt) const { return spans_.at(stmt).first; }
  int Last(const ir::Stmt* stmt) const { return spans_.at(stmt).second; }

  // The innermost block that holds both.
  const ir::Block* Common(const ir::Block* a, const ir::Block* b) const;
  // The statement of `block` that is, or holds, a statement of `inner`.
  const ir::Stmt* Within(const ir::Block* block, const ir::Stmt* stmt,
                         const ir::Block* inner) const;

 private:
  void Visit(const ir::Block& block, const BlockPlace& place);

  std::vector<std::vector<Occurrence>> of_;
  std::unordered_map<const ir::Block*, BlockPlace> blocks_;
  std::unordered_map<const ir::Stmt*, std::pair<int, int>> spans_;
  int next_ = 0;
};

// Tiles a statement reads, also as indices; those inside it are not counted.
std::vector<int> TilesReadBy(const ir::Stmt& stmt);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_OCCURRENCES_H_
