// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/join_turns.h"

#include <algorithm>

#include "crux/passes/walk.h"
#include "crux/select/occurrences.h"

namespace belay::crux::passes {
namespace {

using ir::Block;
using ir::Dim;
using ir::Kernel;
using ir::Stmt;
using ir::StmtKind;

// More columns than that are moved as rows.
constexpr int64_t kMostColumns = 8;

bool SameDim(const Dim& a, const Dim& b) {
  return ir::Same(a.capacity, b.capacity) && ir::Same(a.size, b.size);
}

class Joiner {
 public:
  explicit Joiner(Kernel& kernel) : kernel_(kernel), at_(kernel) {}

  Replacement operator()(const std::shared_ptr<Stmt>& stmt) {
    if (stmt->kind != StmtKind::kReshape) return std::nullopt;
    const int result = stmt->results[0];
    const int table = std::get<int>(stmt->operands[0]);
    const Stmt* made = MadeBy(table);
    if (made == nullptr || !JoinsLastAxes(result, table)) return std::nullopt;
    const auto columns = ColumnsOf(*made, kernel_.tiles[table].dims);
    if (columns.empty()) return std::nullopt;
    Block block;
    std::vector<ir::Operand> parts;
    for (const int column : columns) {
      std::vector<Dim> dims = kernel_.tiles[column].dims;
      dims.pop_back();
      const ir::Tile& tile = kernel_.tiles[column];
      const int part =
          kernel_.NewTile(tile.name + "_part", tile.dtype, dims, stmt->line).id;
      block.push_back(Reshape(part, column, stmt->line));
      parts.emplace_back(part);
    }
    auto turns = Compute(Op::kConcat, result, std::move(parts), stmt->line);
    turns->axes = {static_cast<int>(kernel_.tiles[result].dims.size()) - 1};
    turns->in_turns = true;
    block.push_back(std::move(turns));
    return block;
  }

 private:
  // The one statement that assigns the tile; null: there are others.
  const Stmt* MadeBy(int tile) const {
    if (at_.Assignments(tile) != 1) return nullptr;
    const auto seen = at_.Of(tile);
    return std::find_if(seen.begin(), seen.end(),
                        [](const auto& one) { return one.assigns; })
        ->stmt;
  }

  // Whether the table's last two axes are the result's last one.
  bool JoinsLastAxes(int result, int table) const {
    const auto& to = kernel_.tiles[result].dims;
    const auto& from = kernel_.tiles[table].dims;
    return from.size() >= 2 && to.size() + 1 == from.size() &&
           std::equal(to.begin(), to.end() - 1, from.begin(), SameDim);
  }

  // Tiles of one column each that the table is made of, in their order; empty:
  // it is made of others.
  std::vector<int> ColumnsOf(const Stmt& made,
                             const std::vector<Dim>& table) const {
    const ir::Int& count = table.back().capacity;
    const bool concat = made.op == Op::kConcat && !made.in_turns &&
                        made.axes[0] + 1 == static_cast<int>(table.size());
    if (made.kind != StmtKind::kCompute ||
        (!concat && made.op != Op::kBroadcast) || !count.is_constant() ||
        count.value() < 2 || count.value() > kMostColumns) {
      return {};
    }
    std::vector<int> columns;
    for (const ir::Operand& operand : made.operands) {
      const int* tile = std::get_if<int>(&operand);
      if (tile == nullptr || !IsColumn(*tile, table)) return {};
      columns.push_back(*tile);
    }
    if (!concat) columns.resize(static_cast<size_t>(count.value()), columns[0]);
    return columns;
  }

  bool IsColumn(int tile, const std::vector<Dim>& table) const {
    const auto& dims = kernel_.tiles[tile].dims;
    return at_.Assignments(tile) == 1 && dims.size() == table.size() &&
           dims.back().is_one() &&
           std::equal(dims.begin(), dims.end() - 1, table.begin(), SameDim);
  }

  Kernel& kernel_;
  const select::Occurrences at_;
};

}  // namespace

void JoinTurns(Kernel& kernel) {
  bool any = false;
  ForEachStmt(kernel.body, [&](const Stmt& stmt) {
    any = any || stmt.kind == StmtKind::kReshape;
  });
  if (!any) return;
  Joiner joiner(kernel);
  RewriteBlock(kernel.body,
               [&](const std::shared_ptr<Stmt>& stmt) { return joiner(stmt); });
}

}  // namespace belay::crux::passes
