// SPDX-License-Identifier: Apache-2.0
#include "crux/print/named_lines.h"

#include <algorithm>

#include "crux/print/host_lines.h"
#include "crux/print/host_text.h"
#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

using typed::Expr;
using typed::ExprKind;
using typed::Statement;
using typed::StatementKind;
using typed::Variable;

// Characters that are not written out again.
constexpr size_t kLong = 72;

template <typename Value>
const Value* Find(const std::map<const Variable*, Value>& values,
                  const Variable& variable) {
  const auto found = values.find(&variable);
  return found == values.end() ? nullptr : &found->second;
}

}  // namespace

NamedLines::NamedLines(const typed::Kernel& kernel) {
  Read(kernel);
  if (long_.empty()) return;
  for (const Variable* variable : long_) {
    named_.insert(variable);
    NameWhatItNeeds(*values_.at(variable));
  }
  values_.clear();
  spellings_.clear();
  dims_.clear();
  Read(kernel);
}

void NamedLines::Read(const typed::Kernel& kernel) {
  auto assignments = AssignmentsIn(kernel.body);
  std::map<std::string, int> names;
  for (const Variable* variable : kernel.variables) {
    ++names[LegalName(variable->name)];
  }
  HostText host(kernel, typed::InstancesOf(kernel).front(), this);
  for (const Statement* statement : kernel.body) {
    if (statement->kind != StatementKind::kAssign ||
        statement->targets.size() != statement->values.size()) {
      continue;
    }
    for (size_t i = 0; i < statement->targets.size(); ++i) {
      const Variable& variable = *statement->targets[i];
      if (assignments[&variable] == 1 &&
          names[LegalName(variable.name)] == 1) {
        ReadLine(variable, *statement->values[i], host);
      }
    }
  }
}

void NamedLines::ReadLine(const Variable& variable, const Expr& value,
                          HostText& host) {
  if (!IsTotal(value)) return;
  if (variable.type.kind == TypeKind::kTensor) {
    dims_[&variable] = host.DimsOf(value);
    return;
  }
  if (variable.type.kind != TypeKind::kHostInt) return;
  values_[&variable] = &value;
  host.Learn(variable, value);
  const NamedLines::Spelling written = host.SpellingOf(value);
  if (written.text.size() > kLong) long_.insert(&variable);
  const bool named = named_.contains(&variable);
  if (named) by_text_.try_emplace(written.text, &variable);
  spellings_[&variable] =
      named ? Spelling{LegalName(variable.name), precedence::kPrimary}
            : written;
}

bool NamedLines::IsTotal(const Expr& expr) const {
  const auto args_are = [&] {
    return std::all_of(expr.args.begin(), expr.args.end(), [&](const Expr* one) {
      return one != nullptr && IsTotal(*one);
    });
  };
  switch (expr.kind) {
    case ExprKind::kLiteral:
    case ExprKind::kSize:
    case ExprKind::kPackSize:
      return true;
    case ExprKind::kParameter:
      return !expr.parameter->list && !expr.parameter->optional &&
             (expr.type.kind == TypeKind::kHostInt ||
              expr.type.kind == TypeKind::kTensor);
    case ExprKind::kVariable:
      return spellings_.contains(expr.variable) ||
             dims_.contains(expr.variable);
    case ExprKind::kDimension:
    case ExprKind::kTensorSize:
    case ExprKind::kAround:
    case ExprKind::kFlat:
    case ExprKind::kFromHost:
      return args_are();
    case ExprKind::kOperation:
      break;
    default:
      return false;
  }
  if (expr.type.kind != TypeKind::kHostInt) return false;
  switch (expr.op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kMaximum:
    case Op::kMinimum:
      return args_are();
    case Op::kFloorDiv:
    case Op::kCeilDiv:
    case Op::kMod:
      return args_are() && IsPositive(*expr.args[1]);
    default:
      return false;
  }
}

bool NamedLines::IsPositive(const Expr& expr) const {
  if (expr.kind == ExprKind::kLiteral) return expr.integer > 0;
  if (expr.kind == ExprKind::kVariable) {
    const auto found = values_.find(expr.variable);
    return found != values_.end() && IsPositive(*found->second);
  }
  if (expr.kind != ExprKind::kOperation || expr.args.size() != 2) return false;
  const Expr& a = *expr.args[0];
  const Expr& b = *expr.args[1];
  switch (expr.op) {
    case Op::kMaximum:
      return IsPositive(a) || IsPositive(b);
    case Op::kMinimum:
    case Op::kMul:
    case Op::kCeilDiv:
      return IsPositive(a) && IsPositive(b);
    default:
      return false;
  }
}

void NamedLines::NameWhatItNeeds(const Expr& expr) {
  if (expr.kind == ExprKind::kVariable) {
    const auto found = values_.find(expr.variable);
    if (found == values_.end() || !named_.insert(expr.variable).second) return;
    NameWhatItNeeds(*found->second);
    return;
  }
  for (const Expr* arg : expr.args) NameWhatItNeeds(*arg);
}

const NamedLines::Spelling* NamedLines::SpellingOf(
    const Variable& variable) const {
  return Find(spellings_, variable);
}

const std::string* NamedLines::DimsOf(const Variable& variable) const {
  return Find(dims_, variable);
}

const Variable* NamedLines::LineOf(const std::string& text) const {
  const auto found = by_text_.find(text);
  return found == by_text_.end() ? nullptr : found->second;
}

}  // namespace belay::crux::print
