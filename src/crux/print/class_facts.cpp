// SPDX-License-Identifier: Apache-2.0
#include "crux/print/class_facts.h"

#include "crux/print/host_text.h"
#include "crux/print/integer_text.h"

namespace belay::crux::print {
namespace {

using code::Stmt;
using code::StmtKind;

// Host expressions may be negative (attributes); sizes and pieces are not.
bool HostMayBeNegative(const ir::Kernel& tiles, const ir::HostValue& value,
                       const ClassFacts& facts) {
  if (value.real) return false;
  switch (value.source) {
    case ir::HostSource::kSize:
    case ir::HostSource::kChosen:
      return false;
    case ir::HostSource::kFormula: {
      IntegerContext context;
      context.may_be_negative = [&](const std::string& name) {
        return facts.MayBeNegative(name);
      };
      return MayBeNegative(value.formula, context);
    }
    default:
      break;
  }
  if (value.source == ir::HostSource::kExpr) {
    return HostText(*tiles.source, tiles.dtypes).MayBeNegative(*value.expr);
  }
  return value.source != ir::HostSource::kLargest;
}

class Collector {
 public:
  Collector(const code::Kernel& kernel, ClassFacts& facts)
      : kernel_(kernel), facts_(facts) {
    context_.may_be_negative = [this](const std::string& name) {
      return facts_.MayBeNegative(name);
    };
    context_.at_least = [this](const ir::Int& a, const ir::Int& b) {
      return facts_.AtLeast(a, b);
    };
  }

  void Visit(const code::Block& block) {
    for (const auto& stmt : block) Visit(*stmt);
  }

  // Arguments for parameters that are handed on are, too.
  void NoteHandedOn(const code::Block& block) {
    for (const auto& stmt : block) {
      for (const code::Function& function : kernel_.functions) {
        if (stmt->kind != StmtKind::kInvoke ||
            function.name != stmt->function) {
          continue;
        }
        for (size_t i = 0; i < function.tensors.size(); ++i) {
          const std::string& name = function.tensors[i].name;
          if (name == stmt->tensors.at(i)) facts_.kept.insert(name);
          if (facts_.handed_on.contains(name)) {
            facts_.handed_on.insert(stmt->tensors.at(i));
          }
        }
      }
      NoteHandedOn(stmt->body);
      NoteHandedOn(stmt->otherwise);
    }
  }

 private:
  void Declare(const Stmt& stmt, bool may_be_negative) {
    facts_.variables.insert(stmt.name);
    if (may_be_negative) facts_.negative.insert(stmt.name);
  }

  void Visit(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kLet:
        Declare(stmt, !IsPastStart(stmt.value) &&
                          MayBeNegative(stmt.value, context_));
        NoteBound(stmt);
        break;
      case StmtKind::kVariable:
      case StmtKind::kScalarLet:
        Declare(stmt, true);
        break;
      case StmtKind::kFor:
        Declare(stmt, MayBeNegative(stmt.value, context_) ||
                          MayBeNegative(stmt.step, context_));
        facts_.bounds.insert_or_assign(stmt.name, stmt.high);
        starts_.insert_or_assign(stmt.name, stmt.value);
        break;
      case StmtKind::kIf:
        return VisitIf(stmt);
      case StmtKind::kAlloc:
      case StmtKind::kDeQue:
      case StmtKind::kGet:
      case StmtKind::kCast:
        facts_.locals[stmt.name] = stmt.dtype;
        break;
      case StmtKind::kCall:
        facts_.calls.insert(stmt.function);
        if (!stmt.name.empty()) Declare(stmt, false);
        break;
      case StmtKind::kFree:
      case StmtKind::kEnQue:
        facts_.handed_on.insert(stmt.name);
        break;
      case StmtKind::kSyncAll:
        facts_.syncs_all = true;
        break;
      case StmtKind::kInvoke:
        Invoke(stmt);
        break;
      default:
        break;
    }
    Visit(stmt.body);
    Visit(stmt.otherwise);
  }

