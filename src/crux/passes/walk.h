// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_WALK_H_
#define BELAY_CRUX_PASSES_WALK_H_

// What passes over the tile IR share: walking, making statements, asking.

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "crux/ir/tile.h"
#include "crux/ir/walk.h"

namespace belay::crux::passes {

// `visit` for every block, outer ones first.
void ForEachBlock(ir::Block& block,
                  const std::function<void(ir::Block&)>& visit);
using ir::ForEachStmt;

// Each statement of each block becomes what `rewrite` gives for it; nothing: it
// stays. Statements inside are rewritten first.
using Replacement = std::optional<ir::Block>;
using Rewrite =
    std::function<Replacement(const std::shared_ptr<ir::Stmt>& stmt)>;
void RewriteBlock(ir::Block& block, const Rewrite& rewrite);

// result = op(operands).
std::shared_ptr<ir::Stmt> Compute(Op op, int result,
                                  std::vector<ir::Operand> operands, int line);
std::shared_ptr<ir::Stmt> Reshape(int result, int source, int line);
// result = a copy of source, broadcast to the result's dims.
std::shared_ptr<ir::Stmt> Copy(int result, ir::Operand source, int line);

ir::Number RealNumber(double value);
ir::Number IntNumber(ir::Int value);

// The dims of what an access loads or stores.
std::vector<ir::Dim> DimsOf(const ir::Kernel& kernel,
                            const std::vector<ir::Index>& indices);
bool SameDims(const std::vector<ir::Dim>& a, const std::vector<ir::Dim>& b);

// Whether the host can work it out.
bool IsHost(const ir::Kernel& kernel, const ir::Int& expr);

// Whether it computes a sum, a maximum and the like along axes.
bool IsReduction(const ir::Stmt& stmt);

// Those of `among` that a statement uses as integers; statements inside it are
// not looked at.
std::set<std::string> NamesUsedBy(const ir::Kernel& kernel,
                                  const ir::Stmt& stmt,
                                  const std::set<std::string>& among);
// Names it defines, inside included: loop variables, extents, reads.
std::set<std::string> NamesDefinedIn(const ir::Block& block);
// Tiles assigned in a block, inside included.
std::set<int> TilesAssignedIn(const ir::Block& block);
// How often each tile is assigned, by its id.
std::vector<int> AssignmentsOf(const ir::Kernel& kernel);
// Tensors stored to, inside included.
std::set<int> TensorsStoredIn(const ir::Block& block);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_WALK_H_
