// SPDX-License-Identifier: Apache-2.0
#include "crux/run/flat_int.h"

#include <algorithm>

namespace belay::crux::run {
namespace {

using ir::IntKind;

// Division by zero gives 0 here, as on the device.
int64_t Combine(IntKind kind, int64_t a, int64_t b, int64_t c) {
  switch (kind) {
    case IntKind::kSelect:
      return a != 0 ? b : c;
    case IntKind::kNot:
      return a == 0;
    default:
      return ir::DividesByZero(kind, b) ? 0 : ir::Apply(kind, a, b);
  }
}

}  // namespace

FlatInt::FlatInt(const ir::Int& expr) { Add(expr); }

size_t FlatInt::Add(const ir::Int& expr) {
  const void* identity = expr.identity();  // of constants: null
  const auto known = known_.find(identity);
  if (identity != nullptr && known != known_.end()) return known->second;
  Node node;
  node.kind = expr.kind();
  if (node.kind == IntKind::kConstant) node.value = expr.value();
  if (node.kind == IntKind::kName || node.kind == IntKind::kElement) {
    node.name = expr.name();
  }
  if (node.kind == IntKind::kName) {
    const auto same = names_.find(node.name);
    if (same != names_.end()) return same->second;
    names_[node.name] = nodes_.size();
  }
  for (size_t i = 0; i < expr.args().size(); ++i) {
    node.args[i] = Add(expr.args()[i]);
  }
  nodes_.push_back(std::move(node));
  known_[identity] = nodes_.size() - 1;
  return nodes_.size() - 1;
}

int64_t FlatInt::Evaluate(const ir::Lookup& lookup) const {
  std::vector<int64_t> values(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    switch (node.kind) {
      case IntKind::kConstant:
        values[i] = node.value;
        break;
      case IntKind::kName:
        values[i] = lookup(node.name, -1);
        break;
      case IntKind::kElement:
        values[i] = lookup(node.name, values[node.args[0]]);
        break;
      default:
        values[i] = Combine(node.kind, values[node.args[0]],
                            values[node.args[1]], values[node.args[2]]);
    }
  }
  return values.back();
}

}  // namespace belay::crux::run
