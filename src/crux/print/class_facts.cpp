// SPDX-License-Identifier: Apache-2.0
#include "crux/print/class_facts.h"

#include <fmt/format.h>

#include <unordered_set>

#include "base/error.h"
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
    case ir::HostSource::kSlots:
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

  // Variables that are set to anything but themselves and a number more.
  void NoteSets(const code::Block& block) {
    for (const auto& stmt : block) {
      if (stmt->kind == StmtKind::kSet && !IsCount(*stmt)) {
        set_.insert(stmt->name);
      }
      NoteSets(stmt->body);
      NoteSets(stmt->otherwise);
    }
  }

  // Arguments for parameters that are handed on are, too.
  void NoteHandedOn(const code::Block& block) {
    for (const auto& stmt : block) {
      if (stmt->kind == StmtKind::kInvoke) NoteHandedOn(*stmt);
      NoteHandedOn(stmt->body);
      NoteHandedOn(stmt->otherwise);
    }
  }

 private:
  static bool IsCount(const Stmt& set) {
    const ir::Int& value = set.value;
    return value.kind() == ir::IntKind::kAdd &&
           Same(value.args()[0], ir::Int::Name(set.name)) &&
           value.args()[1].is_constant() && value.args()[1].value() >= 0;
  }

  void NoteHandedOn(const Stmt& call) {
    for (const code::Function& function : kernel_.functions) {
      if (function.name != call.function) continue;
      for (size_t i = 0; i < function.tensors.size(); ++i) {
        const std::string& name = function.tensors[i].name;
        if (name == call.tensors.at(i)) {
          facts_.kept.insert(name);
          facts_.Add(name).kept = true;
        }
        if (facts_.Of(name).handed_on) {
          facts_.Add(call.tensors.at(i)).handed_on = true;
        }
      }
    }
  }

  void Declare(const Stmt& stmt, bool may_be_negative) {
    NameFacts& facts = facts_.Add(stmt.name);
    facts.variable = true;
    facts.negative = facts.negative || may_be_negative;
  }

  void Visit(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kLet:
        Declare(stmt, !IsPastStart(stmt.value) &&
                          MayBeNegative(stmt.value, context_));
        NoteBound(stmt);
        break;
      case StmtKind::kVariable:
        Declare(stmt, set_.contains(stmt.name) ||
                          MayBeNegative(stmt.value, context_));
        break;
      case StmtKind::kScalarLet:
        Declare(stmt, true);
        break;
      case StmtKind::kFor:
        Declare(stmt, MayBeNegative(stmt.value, context_) ||
                          MayBeNegative(stmt.step, context_));
        facts_.Add(stmt.name).bound = stmt.high;
        starts_.insert_or_assign(stmt.name, stmt.value);
        break;
      case StmtKind::kIf:
        return VisitIf(stmt);
      case StmtKind::kAlloc:
      case StmtKind::kDeQue:
      case StmtKind::kGet:
      case StmtKind::kCast:
        facts_.Add(stmt.name).dtype = stmt.dtype;
        break;
      case StmtKind::kCall:
        facts_.calls.insert(stmt.function);
        if (!stmt.name.empty()) Declare(stmt, false);
        break;
      case StmtKind::kFree:
      case StmtKind::kEnQue:
        facts_.Add(stmt.name).handed_on = true;
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
      const std::optional<ir::Int> bound = facts_.Of(let.value.name()).bound;
      if (bound) facts_.Add(let.name).bound = bound;
      return;
    }
    for (const ir::Int& condition : conditions_) {
      if (condition.kind() == ir::IntKind::kLess &&
          Same(condition.args()[0], let.value)) {
        facts_.Add(let.name).bound = condition.args()[1];
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
        tells && facts_.Of(condition.args()[1].name()).negative;
    if (negative) facts_.Add(condition.args()[1].name()).negative = false;
    Visit(stmt.body);
    conditions_.pop_back();
    if (negative) facts_.Add(condition.args()[1].name()).negative = true;
    Visit(stmt.otherwise);
  }

  void Invoke(const Stmt& stmt) {
    for (const code::Function& function : kernel_.functions) {
      if (function.name != stmt.function) continue;
      for (size_t i = 0; i < function.parameters.size(); ++i) {
        if (MayBeNegative(stmt.arguments.at(i), context_)) {
          facts_.Add(function.parameters[i]).negative = true;
        }
      }
    }
  }

  const code::Kernel& kernel_;
  ClassFacts& facts_;
  IntegerContext context_;
  std::unordered_map<std::string, ir::Int> starts_;  // of loop variables
  std::unordered_set<std::string> set_;              // see NoteSets
  std::vector<ir::Int> conditions_;  // that hold at the statement
};

}  // namespace

const NameFacts& ClassFacts::Of(std::string_view name, uint64_t hash) const {
  static const NameFacts kNothing;
  const uint32_t number = numbers_.Find(name, hash);
  return number == ir::NameNumbers::kNone ? kNothing : known_[number];
}

NameFacts& ClassFacts::Add(std::string_view name) {
  const uint32_t number = numbers_.Of(name);
  if (number == known_.size()) known_.emplace_back();
  return known_[number];
}

DType ClassFacts::DtypeOf(const std::string& local) const {
  const NameFacts& facts = Of(local);
  if (!facts.is_local()) {
    throw InternalError(fmt::format("[crux] {} is no tensor on chip", local));
  }
  return facts.dtype;
}

bool ClassFacts::AtLeast(const ir::Int& a, const ir::Int& b) const {
  if (b.kind() != ir::IntKind::kName) return false;
  const NameFacts& facts = Of(b.name(), b.name_hash());
  return facts.bound && Same(*facts.bound, a);
}

ClassFacts FactsOf(const code::Kernel& kernel) {
  ClassFacts facts;
  for (const ir::HostValue& value : kernel.tiles->host) {
    const bool negative = HostMayBeNegative(*kernel.tiles, value, facts);
    NameFacts& own = facts.Add(value.name);
    own.hosted = true;
    own.negative = negative;
  }
  for (const code::Global& global : kernel.globals) {
    facts.globals[global.name] = global.dtype;
  }
  for (const code::Function& function : kernel.functions) {
    for (const std::string& parameter : function.parameters) {
      facts.Add(parameter).variable = true;
    }
    for (const code::TensorParameter& tensor : function.tensors) {
      facts.Add(tensor.name).dtype = tensor.dtype;
    }
  }
  // Callers stand behind those they call.
  Collector collector(kernel, facts);
  for (const code::Function& function : kernel.functions) {
    collector.NoteSets(function.body);
  }
  for (size_t i = kernel.functions.size(); i-- > 0;) {
    collector.Visit(kernel.functions[i].body);
  }
  for (const code::Function& function : kernel.functions) {
    collector.NoteHandedOn(function.body);
  }
  return facts;
}

}  // namespace belay::crux::print
