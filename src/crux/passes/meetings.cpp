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

}  // namespace

void DropMeetings(ir::Kernel& kernel) {
  ir::Block kept;
  bool met = false;
  Touched since;  // the last meeting that stays
  for (size_t i = 0; i < kernel.body.size(); ++i) {
    if (kernel.body[i]->kind != StmtKind::kSyncAll) {
      kept.push_back(kernel.body[i]);
      continue;
    }
    const Touched behind = TouchedFrom(kernel.body, i + 1);
    if (!met || Meet(since.stored, behind.all) ||
        Meet(since.all, behind.stored)) {
      kept.push_back(kernel.body[i]);
      met = true;
      since = {};
    }
    since.Add(behind);
  }
  kernel.body = std::move(kept);
}

}  // namespace belay::crux::passes
