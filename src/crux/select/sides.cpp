// SPDX-License-Identifier: Apache-2.0
#include "crux/select/sides.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "crux/passes/walk.h"
#include "crux/select/emitter.h"
#include "crux/select/layout.h"

namespace belay::crux::select {
namespace {

// Pairs that should be apart, by how often.
using Pairs = std::map<std::pair<std::string, std::string>, int>;

class Chooser {
 public:
  Chooser(const ir::Kernel& kernel, const StoragePlan& plan)
      : kernel_(kernel), plan_(plan), padding_(PaddingOf(kernel)) {
    passes::ForEachStmt(kernel.body,
                        [&](const ir::Stmt& stmt) { Count(stmt); });
  }

  std::set<std::string> Run() {
    std::vector<std::string> movable;
    for (const code::Buffer& buffer : plan_.buffers) {
      movable.push_back(buffer.name);
    }
    for (const code::Queue& queue : plan_.queues) movable.push_back(queue.name);
    std::set<std::string> front;
    // Every move to the other side parts more pairs, so this ends.
    for (bool again = true; again;) {
      again = false;
      for (const std::string& name : movable) {
        if (GainOfMoving(name, front) <= 0) continue;
        if (front.erase(name) == 0) front.insert(name);
        again = true;
      }
    }
    return front;
  }

 private:
  // Empty: one element, or no memory of its own.
  std::string ContainerOf(const ir::Operand& operand) const {
    const int* tile = std::get_if<int>(&operand);
    if (tile == nullptr) return "";
    if (LayoutOf(kernel_.tiles[*tile].dims, padding_).last < 0) return "";
    return plan_.tiles[plan_.tiles[*tile].root].container;
  }

  void Add(const std::string& a, const std::string& b) {
    if (a.empty() || b.empty() || a == b) return;
    ++pairs_[std::minmax(a, b)];
  }

  void Count(const ir::Stmt& stmt) {
    if (stmt.kind != ir::StmtKind::kCompute) return;
    if (InfoOf(stmt.op).family == OpFamily::kReduce) {
      return Add(ContainerOf(stmt.operands[0]), std::string(kScratchBuffer));
    }
    // An instruction that multiplies and adds has two sources.
    const bool fused = stmt.op == Op::kMul && stmt.operands.size() == 3;
    for (size_t i = 0; i < stmt.operands.size(); ++i) {
      for (size_t j = fused ? 1 : 0; j < i; ++j) {
        Add(ContainerOf(stmt.operands[i]), ContainerOf(stmt.operands[j]));
      }
    }
  }

  int GainOfMoving(const std::string& name,
                   const std::set<std::string>& front) const {
    int gain = 0;
    for (const auto& [pair, times] : pairs_) {
      if (pair.first != name && pair.second != name) continue;
      const bool apart =
          front.contains(pair.first) != front.contains(pair.second);
      gain += apart ? -times : times;
    }
    return gain;
  }

  const ir::Kernel& kernel_;
  const StoragePlan& plan_;
  int64_t padding_;
  Pairs pairs_;
};

}  // namespace

std::set<std::string> ContainersInFront(const ir::Kernel& kernel,
                                        const StoragePlan& plan) {
  return Chooser(kernel, plan).Run();
}

}  // namespace belay::crux::select
