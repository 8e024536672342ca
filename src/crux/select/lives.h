// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_LIVES_H_
#define BELAY_CRUX_SELECT_LIVES_H_

// When tiles live, and which are other names of a tile's elements.

#include <limits>
#include <vector>

#include "crux/ir/tile.h"
#include "crux/select/layout.h"
#include "crux/select/occurrences.h"

namespace belay::crux::select {

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

class Lives {
 public:
  Lives(const ir::Kernel& kernel, const Occurrences& at);

  // The tile whose memory it is; itself if it is no alias.
  int RootOf(int id) const { return roots_[id]; }
  bool IsAlias(int id) const { return roots_[id] != id; }
  // Whether it is another name of some of a tile's elements.
  bool IsPart(int id) const {
    return IsAlias(id) && !SamePlaces(LayoutOf(id), LayoutOf(RootOf(id)));
  }
  // Whether its first element is that of the tile whose memory it is.
  bool BeginsAsRoot(int id) const { return begins_[id]; }
  // Of a root.
  const Life& operator[](int root) const { return lives_[root]; }
  // It lives until `stmt`, of its own block, at least.
  void Extend(int root, const ir::Stmt* stmt);
  // Statements that read a tile or an alias of it.
  std::vector<Occurrence> ReadsOf(int root) const;
  // The first statement of its block that reads it or holds one that does; the
  // last of its life if none does.
  const ir::Stmt* FirstReader(int root) const;

  const Padding& padding() const { return layouts_.padding(); }
  const Layouts& layouts() const { return layouts_; }
  const Layout& LayoutOf(int id) const { return layouts_[id]; }
  // Whole periods of bank groups.
  ir::Int BytesOf(int id) const;
  // Whether they live in different loops over cores, or are pieces of loops in
  // order, of which none is part of the other: they may share memory though
  // they are not as large as each other.
  bool AreApart(int root, int other) const;

 private:
  bool IsPiece(int id) const;
  bool IsReadBy(const ir::Stmt& stmt, int root) const;
  void FindRoots();
  void FindLives();

  const ir::Kernel& kernel_;
  const Occurrences& at_;
  Layouts layouts_;
  std::vector<int> roots_;
  std::vector<bool> begins_;
  // Tiles of one root in their order: the first, by root, and the next; -1:
  // none.
  std::vector<int> firsts_;
  std::vector<int> nexts_;
  std::vector<Life> lives_;
};

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_LIVES_H_
