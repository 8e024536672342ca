// SPDX-License-Identifier: Apache-2.0
#include "crux/ir/beside.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace belay::crux::ir {
namespace {

using Positions = std::set<size_t>;

// For each parameter those that cut loops around its own.
class Nests {
 public:
  explicit Nests(const Kernel& kernel)
      : kernel_(kernel), around_(kernel.parameters.size()) {
    Visit(kernel.body, {});
  }

  const std::vector<Positions>& around() const { return around_; }

 private:
  void Visit(const Block& block, const Positions& outer) {
    for (const auto& stmt : block) {
      Visit(stmt->body, outer);
      Visit(stmt->otherwise, outer);
      if (stmt->loop) Visit(*stmt->loop, outer);
    }
  }

  void Visit(const Loop& loop, const Positions& outer) {
    Positions inner = outer;
    for (size_t i = 0; i < kernel_.parameters.size(); ++i) {
      if (!Mentions(loop.step, kernel_.parameters[i].name)) continue;
      around_[i].insert(outer.begin(), outer.end());
      inner.insert(i);
    }
    Visit(loop.body, inner);
  }

  const Kernel& kernel_;
  std::vector<Positions> around_;
};

}  // namespace

std::vector<int> BesideEachOther(const Kernel& kernel) {
  std::vector<int> groups(kernel.parameters.size(), 0);
  if (groups.size() < 2) return groups;
  const Nests nests(kernel);
  const std::vector<Positions>& around = nests.around();
  for (size_t i = 0; i < groups.size(); ++i) {
    const auto first = std::find(around.begin(), around.end(), around[i]);
    const auto at = static_cast<size_t>(first - around.begin());
    if (at == i) continue;
    groups[at] = groups[i] = static_cast<int>(at) + 1;
  }
  return groups;
}

}  // namespace belay::crux::ir
