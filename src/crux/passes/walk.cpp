// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/walk.h"

#include <algorithm>
#include <utility>

namespace belay::crux::passes {

using ir::Block;
using ir::Dim;
using ir::Index;
using ir::IndexKind;
using ir::Int;
using ir::Kernel;
using ir::Stmt;
using ir::StmtKind;

void ForEachBlock(Block& block, const std::function<void(Block&)>& visit) {
  visit(block);
  for (const auto& stmt : block) {
    if (stmt->kind == StmtKind::kLoop) {
      ForEachBlock(stmt->loop->body, visit);
    } else if (stmt->kind == StmtKind::kIf) {
      ForEachBlock(stmt->body, visit);
      ForEachBlock(stmt->otherwise, visit);
    }
  }
}

void RewriteBlock(Block& block, const Rewrite& rewrite) {
  Block result;  // once a statement does not stay
  bool stays = true;
  for (size_t i = 0; i < block.size(); ++i) {
    const std::shared_ptr<Stmt>& stmt = block[i];
    if (stmt->kind == StmtKind::kLoop) {
      RewriteBlock(stmt->loop->body, rewrite);
    } else if (stmt->kind == StmtKind::kIf) {
      RewriteBlock(stmt->body, rewrite);
      RewriteBlock(stmt->otherwise, rewrite);
    }
    Replacement made = rewrite(stmt);
    if (made && stays) {
      result.assign(block.begin(), block.begin() + static_cast<ptrdiff_t>(i));
      stays = false;
    }
    if (made) {
      std::move(made->begin(), made->end(), std::back_inserter(result));
    } else if (!stays) {
      result.push_back(stmt);
    }
  }
  if (!stays) block = std::move(result);
}

std::shared_ptr<Stmt> Compute(Op op, int result,
                              std::vector<ir::Operand> operands, int line) {
  auto stmt = std::make_shared<Stmt>();
  stmt->kind = StmtKind::kCompute;
  stmt->op = op;
  stmt->results = {result};
  stmt->operands = std::move(operands);
  stmt->line = line;
  return stmt;
}

std::shared_ptr<Stmt> Reshape(int result, int source, int line) {
  auto stmt = std::make_shared<Stmt>();
  stmt->kind = StmtKind::kReshape;
  stmt->results = {result};
  stmt->operands = {source};
  stmt->line = line;
  return stmt;
}

std::shared_ptr<Stmt> Copy(int result, ir::Operand source, int line) {
  return Compute(Op::kBroadcast, result, {std::move(source)}, line);
}

ir::Number RealNumber(double value) {
  ir::Number number;
  number.kind = ir::Number::Kind::kReal;
  number.real = value;
  return number;
}

ir::Number IntNumber(Int value) {
  ir::Number number;
  number.kind = ir::Number::Kind::kInt;
  number.integer = std::move(value);
  return number;
}

std::vector<Dim> DimsOf(const Kernel& kernel,
                        const std::vector<Index>& indices) {
  std::vector<Dim> dims;
  const auto put = [&](size_t axis, const Dim& dim) {
    if (dims.size() <= axis) dims.resize(axis + 1);
    dims[axis] = dim;
  };
  for (const Index& index : indices) {
    if (index.kind == IndexKind::kRange) {
      put(static_cast<size_t>(index.axis), index.extent);
    } else if (index.kind == IndexKind::kTile) {
      const auto& own = kernel.tiles[index.tile].dims;
      for (size_t i = 0; i < own.size(); ++i) put(index.axis + i, own[i]);
    }
  }
  return dims;
}

bool SameDims(const std::vector<Dim>& a, const std::vector<Dim>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Dim& x, const Dim& y) {
                      return ir::Same(x.capacity, y.capacity);
                    });
}

bool IsReduction(const ir::Stmt& stmt) {
  return stmt.kind == ir::StmtKind::kCompute &&
         InfoOf(stmt.op).family == OpFamily::kReduce;
}

bool IsHost(const Kernel& kernel, const Int& expr) {
  std::set<std::string> names;
  CollectNames(expr, names);
  return std::all_of(names.begin(), names.end(), [&](const auto& name) {
    return std::any_of(
        kernel.host.begin(), kernel.host.end(),
        [&](const ir::HostValue& value) { return value.name == name; });
  });
}

std::set<std::string> NamesUsedBy(const Kernel& kernel, const Stmt& stmt,
                                  const std::set<std::string>& among) {
  std::set<std::string> names;
  uint64_t bits = 0;
  for (const std::string& name : among) bits |= Int::BitOf(name);
  const auto integer = [&](const auto& self, const Int& expr) -> void {
    if ((expr.name_bits() & bits) == 0) return;
    if (!expr.name().empty() && among.contains(expr.name())) {
      names.insert(expr.name());
    }
    for (const Int& arg : expr.args()) self(self, arg);
  };
  const auto collect = [&](const Int& expr) { integer(integer, expr); };
  const auto dims = [&](const std::vector<Dim>& these) {
    for (const Dim& dim : these) {
      collect(dim.size);
      collect(dim.capacity);
    }
  };
  const auto indices = [&](const std::vector<Index>& these) {
    for (const Index& index : these) {
      collect(index.dim);
      collect(index.start);
      collect(index.step);
      collect(index.extent.size);
    }
  };
  const auto number = [&](const ir::Number& one) {
    if (one.kind == ir::Number::Kind::kInt) collect(one.integer);
  };
  if (bits == 0) return names;
  for (const ir::Operand& operand : stmt.operands) {
    if (const auto* one = std::get_if<ir::Number>(&operand)) {
      number(*one);
    } else {
      dims(kernel.tiles[std::get<int>(operand)].dims);
    }
  }
  for (const int tile : stmt.results) dims(kernel.tiles[tile].dims);
  if (stmt.fill) number(*stmt.fill);
  collect(stmt.access.element);
  indices(stmt.access.indices);
  indices(stmt.slice);
  collect(stmt.condition);
  if (stmt.kind == StmtKind::kLoop) {
    collect(stmt.loop->low);
    collect(stmt.loop->high);
    collect(stmt.loop->step);
  }
  return names;
}

std::set<std::string> NamesDefinedIn(const Block& block) {
  std::set<std::string> names;
  ForEachStmt(block, [&](const Stmt& stmt) {
    if (stmt.kind == StmtKind::kRead) names.insert(stmt.name);
    if (stmt.kind != StmtKind::kLoop) return;
    names.insert(stmt.loop->name);
    names.insert(stmt.loop->extent);
  });
  return names;
}

std::set<int> TilesAssignedIn(const Block& block) {
  std::set<int> tiles;
  ForEachStmt(block, [&](const Stmt& stmt) {
    tiles.insert(stmt.results.begin(), stmt.results.end());
  });
  return tiles;
}

std::vector<int> AssignmentsOf(const ir::Kernel& kernel) {
  std::vector<int> assignments(kernel.tiles.size());
  ForEachStmt(kernel.body, [&](const Stmt& stmt) {
    for (const int tile : stmt.results) ++assignments[tile];
  });
  return assignments;
}

std::set<int> TensorsStoredIn(const Block& block) {
  std::set<int> tensors;
  ForEachStmt(block, [&](const Stmt& stmt) {
    if (stmt.kind == StmtKind::kStore || stmt.kind == StmtKind::kAtomicAdd) {
      tensors.insert(stmt.access.tensor);
    }
  });
  return tensors;
}

}  // namespace belay::crux::passes
