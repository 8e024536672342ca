// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "crux/passes/legalise.h"
#include "crux/passes/walk.h"
#include "crux/select/views.h"

namespace belay::crux::passes {
namespace {

using ir::Stmt;
using ir::StmtKind;

bool IsOneElement(const ir::Tile& tile) {
  return std::all_of(tile.dims.begin(), tile.dims.end(),
                     [](const ir::Dim& dim) { return dim.is_one(); });
}

// Whether elements go to other places by themselves.
bool Scatters(const ir::Kernel& kernel, const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kSlice:
      return !select::FirstOfRows(kernel, stmt);
    case StmtKind::kCompute:
      return stmt.op == Op::kTranspose ||
             (stmt.op == Op::kConcat && stmt.in_turns);
    default:
      return false;
  }
}

}  // namespace

void LegaliseBytes(ir::Kernel& kernel) {
  const auto in_half = [&](int tile, int line) {
    return kernel
        .NewTile(kernel.tiles[tile].name + "_half", DType::kHalf,
                 kernel.tiles[tile].dims, line)
        .id;
  };
  RewriteBlock(
      kernel.body, [&](const std::shared_ptr<Stmt>& stmt) -> Replacement {
        if (!Scatters(kernel, *stmt)) return std::nullopt;
        const int result = stmt->results[0];
        const DType dtype = kernel.tiles[result].dtype;
        if ((dtype != DType::kInt8 && dtype != DType::kUint8) ||
            IsOneElement(kernel.tiles[result])) {
          return std::nullopt;
        }
        ir::Block block;
        auto moved = std::make_shared<Stmt>(*stmt);
        for (ir::Operand& operand : moved->operands) {
          const int* tile = std::get_if<int>(&operand);
          if (tile == nullptr) return std::nullopt;
          const int half = in_half(*tile, stmt->line);
          block.push_back(Compute(Op::kTo, half, {operand}, stmt->line));
          operand = half;
        }
        moved->results = {in_half(result, stmt->line)};
        block.push_back(moved);
        block.push_back(
            Compute(Op::kTo, result, {moved->results[0]}, stmt->line));
        return block;
      });
}

}  // namespace belay::crux::passes
