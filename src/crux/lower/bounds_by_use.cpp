// SPDX-License-Identifier: Apache-2.0
// How long a tile can be whose length only the device knows: as long as the
// dimension of a tensor that is cut at the same length somewhere in the kernel.

#include "crux/lower/lowering.h"

namespace belay::crux::lower {
namespace {

using typed::ExprKind;
using typed::SubscriptKind;

// Views x[…, 0:n, …] of parameters, n of the given size.
struct SliceSearch {
  const Size& length;
  const typed::Expr* view = nullptr;  // found
  size_t axis = 0;

  void Visit(const typed::Expr* expr) {
    if (expr == nullptr || view != nullptr) return;
    if (expr->kind == ExprKind::kView &&
        expr->args[0]->kind == ExprKind::kParameter) {
      for (size_t i = 0; i < expr->subscripts.size(); ++i) {
        const typed::Subscript& subscript = expr->subscripts[i];
        const bool front =
            subscript.kind == SubscriptKind::kSlice &&
            subscript.high != nullptr &&
            (subscript.low == nullptr || subscript.low->value.constant() == 0);
        if (front && Equal(subscript.high->value, length)) {
          view = expr;
          axis = i;
          return;
        }
      }
    }
    for (const typed::Expr* arg : expr->args) Visit(arg);
    for (const typed::Subscript& subscript : expr->subscripts) {
      Visit(subscript.value);
    }
  }

  void Visit(const typed::Block& block) {
    for (const typed::Statement* statement : block) {
      for (const typed::Expr* value : statement->values) Visit(value);
      Visit(statement->target);
      Visit(statement->value);
      if (statement->loop != nullptr) Visit(statement->loop->body);
      Visit(statement->body);
      Visit(statement->otherwise);
    }
  }
};

}  // namespace

std::optional<Int> Lowering::BoundByUse(const Size& length) {
  if (!length.known()) return std::nullopt;
  SliceSearch search{length};
  search.Visit(source_.body);
  if (search.view == nullptr) return std::nullopt;
  const TensorView view = ViewOf(*search.view->args[0]);
  return Upper(view.dims.at(search.axis));
}

}  // namespace belay::crux::lower
