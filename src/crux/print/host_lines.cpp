// SPDX-License-Identifier: Apache-2.0
#include "crux/print/host_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

using typed::Statement;
using typed::StatementKind;
using typed::Variable;

void CountAssignments(const typed::Block& block,
                      std::map<const Variable*, int>& counts) {
  for (const Statement* statement : block) {
    for (const Variable* variable : statement->targets) ++counts[variable];
    if (statement->loop != nullptr) {
      CountAssignments(statement->loop->body, counts);
    }
    CountAssignments(statement->body, counts);
    CountAssignments(statement->otherwise, counts);
  }
}

class LineWriter {
 public:
  LineWriter(const typed::Kernel& kernel, HostNeeds& needs)
      : host_(kernel, FirstDtypes(kernel)), needs_(needs) {}

  Text Print(const typed::Block& body) {
    assignments_ = AssignmentsIn(body);
    Walk(body);
    needs_.Add(host_.needs());
    return std::move(text_);
  }

 private:
  static std::vector<DType> FirstDtypes(const typed::Kernel& kernel) {
    return typed::InstancesOf(kernel).front();
  }

  bool Assigns(const typed::Block& block) const {
    return std::any_of(block.begin(), block.end(), [&](const Statement* s) {
      if (s->kind == StatementKind::kLoop) return Assigns(s->loop->body);
      if (s->kind == StatementKind::kIf) {
        return Assigns(s->body) || Assigns(s->otherwise);
      }
      return s->kind == StatementKind::kAssign &&
             std::any_of(s->targets.begin(), s->targets.end(),
                         [&](const Variable* variable) {
                           return needs_.variables.contains(variable);
                         });
    });
  }

  void Assign(const Statement& statement) {
    if (statement.targets.size() != statement.values.size()) return;
    for (size_t i = 0; i < statement.targets.size(); ++i) {
      const Variable& variable = *statement.targets[i];
      host_.Learn(variable, *statement.values[i]);
      if (!needs_.variables.contains(&variable)) continue;
      const bool tensor = variable.type.kind == TypeKind::kTensor;
      const std::string name =
          LegalName(variable.name) + (tensor ? "_dims" : "");
      const std::string value = tensor ? host_.DimsOf(*statement.values[i])
                                       : host_.Of(*statement.values[i]);
      const bool is_new = declared_.insert(&variable).second;
      const std::string type =
          (assignments_[&variable] == 1 ? "const " : "") + TypeOf(variable);
      text_.Statement(
          fmt::format("{}{} = {};", is_new ? type + " " : "", name, value));
    }
  }

  static std::string TypeOf(const Variable& variable) {
    switch (variable.type.kind) {
      case TypeKind::kTensor:
        return "Dims";
      case TypeKind::kHostFloat:
        return "double";
      case TypeKind::kHostBool:
        return "bool";
      case TypeKind::kHostString:
        return "std::string";
      case TypeKind::kHostList:
        return "std::vector<int64_t>";
      default:
        return "int64_t";
    }
  }

  // Before an `if` whose blocks assign them.
  void DeclareTargets(const typed::Block& block) {
    for (const Statement* statement : block) {
      for (const Variable* variable : statement->targets) {
        if (!needs_.variables.contains(variable)) continue;
        if (!declared_.insert(variable).second) continue;
        const bool tensor = variable->type.kind == TypeKind::kTensor;
        text_.Statement(fmt::format("{} {}{}{{}};", TypeOf(*variable),
                                    LegalName(variable->name),
                                    tensor ? "_dims" : ""));
      }
      DeclareTargets(statement->body);
      DeclareTargets(statement->otherwise);
    }
  }

  void Walk(const typed::Block& block) {
    for (const Statement* statement : block) {
      switch (statement->kind) {
        case StatementKind::kAssign:
          Assign(*statement);
          break;
        case StatementKind::kLoop:
          Walk(statement->loop->body);
          break;
        case StatementKind::kIf:
          If(*statement);
          break;
        default:
          break;
      }
    }
  }

  void If(const Statement& statement) {
    if (!Assigns(statement.body) && !Assigns(statement.otherwise)) return;
    if (statement.how == typed::IfKind::kFits) return Walk(statement.body);
    if (statement.how != typed::IfKind::kVariant) return;
    DeclareTargets(statement.body);
    DeclareTargets(statement.otherwise);
    text_.Statement(fmt::format("if ({}) {{", host_.Of(*statement.condition)));
    Walk(statement.body);
    if (Assigns(statement.otherwise)) {
      text_.Reopen("} else {");
      Walk(statement.otherwise);
    }
    text_.Close();
  }

  HostText host_;
  HostNeeds& needs_;
  std::map<const Variable*, int> assignments_;
  std::set<const Variable*> declared_;
  Text text_;
};

}  // namespace

std::map<const Variable*, int> AssignmentsIn(const typed::Block& block) {
  std::map<const Variable*, int> counts;
  CountAssignments(block, counts);
  return counts;
}

Text HostLines(const typed::Kernel& kernel, HostNeeds& needs) {
  if (needs.variables.empty()) return {};
  for (;;) {
    const size_t before = needs.variables.size();
    Text text = LineWriter(kernel, needs).Print(kernel.body);
    if (needs.variables.size() == before) return text;
  }
}

}  // namespace belay::crux::print