  // a + b of a loop over a that begins at -b.
  bool IsPastStart(const ir::Int& value) const {
    if (value.kind() != ir::IntKind::kAdd ||
        value.args()[0].kind() != ir::IntKind::kName) {
      return false;
    }
    const auto start = starts_.find(value.args()[0].name());
    return start != starts_.end() &&
           Same(start->second, ir::Int(0) - value.args()[1]) &&
           !MayBeNegative(value.args()[1], context_);
  }

  // A name for a loop's variable, or for what a condition says is less than
  // something, has that bound.
  void NoteBound(const Stmt& let) {
    if (let.value.kind() == ir::IntKind::kName) {
      const auto found = facts_.bounds.find(let.value.name());
      if (found == facts_.bounds.end()) return;
      const ir::Int bound = found->second;
      facts_.bounds.insert_or_assign(let.name, bound);
      return;
    }
    for (const ir::Int& condition : conditions_) {
      if (condition.kind() == ir::IntKind::kLess &&
          Same(condition.args()[0], let.value)) {
        facts_.bounds.insert_or_assign(let.name, condition.args()[1]);
      }
    }
  }

  // Under "if (0 <= a)" a is not negative.
  void VisitIf(const Stmt& stmt) {
    const ir::Int& condition = stmt.value;
    conditions_.push_back(condition);
    const bool tells = condition.kind() == ir::IntKind::kLessEqual &&
                       condition.args()[0].Is(0) &&
                       condition.args()[1].kind() == ir::IntKind::kName;
    const bool negative =
        tells && facts_.negative.erase(condition.args()[1].name()) > 0;
    Visit(stmt.body);
    conditions_.pop_back();
    if (negative) facts_.negative.insert(condition.args()[1].name());
    Visit(stmt.otherwise);
  }

  void Invoke(const Stmt& stmt) {
    for (const code::Function& function : kernel_.functions) {
      if (function.name != stmt.function) continue;
      for (size_t i = 0; i < function.parameters.size(); ++i) {
        if (MayBeNegative(stmt.arguments.at(i), context_)) {
          facts_.negative.insert(function.parameters[i]);
        }
      }
    }
  }

  const code::Kernel& kernel_;
  ClassFacts& facts_;
  IntegerContext context_;
  std::unordered_map<std::string, ir::Int> starts_;  // of loop variables
  std::vector<ir::Int> conditions_;  // that hold at the statement
};

}  // namespace

bool ClassFacts::MayBeNegative(const std::string& name) const {
  return negative.contains(name);
}

bool ClassFacts::AtLeast(const ir::Int& a, const ir::Int& b) const {
  if (b.kind() != ir::IntKind::kName) return false;
  const auto found = bounds.find(b.name());
  return found != bounds.end() && Same(found->second, a);
}

ClassFacts FactsOf(const code::Kernel& kernel) {
  ClassFacts facts;
  for (const ir::HostValue& value : kernel.tiles->host) {
    facts.hosted.insert(value.name);
    if (HostMayBeNegative(*kernel.tiles, value, facts)) {
      facts.negative.insert(value.name);
    }
  }
  for (const code::Global& global : kernel.globals) {
    facts.globals[global.name] = global.dtype;
  }
  for (const code::Function& function : kernel.functions) {
    facts.variables.insert(function.parameters.begin(),
                           function.parameters.end());
    for (const code::TensorParameter& tensor : function.tensors) {
      facts.locals[tensor.name] = tensor.dtype;
    }
  }
  // Callers stand behind those they call.
  Collector collector(kernel, facts);
  for (size_t i = kernel.functions.size(); i-- > 0;) {
    collector.Visit(kernel.functions[i].body);
  }
  for (const code::Function& function : kernel.functions) {
    collector.NoteHandedOn(function.body);
  }
  return facts;
}

}  // namespace belay::crux::print
