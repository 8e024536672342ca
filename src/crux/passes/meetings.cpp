// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/meetings.h"

#include <algorithm>
#include <set>

#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

using ir::StmtKind;

// Tensors that statements touch, inside included.
struct Touched {
  std::set<int> all;
  std::set<int> stored;

  void Add(const ir::Stmt& stmt) {
    const bool stores =
        stmt.kind == StmtKind::kStore || stmt.kind == StmtKind::kAtomicAdd;
    if (!stores && stmt.kind != StmtKind::kLoad) return;
    all.insert(stmt.access.tensor);
    if (stores) stored.insert(stmt.access.tensor);
  }

  void Add(const Touched& other) {
    all.insert(other.all.begin(), other.all.end());
    stored.insert(other.stored.begin(), other.stored.end());
  }
};

bool Meet(const std::set<int>& a, const std::set<int>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](int tensor) { return b.contains(tensor); });
}

// By the statements from `begin` to before the next meeting.
Touched TouchedFrom(const ir::Block& body, size_t begin) {
  Touched touched;
  for (size_t i = begin; i < body.size() && body[i]->kind != StmtKind::kSyncAll;
       ++i) {
    ForEachStmt({body[i]}, [&](const ir::Stmt& stmt) { touched.Add(stmt); });
  }
  return touched;
}

class Meetings {
 public:
  // `rest`: what is touched behind the block.
  void Drop(ir::Block& block, const Touched& rest) {
    ir::Block kept;
    for (size_t i = 0; i < block.size(); ++i) {
      ir::Stmt& stmt = *block[i];
      Touched behind = TouchedFrom(block, i + 1);
      behind.Add(rest);
      if (stmt.kind == StmtKind::kIf) {
        const Meetings before = *this;
        Meetings other = *this;
        Drop(stmt.body, behind);
        other.Drop(stmt.otherwise, behind);
        // One of both, whichever met last.
        met_ = before.met_;
        since_.Add(before.since_);
        since_.Add(other.since_);
      } else if (stmt.kind != StmtKind::kSyncAll) {
        since_.Add(TouchedFrom({block[i]}, 0));
      } else if (met_ && !Meet(since_.stored, behind.all) &&
                 !Meet(since_.all, behind.stored)) {
        continue;
      } else {
        met_ = true;
        since_ = {};
      }
      kept.push_back(block[i]);
    }
    block = std::move(kept);
  }

 private:
  bool met_ = false;
  Touched since_;  // the last meeting that stays
};

}  // namespace

void DropMeetings(ir::Kernel& kernel) { Meetings().Drop(kernel.body, {}); }

}  // namespace belay::crux::passes
