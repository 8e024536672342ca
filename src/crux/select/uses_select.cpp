// SPDX-License-Identifier: Apache-2.0
#include "crux/select/uses_select.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace belay::crux::select {
namespace {

// Functions of the high-level library that choose lanes use it, too.
constexpr std::string_view kSelecting[] = {
    "Select", "Acos", "Asin",  "Atan", "Cos", "Cosh", "Erf", "Erfc", "Fmod",
    "Log10",  "Log2", "Power", "Sign", "Sin", "Sinh", "Tan", "Tanh", "Trunc"};

bool UsesSelect(const code::Block& block) {
  return std::any_of(block.begin(), block.end(), [](const auto& stmt) {
    if (stmt->kind == code::StmtKind::kCall) {
      return std::find(std::begin(kSelecting), std::end(kSelecting),
                       stmt->function) != std::end(kSelecting);
    }
    return UsesSelect(stmt->body) || UsesSelect(stmt->otherwise);
  });
}

}  // namespace

bool UsesSelect(const code::Kernel& kernel) {
  return std::any_of(
      kernel.functions.begin(), kernel.functions.end(),
      [](const code::Function& one) { return UsesSelect(one.body); });
}

}  // namespace belay::crux::select
