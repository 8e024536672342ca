// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/one_piece.h"

#include <algorithm>
#include <map>
#include <string>

#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

using ir::Block;
using ir::Int;
using ir::Kernel;
using ir::Stmt;
using ir::StmtKind;

using Worth = std::map<std::string, Int>;

Block CopyOf(const Block& block) {
  Block copy;
  for (const auto& stmt : block) {
    auto own = std::make_shared<Stmt>(*stmt);
    own->body = CopyOf(stmt->body);
    own->otherwise = CopyOf(stmt->otherwise);
    if (stmt->loop) {
      own->loop = std::make_shared<ir::Loop>(*stmt->loop);
      own->loop->body = CopyOf(stmt->loop->body);
    }
    copy.push_back(std::move(own));
  }
  return copy;
}

// Replaces names in all that a kernel says about integers.
class Replacer {
 public:
  explicit Replacer(const Worth& worth) : worth_(worth) {}

  void Run(Kernel& kernel) const {
    for (ir::Tile& tile : kernel.tiles) Replace(tile.dims);
    for (ir::TileParameter& parameter : kernel.parameters) {
      Replace(parameter.extent);
      Replace(parameter.outer);
      Replace(parameter.most);
    }
    Replace(kernel.body);
  }

 private:
  void Replace(Int& value) const {
    value = Substitute(value, [&](const std::string& name) {
      const auto found = worth_.find(name);
      return found == worth_.end() ? std::nullopt
                                   : std::optional<Int>(found->second);
    });
  }

  void Replace(std::vector<ir::Dim>& dims) const {
    for (ir::Dim& dim : dims) {
      Replace(dim.capacity);
      Replace(dim.size);
    }
  }

  void Replace(std::vector<ir::Index>& indices) const {
    for (ir::Index& index : indices) {
      Replace(index.dim);
      Replace(index.start);
      Replace(index.step);
      Replace(index.extent.capacity);
      Replace(index.extent.size);
    }
  }

  void Replace(Block& block) const {
    for (const auto& stmt : block) {
      for (ir::Operand& operand : stmt->operands) {
        if (auto* number = std::get_if<ir::Number>(&operand)) {
          Replace(number->integer);
        }
      }
      if (stmt->fill) Replace(stmt->fill->integer);
      Replace(stmt->access.element);
      Replace(stmt->access.indices);
      Replace(stmt->slice);
      Replace(stmt->condition);
      Replace(stmt->body);
      Replace(stmt->otherwise);
      if (!stmt->loop) continue;
      Replace(stmt->loop->low);
      Replace(stmt->loop->high);
      Replace(stmt->loop->step);
      Replace(stmt->loop->body);
    }
  }

  const Worth& worth_;
};

const ir::TileParameter* ParameterOf(const Kernel& kernel,
                                     const ir::Loop& loop) {
  if (loop.step.kind() != ir::IntKind::kName) return nullptr;
  const auto found = std::find_if(
      kernel.parameters.begin(), kernel.parameters.end(),
      [&](const auto& one) { return one.name == loop.step.name(); });
  return found == kernel.parameters.end() ? nullptr : &*found;
}

bool IsOverAll(const Kernel& kernel, const ir::Loop& loop) {
  const ir::TileParameter* parameter = ParameterOf(kernel, loop);
  return !loop.cores && !loop.extent.empty() && parameter != nullptr &&
         parameter->role == ir::TileParameter::Role::kPiece && loop.low.Is(0) &&
         Same(loop.high, parameter->extent);
}

}  // namespace

Kernel CopyOf(const Kernel& kernel) {
  Kernel copy = kernel;
  copy.body = CopyOf(kernel.body);
  return copy;
}

std::vector<Int> ExtentsOfPieces(const Kernel& kernel) {
  std::vector<Int> extents;
  ForEachStmt(kernel.body, [&](const Stmt& stmt) {
    if (stmt.kind != StmtKind::kLoop || !IsOverAll(kernel, *stmt.loop)) return;
    const Int& extent = stmt.loop->high;
    const bool known =
        std::any_of(extents.begin(), extents.end(),
                    [&](const Int& one) { return Same(one, extent); });
    if (!known) extents.push_back(extent);
  });
  return extents;
}

void TakeAsOnePiece(Kernel& kernel, const Int& extent) {
  Worth worth;
  RewriteBlock(
      kernel.body, [&](const std::shared_ptr<Stmt>& stmt) -> Replacement {
        if (stmt->kind != StmtKind::kLoop || !IsOverAll(kernel, *stmt->loop) ||
            !Same(stmt->loop->high, extent)) {
          return std::nullopt;
        }
        worth[stmt->loop->name] = 0;
        worth[stmt->loop->extent] = extent;
        worth[stmt->loop->step.name()] = extent;
        return stmt->loop->body;
      });
  Replacer(worth).Run(kernel);
  std::erase_if(kernel.parameters, [&](const ir::TileParameter& one) {
    return worth.contains(one.name);
  });
  std::erase_if(kernel.host, [&](const ir::HostValue& one) {
    return worth.contains(one.name);
  });
}

}  // namespace belay::crux::passes
