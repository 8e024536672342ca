// SPDX-License-Identifier: Apache-2.0
#include "crux/scope.h"

namespace belay::crux {

void Scope::Push(FrameKind kind) { frames_.emplace_back().kind = kind; }

std::map<std::string, Binding, std::less<>> Scope::Pop() {
  auto names = std::move(frames_.back().names);
  frames_.pop_back();
  return names;
}

const Binding* Scope::Find(std::string_view name) const {
  for (size_t i = frames_.size(); i-- > 0;) {
    const auto found = frames_[i].names.find(name);
    if (found != frames_[i].names.end()) return &found->second;
    if (frames_[i].kind == FrameKind::kFunction) break;
  }
  return nullptr;
}

void Scope::Bind(std::string_view name, Binding binding) {
  frames_.back().names.insert_or_assign(std::string(name), std::move(binding));
}

bool Scope::Inside(typed::LoopKind kind) const {
  for (const Frame& frame : frames_) {
    if (frame.kind == FrameKind::kLoop && frame.loop->kind == kind) return true;
  }
  return false;
}

std::vector<std::string> Scope::Names() const {
  std::vector<std::string> names;
  for (size_t i = frames_.size(); i-- > 0;) {
    for (const auto& [name, binding] : frames_[i].names) {
      if (binding.kind != BindingKind::kLost) names.push_back(name);
    }
    if (frames_[i].kind == FrameKind::kFunction) break;
  }
  return names;
}

void CollectAssigned(const syntax::Block& block,
                     std::set<std::string, std::less<>>& names) {
  for (const syntax::Statement* statement : block) {
    for (const syntax::Expr* target : statement->targets) {
      if (statement->kind == syntax::StatementKind::kFor) continue;
      // acc[c] += v assigns acc.
      while (target->kind == syntax::ExprKind::kSubscript) {
        target = target->items[0];
      }
      if (target->kind == syntax::ExprKind::kName) names.insert(target->text);
    }
    CollectAssigned(statement->body, names);
    for (const syntax::Branch& branch : statement->branches) {
      CollectAssigned(branch.body, names);
    }
    CollectAssigned(statement->otherwise, names);
  }
}

}  // namespace belay::crux
