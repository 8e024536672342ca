// SPDX-License-Identifier: Apache-2.0
#include "crux/select/free_early.h"

#include <algorithm>

#include "crux/ir/code_names.h"

namespace belay::crux::select {
namespace {

bool Has(const code::Stmt& stmt, const std::string& tensor) {
  code::NamesIn names;
  code::AddNames(stmt, names);
  return names.tensors.contains(tensor) ||
         names.defined_tensors.contains(tensor);
}

}  // namespace

void FreeEarly(code::Block& block) {
  for (size_t i = 0; i < block.size(); ++i) {
    if (block[i]->kind != code::StmtKind::kFree) continue;
    const std::string tensor = block[i]->name;
    size_t to = i;
    bool crosses = false;
    while (to > 0 && !Has(*block[to - 1], tensor)) {
      --to;
      crosses = crosses || block[to]->kind == code::StmtKind::kFor;
    }
    // Under another name it may be used behind.
    const bool renamed =
        std::any_of(block.begin(), block.end(), [&](const auto& stmt) {
          return stmt->kind == code::StmtKind::kCast && stmt->from == tensor;
        });
    if (!crosses || to == 0 || renamed) continue;
    std::rotate(block.begin() + static_cast<ptrdiff_t>(to),
                block.begin() + static_cast<ptrdiff_t>(i),
                block.begin() + static_cast<ptrdiff_t>(i) + 1);
    block[to]->line = block[to - 1]->line;
    block[to]->stage = block[to - 1]->stage;
  }
}

}  // namespace belay::crux::select
