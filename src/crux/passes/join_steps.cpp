// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/join_steps.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "crux/ir/linear.h"
#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

using ir::Block;
using ir::Dim;
using ir::Index;
using ir::IndexKind;
using ir::Int;
using ir::Kernel;
using ir::Stmt;
using ir::StmtKind;

// Tiles of more accesses than that would hardly fit at a time.
constexpr int64_t kMostSteps = 16;

int TileOf(const Stmt& stmt) {
  return stmt.kind == StmtKind::kLoad ? stmt.results[0]
                                      : std::get<int>(stmt.operands[0]);
}

// One point of the last dimension, of a constant number of them, behind a
// range: as a range with a step along both.
void JoinPoint(std::vector<Index>& indices) {
  const Index point = indices.back();
  if (point.kind != IndexKind::kPoint || indices.size() < 2) return;
  const Index& range = indices[indices.size() - 2];
  if (range.kind != IndexKind::kRange || !point.dim.is_constant() ||
      !point.start.is_constant() || point.start.value() < 0 ||
      point.start.value() >= point.dim.value()) {
    return;
  }
  indices.pop_back();
  Index& joined = indices.back();
  joined.dim = joined.dim * point.dim;
  joined.start = joined.start * point.dim + point.start;
  joined.step = joined.step * point.dim;
}

// The indices of a load without a fill, or of a store of a tile as large as the
// view, that end in a range with a step which is the tile's last axis; none: it
// is no such statement.
std::optional<std::vector<Index>> StepsOf(const Kernel& kernel,
                                          const Stmt& stmt) {
  const bool loads = stmt.kind == StmtKind::kLoad && !stmt.fill;
  const bool stores = stmt.kind == StmtKind::kStore &&
                      std::holds_alternative<int>(stmt.operands[0]);
  if ((!loads && !stores) || stmt.access.indices.empty()) return std::nullopt;
  const std::vector<Dim>& dims = kernel.tiles[TileOf(stmt)].dims;
  if (!SameDims(DimsOf(kernel, stmt.access.indices), dims)) return std::nullopt;
  std::vector<Index> indices = stmt.access.indices;
  // How much of an open size is stored is told by its own index.
  if (kernel.tensors[stmt.access.tensor].dims.empty()) JoinPoint(indices);
  const Index& last = indices.back();
  const bool gathers = std::any_of(
      indices.begin(), indices.end(),
      [](const Index& index) { return index.kind == IndexKind::kTile; });
  if (gathers || last.kind != IndexKind::kRange ||
      last.axis + 1 != static_cast<int>(dims.size()) ||
      !last.step.is_constant() || last.step.value() < 2 ||
      last.step.value() > kMostSteps) {
    return std::nullopt;
  }
  return indices;
}

// How far b begins behind a; none: not by a known number below `limit`.
std::optional<int64_t> Distance(const Int& a, const Int& b, int64_t limit) {
  for (int64_t i = 0; i < limit; ++i) {
    if (Same(a + i, b)) return i;
    if (Same(b + i, a)) return -i;
  }
  return std::nullopt;
}

bool IsSameIndex(const Index& a, const Index& b) {
  if (a.kind != b.kind || !Same(a.dim, b.dim) || !Same(a.start, b.start)) {
    return false;
  }
  return a.kind == IndexKind::kPoint ||
         (a.axis == b.axis && Same(a.step, b.step) &&
          Same(a.extent.capacity, b.extent.capacity) &&
          Same(a.extent.size, b.extent.size));
}

// Whether both are of one part of memory, but for where they begin along the
// last dimension.
bool AreAlike(const Stmt& a, const std::vector<Index>& of_a, const Stmt& b,
              const std::vector<Index>& of_b) {
  return a.kind == b.kind && a.access.tensor == b.access.tensor &&
         Same(a.access.element, b.access.element) &&
         a.every_core == b.every_core && of_a.size() == of_b.size() &&
         std::equal(of_a.begin(), of_a.end() - 1, of_b.begin(), IsSameIndex) &&
         Same(of_a.back().dim, of_b.back().dim) &&
         Same(of_a.back().step, of_b.back().step) &&
         of_a.back().axis == of_b.back().axis;
}

