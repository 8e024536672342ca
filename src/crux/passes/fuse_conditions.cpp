// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/fuse_conditions.h"

#include <algorithm>
#include <map>

#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

bool IsComparison(const ir::Stmt& stmt) {
  if (stmt.kind != ir::StmtKind::kCompute) return false;
  switch (stmt.op) {
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
    case Op::kEqual:
    case Op::kNotEqual:
      return true;
    default:
      return false;
  }
}

// Mentions of a tile anywhere in the kernel.
struct Mentions {
  int assigned = 0;
  int read = 0;
};

class ConditionFuser {
 public:
  explicit ConditionFuser(ir::Kernel& kernel) : kernel_(kernel) {
    ForEachStmt(kernel.body, [&](const ir::Stmt& stmt) {
      for (const int tile : stmt.results) ++seen_[tile].assigned;
      for (const ir::Operand& operand : stmt.operands) {
        if (const int* tile = std::get_if<int>(&operand)) ++seen_[*tile].read;
      }
      for (const ir::Index& index : stmt.access.indices) {
        if (index.tile >= 0) ++seen_[index.tile].read;
      }
      for (const ir::Index& index : stmt.slice) {
        if (index.tile >= 0) ++seen_[index.tile].read;
      }
    });
  }

  void Run() {
    ForEachBlock(kernel_.body, [&](ir::Block& block) { OfBlock(block); });
  }

 private:
  void OfBlock(ir::Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      const ir::Stmt& where = *block[i];
      if (where.kind != ir::StmtKind::kCompute || where.op != Op::kWhere ||
          where.compare) {
        continue;
      }
      const int* condition = std::get_if<int>(&where.operands[0]);
      if (condition == nullptr || seen_[*condition].assigned != 1 ||
          seen_[*condition].read != 1) {
        continue;
      }
      if (Split(block, i)) {
        i -= 2;  // one statement went, and what it came to is looked at next
        continue;
      }
      const size_t from = Source(block, i, *condition);
      if (from == i) continue;
      Fuse(block, from, i);
      --i;
    }
  }

  // The statement before `at` that makes `tile`; `at`: none here.
  static size_t MakerOf(const ir::Block& block, size_t at, int tile) {
    for (size_t i = at; i-- > 0;) {
      const std::vector<int>& made = block[i]->results;
      if (std::find(made.begin(), made.end(), tile) != made.end()) return i;
    }
    return at;
  }

  // where(a & b, x, y) is where(a, where(b, x, y), y), and where(a | b, x, y)
  // is where(a, x, where(b, x, y)): comparisons then choose at once. Truth
  // values are 0 and 1, `&` their product, `|` their maximum.
  bool Split(ir::Block& block, size_t at) {
    const ir::Stmt& where = *block[at];
    const size_t from = MakerOf(block, at, std::get<int>(where.operands[0]));
    if (from == at) return false;
    const ir::Stmt both = *block[from];
    const bool product = both.op == Op::kMul && both.operands.size() == 2;
    const ir::Tile& result = kernel_.tiles[where.results[0]];
    if (both.kind != ir::StmtKind::kCompute || BytesOf(result.dtype) == 8 ||
        (!product && both.op != Op::kMaximum)) {
      return false;
    }
    bool compares = false;
    for (const ir::Operand& operand : both.operands) {
      const int* tile = std::get_if<int>(&operand);
      if (tile == nullptr || seen_[*tile].assigned != 1) return false;
      const size_t maker = MakerOf(block, from, *tile);
      compares = compares || (seen_[*tile].read == 1 && maker != from &&
                              IsComparison(*block[maker]));
    }
    if (!compares) return false;
    const int inner =
        kernel_.NewTile(result.name, result.dtype, result.dims, where.line).id;
    seen_[inner] = {1, 1};
    auto first = std::make_shared<ir::Stmt>(where);
    first->results = {inner};
    first->operands[0] = both.operands[1];
    auto second = std::make_shared<ir::Stmt>(where);
    second->operands[0] = both.operands[0];
    second->operands[product ? 1 : 2] = inner;
    for (const size_t i : {1, 2}) {  // what both choose is read once more
      const int* tile = std::get_if<int>(&where.operands[i]);
      if (tile != nullptr && (i == 2) == product) ++seen_[*tile].read;
    }
    block[at] = std::move(second);
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(at),
                 std::move(first));
    block.erase(block.begin() + static_cast<std::ptrdiff_t>(from));
    return true;
  }

  // The comparison that makes `condition`, if it can move down to `at`.
  size_t Source(const ir::Block& block, size_t at, int condition) const {
    for (size_t i = at; i-- > 0;) {
      const ir::Stmt& stmt = *block[i];
      const bool makes = std::find(stmt.results.begin(), stmt.results.end(),
                                   condition) != stmt.results.end();
      if (!makes) continue;
      const bool wide = std::any_of(
          stmt.operands.begin(), stmt.operands.end(),
          [&](const ir::Operand& operand) {
            const int* tile = std::get_if<int>(&operand);
            return tile != nullptr && BytesOf(kernel_.tiles[*tile].dtype) == 8;
          });
      const bool wide_result =
          BytesOf(kernel_.tiles[block[at]->results[0]].dtype) == 8;
      if (!IsComparison(stmt) || wide || wide_result) return at;
      return IsChangedBetween(block, i, at) ? at : i;
    }
    return at;
  }

  // Whether an operand of block[from] is assigned before block[to].
  static bool IsChangedBetween(const ir::Block& block, size_t from, size_t to) {
    const ir::Block between(
        block.begin() + static_cast<std::ptrdiff_t>(from) + 1,
        block.begin() + static_cast<std::ptrdiff_t>(to));
    const std::set<int> assigned = TilesAssignedIn(between);
    return std::any_of(block[from]->operands.begin(),
                       block[from]->operands.end(),
                       [&](const ir::Operand& operand) {
                         const int* tile = std::get_if<int>(&operand);
                         return tile != nullptr && assigned.contains(*tile);
                       });
  }

  static void Fuse(ir::Block& block, size_t from, size_t to) {
    auto fused = std::make_shared<ir::Stmt>(*block[to]);
    const ir::Stmt& compare = *block[from];
    fused->compare = compare.op;
    fused->operands = {compare.operands[0], compare.operands[1],
                       block[to]->operands[1], block[to]->operands[2]};
    block[to] = std::move(fused);
    block.erase(block.begin() + static_cast<std::ptrdiff_t>(from));
  }

  ir::Kernel& kernel_;
  std::map<int, Mentions> seen_;
};

}  // namespace

void FuseConditions(ir::Kernel& kernel) { ConditionFuser(kernel).Run(); }

}  // namespace belay::crux::passes
