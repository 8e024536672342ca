// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/join_loops.h"

#include <optional>
#include <vector>

#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

using ir::Index;
using ir::Int;
using ir::Loop;

// Every index from 0 on.
bool CountsAll(const Loop& loop) {
  return loop.cores && loop.extent.empty() && !loop.reverse && loop.low.Is(0) &&
         loop.step.Is(1);
}

// Whether `index` is the loop's own, of a dimension as long as the loop.
bool IsOwn(const Index& index, const Loop& loop) {
  return index.kind == ir::IndexKind::kPoint &&
         ir::Same(index.start, Int::Name(loop.name)) &&
         ir::Same(index.dim, loop.high);
}

class Joiner {
 public:
  Joiner(ir::Kernel& kernel, Loop& outer, const Loop& inner)
      : kernel_(kernel), outer_(outer), inner_(inner) {}

  bool MayJoin() const {
    if (!CountsAll(outer_) || !CountsAll(inner_) ||
        Mentions(inner_.high, outer_.name)) {
      return false;
    }
    bool may = true;
    ForEachStmt(inner_.body, [&](const ir::Stmt& stmt) {
      if (stmt.across >= 0 || !UsesBothOrNone(stmt)) may = false;
    });
    return may;
  }

  void Join() {
    const std::string name = kernel_.FreshName(outer_.name + "_" + inner_.name);
    const Int high = outer_.high * inner_.high;
    ForEachBlock(inner_.body, [&](ir::Block& block) {
      for (const auto& stmt : block) {
        std::vector<Index>& indices = stmt->access.indices;
        if (const std::optional<size_t> at = PairIn(indices)) {
          indices[*at].start = Int::Name(name);
          indices[*at].dim = high;
          indices.erase(indices.begin() + static_cast<std::ptrdiff_t>(*at) + 1);
        }
      }
    });
    ir::Block body = inner_.body;
    outer_.name = name;
    outer_.high = high;
    outer_.body = std::move(body);
  }

 private:
  // Where the two stand side by side.
  std::optional<size_t> PairIn(const std::vector<Index>& indices) const {
    for (size_t i = 0; i + 1 < indices.size(); ++i) {
      if (IsOwn(indices[i], outer_) && IsOwn(indices[i + 1], inner_)) return i;
    }
    return std::nullopt;
  }

  bool UsesBothOrNone(const ir::Stmt& stmt) const {
    ir::Stmt rest = stmt;
    if (const std::optional<size_t> at = PairIn(stmt.access.indices)) {
      const auto pair =
          rest.access.indices.begin() + static_cast<std::ptrdiff_t>(*at);
      rest.access.indices.erase(pair, pair + 2);
    }
    bool none = true;
    ir::ForEachInt(kernel_, rest, [&](const Int& integer) {
      none = none && !Mentions(integer, outer_.name) &&
             !Mentions(integer, inner_.name);
    });
    return none;
  }

  ir::Kernel& kernel_;
  Loop& outer_;
  Loop inner_;  // its body becomes the outer one's
};

}  // namespace

void JoinLoops(ir::Kernel& kernel) {
  ForEachBlock(kernel.body, [&](ir::Block& block) {
    for (const auto& stmt : block) {
      if (stmt->kind != ir::StmtKind::kLoop) continue;
      Loop& loop = *stmt->loop;
      while (loop.body.size() == 1 &&
             loop.body[0]->kind == ir::StmtKind::kLoop) {
        Joiner joiner(kernel, loop, *loop.body[0]->loop);
        if (!joiner.MayJoin()) break;
        joiner.Join();
      }
    }
  });
}

}  // namespace belay::crux::passes
