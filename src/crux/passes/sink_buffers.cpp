// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/sink_buffers.h"

#include <algorithm>

#include "crux/ir/visit_names.h"

namespace belay::crux::passes {
namespace {

using code::Block;
using code::NameRole;
using code::Stmt;
using code::StmtKind;

// Statements inside included.
bool Uses(const Stmt& stmt, const std::string& tensor) {
  bool uses = false;
  code::NameVisitor([&](NameRole role, const std::string& name) {
    uses = uses || (role == NameRole::kTensor && name == tensor);
  }).Own(stmt);
  const auto inside = [&](const Block& block) {
    return std::any_of(block.begin(), block.end(),
                       [&](const auto& one) { return Uses(*one, tensor); });
  };
  return uses || inside(stmt.body) || inside(stmt.otherwise);
}

// Those that are first used by one statement stay in order before it.
void SinkIn(Block& block) {
  for (size_t i = block.size(); i-- > 0;) {
    SinkIn(block[i]->body);
    SinkIn(block[i]->otherwise);
    if (block[i]->kind != StmtKind::kGet) continue;
    size_t to = i + 1;
    while (to < block.size() && !Uses(*block[to], block[i]->name)) ++to;
    if (to == block.size() || to == i + 1) continue;
    block[i]->line = block[to]->line;
    while (to > i + 1 && block[to - 1]->kind == StmtKind::kGet) --to;
    const auto begin = block.begin() + static_cast<std::ptrdiff_t>(i);
    std::rotate(begin, begin + 1,
                block.begin() + static_cast<std::ptrdiff_t>(to));
  }
}

}  // namespace

void SinkBuffers(code::Kernel& kernel) {
  for (code::Function& function : kernel.functions) SinkIn(function.body);
}

}  // namespace belay::crux::passes
