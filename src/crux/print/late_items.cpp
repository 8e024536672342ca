// SPDX-License-Identifier: Apache-2.0
#include "crux/print/late_items.h"

#include <algorithm>
#include <optional>

#include "crux/print/integer_text.h"

namespace belay::crux::print {
namespace {

// What the items of cores depend on in the code of a variant.
std::optional<std::string> LateIn(const code::Block& block) {
  for (const auto& stmt : block) {
    if (stmt->kind == code::StmtKind::kLet) {
      const auto shared = SharedItems::Of(stmt->value);
      if (shared && shared->late &&
          shared->late->kind() == ir::IntKind::kName) {
        return shared->late->name();
      }
    }
    for (const code::Block* inner : {&stmt->body, &stmt->otherwise}) {
      if (auto late = LateIn(*inner)) return late;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string LateOfSome(const Compiled& compiled) {
  std::string late;
  bool some_have_none = false;
  for (const CompiledVariant& variant : compiled.variants) {
    const auto own = LateIn(variant.code->functions.back().body);
    some_have_none = some_have_none || !own;
    if (!own) continue;
    if (!late.empty() && late != *own) return "";
    late = *own;
  }
  return some_have_none ? late : "";
}

}  // namespace belay::crux::print