// The integer that rounds up to `part` when it is divided by `count`; none: it
// is no such quotient.
std::optional<Int> DividedBy(int64_t count, const Int& part) {
  if (part.args().size() != 2) return std::nullopt;
  const Int& a = part.args()[0];
  const Int& b = part.args()[1];
  switch (part.kind()) {
    case ir::IntKind::kCeilDiv:
      return b.Is(count) ? std::optional(a) : std::nullopt;
    case ir::IntKind::kFloorDiv:
      return b.Is(count) ? std::optional(a - (count - 1)) : std::nullopt;
    case ir::IntKind::kAdd:
    case ir::IntKind::kSub: {
      const auto rest = DividedBy(count, a);
      if (!rest || !b.is_constant()) return std::nullopt;
      const Int more = b.value() * count;
      return part.kind() == ir::IntKind::kAdd ? *rest + more : *rest - more;
    }
    default:
      return std::nullopt;
  }
}

// What parts with every `count`-th element, the first of them beginning one
// behind the other, come to; none: they may not end together.
std::optional<Int> SumOf(const std::vector<Int>& parts) {
  const auto count = static_cast<int64_t>(parts.size());
  if (std::all_of(parts.begin(), parts.end(),
                  [&](const Int& part) { return Same(part, parts[0]); })) {
    return parts[0] * count;
  }
  const auto all = DividedBy(count, parts[0]);
  if (!all) return std::nullopt;
  for (int64_t i = 1; i < count; ++i) {
    const auto part = DividedBy(count, parts[i]);
    if (!part) return std::nullopt;
    const ir::Linear shorter = ir::Difference(*all, *part);
    if (!shorter.terms.empty() || shorter.constant != i) return std::nullopt;
  }
  return all->kind() == ir::IntKind::kName ? *all : Max(0, *all);
}

class Joiner {
 public:
  explicit Joiner(Kernel& kernel) : kernel_(kernel) {}

  void Visit(Block& block) {
    size_t i = 0;
    while (i < block.size()) {
      const auto steps = StepsOf(kernel_, *block[i]);
      if (steps && Collect(block, i, *steps)) {
        Join(block);
      } else {
        ++i;
      }
    }
  }

 private:
  struct Member {
    size_t at = 0;  // in the block
    int64_t distance = 0;
    Dim extent;
  };

  // Finds those that go with the statement at `first`; members_ by where they
  // begin. False: some are missing.
  bool Collect(const Block& block, size_t first,
               const std::vector<Index>& steps) {
    const auto count = static_cast<size_t>(steps.back().step.value());
    members_ = {{first, 0, steps.back().extent}};
    for (size_t i = first + 1; i < block.size() && members_.size() < count;
         ++i) {
      const auto other = StepsOf(kernel_, *block[i]);
      if (other && AreAlike(*block[first], steps, *block[i], *other)) {
        const auto distance = Distance(steps.back().start, other->back().start,
                                       steps.back().step.value());
        if (!distance || Has(*distance)) return false;
        members_.push_back({i, *distance, other->back().extent});
      } else if (MayTell(block, i)) {
        return false;
      }
    }
    std::sort(members_.begin(), members_.end(),
              [](const Member& a, const Member& b) {
                return a.distance < b.distance;
              });
    if (members_.size() < count ||
        members_.back().distance - members_[0].distance + 1 !=
            static_cast<int64_t>(count)) {
      return false;
    }
    std::vector<Int> capacities;
    std::vector<Int> sizes;
    for (const Member& one : members_) {
      capacities.push_back(one.extent.capacity);
      sizes.push_back(one.extent.size);
    }
    const auto capacity = SumOf(capacities);
    const auto size = SumOf(sizes);
    if (!capacity || !size) return false;
    indices_ = steps;
    indices_.back() = StepsOf(kernel_, *block[members_[0].at])->back();
    indices_.back().step = 1;
    indices_.back().extent = {*capacity, *size};
    return true;
  }

  bool Has(int64_t distance) const {
    return std::any_of(
        members_.begin(), members_.end(),
        [&](const Member& one) { return one.distance == distance; });
  }

