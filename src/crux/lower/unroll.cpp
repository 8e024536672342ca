// SPDX-License-Identifier: Apache-2.0
// Loops whose turns each take one of the few elements that the last dimension
// of a tensor has, `x[r, :, j]`: written out turn by turn, so that what they
// move may become one move (passes/join_steps.h).

#include <algorithm>

#include "crux/lower/lowering.h"

namespace belay::crux::lower {
namespace {

using typed::Expr;
using typed::ExprKind;
using typed::LoopKind;
using typed::Statement;
using typed::SubscriptKind;

constexpr int64_t kMostTurns = 8;

bool IsIndexOf(const Expr* expr, const typed::Loop& loop) {
  return expr != nullptr && expr->kind == ExprKind::kLoopIndex &&
         expr->loop == &loop;
}

// Whether a view takes one of `turns` elements at a time by the loop's index.
bool TakesInTurns(const Expr& view, const typed::Loop& loop, int64_t turns) {
  if (view.kind != ExprKind::kView || view.subscripts.empty()) return false;
  const typed::Subscript& last = view.subscripts.back();
  const Type& tensor = view.args[0]->type;
  return last.kind == SubscriptKind::kPoint && IsIndexOf(last.value, loop) &&
         view.subscripts.size() == tensor.dims.size() &&
         tensor.dims.back().constant() == turns;
}

bool AnyView(const Expr* expr, const auto& test) {
  if (expr == nullptr) return false;
  if (test(*expr)) return true;
  return std::any_of(expr->args.begin(), expr->args.end(),
                     [&](const Expr* arg) { return AnyView(arg, test); });
}

bool AnyView(const typed::Block& block, const auto& test) {
  return std::any_of(block.begin(), block.end(), [&](const Statement* one) {
    const auto is = [&](const Expr* expr) { return AnyView(expr, test); };
    return std::any_of(one->values.begin(), one->values.end(), is) ||
           is(one->target) || is(one->value) || AnyView(one->body, test) ||
           AnyView(one->otherwise, test) ||
           (one->loop != nullptr && AnyView(one->loop->body, test));
  });
}

}  // namespace

std::optional<int64_t> Lowering::TurnsToWriteOut(const typed::Loop& loop) {
  if (loop.kind != LoopKind::kRange || loop.step != nullptr ||
      (loop.low != nullptr && loop.low->value.constant() != 0)) {
    return std::nullopt;
  }
  const auto turns = loop.high->value.constant();
  if (!turns || *turns < 2 || *turns > kMostTurns) return std::nullopt;
  const bool takes = AnyView(loop.body, [&](const Expr& view) {
    return TakesInTurns(view, loop, *turns);
  });
  return takes ? turns : std::nullopt;
}

void Lowering::WriteOut(const typed::Loop& loop, int64_t turns) {
  for (int64_t turn = 0; turn < turns; ++turn) {
    const size_t learned = learned_.size();
    loop_names_[static_cast<size_t>(loop.id)] = turn;
    LowerBlock(loop.body);
    // Sizes may speak of the turn.
    while (learned_.size() > learned) {
      atoms_.erase(learned_.back());
      learned_.pop_back();
    }
  }
}

}  // namespace belay::crux::lower