  // Whether a statement between them may see, or make, a difference between one
  // access and several.
  bool MayTell(const Block& block, size_t between) const {
    const Stmt& first = *block[members_[0].at];
    const bool loads = first.kind == StmtKind::kLoad;
    bool tells = false;
    ForEachStmt({block[between]}, [&](const Stmt& stmt) {
      switch (stmt.kind) {
        case StmtKind::kLoad:
          tells =
              tells || (!loads && stmt.access.tensor == first.access.tensor);
          break;
        case StmtKind::kStore:
        case StmtKind::kAtomicAdd:
          tells = tells || stmt.access.tensor == first.access.tensor;
          break;
        case StmtKind::kSyncAll:
        case StmtKind::kAcrossUpdate:
        case StmtKind::kAcrossValue:
        case StmtKind::kAcrossPrefix:
          tells = true;
          break;
        default:
          break;
      }
      for (const Member& one : members_) {
        tells = tells ||
                (!loads && std::count(stmt.results.begin(), stmt.results.end(),
                                      TileOf(*block[one.at])) > 0);
      }
    });
    return tells;
  }

  void Join(Block& block) {
    if (block[members_[0].at]->kind == StmtKind::kLoad) {
      JoinLoads(block);
    } else {
      JoinStores(block);
    }
  }

  int NewTile(const Stmt& like) {
    const ir::Tile& tile = kernel_.tiles[TileOf(like)];
    return kernel_
        .NewTile(kernel_.tensors[like.access.tensor].name + "_all", tile.dtype,
                 DimsOf(kernel_, indices_), like.line)
        .id;
  }

  // The load stands where the first one stood, slices where all did.
  void JoinLoads(Block& block) {
    size_t first = members_[0].at;
    for (const Member& one : members_) first = std::min(first, one.at);
    auto load = std::make_shared<Stmt>(*block[first]);
    const int all = NewTile(*load);
    load->results = {all};
    load->access.indices = indices_;
    for (size_t i = 0; i < members_.size(); ++i) {
      auto slice = std::make_shared<Stmt>();
      slice->kind = StmtKind::kSlice;
      slice->line = block[members_[i].at]->line;
      slice->results = block[members_[i].at]->results;
      slice->operands = {all};
      const std::vector<Dim>& dims = kernel_.tiles[all].dims;
      for (size_t axis = 0; axis < dims.size(); ++axis) {
        Index index;
        index.kind = IndexKind::kRange;
        index.dim = dims[axis].capacity;
        index.extent = dims[axis];
        index.axis = static_cast<int>(axis);
        slice->slice.push_back(index);
      }
      slice->slice.back().start = static_cast<int64_t>(i);
      slice->slice.back().step = static_cast<int64_t>(members_.size());
      slice->slice.back().extent = members_[i].extent;
      block[members_[i].at] = std::move(slice);
    }
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(first),
                 std::move(load));
  }

  // The store stands where the last one stood.
  void JoinStores(Block& block) {
    size_t last = 0;
    std::vector<ir::Operand> parts;
    for (const Member& one : members_) {
      last = std::max(last, one.at);
      parts.emplace_back(TileOf(*block[one.at]));
    }
    auto store = std::make_shared<Stmt>(*block[last]);
    const int all = NewTile(*store);
    auto turns = Compute(Op::kConcat, all, std::move(parts), store->line);
    turns->axes = {static_cast<int>(kernel_.tiles[all].dims.size()) - 1};
    turns->in_turns = true;
    store->operands = {all};
    store->access.indices = indices_;
    block[last] = std::move(store);
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(last),
                 std::move(turns));
    for (const Member& one : members_) {
      if (one.at != last) block[one.at] = nullptr;
    }
    std::erase(block, nullptr);
  }

  Kernel& kernel_;
  std::vector<Member> members_;
  std::vector<Index> indices_;  // of what they are together
};

}  // namespace

void JoinSteps(Kernel& kernel) {
  Joiner joiner(kernel);
  ForEachBlock(kernel.body, [&](Block& block) { joiner.Visit(block); });
}

}  // namespace belay::crux::passes
