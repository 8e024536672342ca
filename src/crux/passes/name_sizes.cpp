// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/name_sizes.h"

#include <algorithm>
#include <map>
#include <set>

#include "crux/ir/code_names.h"
#include "crux/ir/code_rewrite.h"

namespace belay::crux::passes {
namespace {

using code::Stmt;
using code::StmtKind;
using ir::Int;
using ir::IntKind;

// A number that divides the integer whatever it is; 1 if none is known.
int64_t FactorOf(const ir::Kernel& kernel, const Int& expr) {
  switch (expr.kind()) {
    case IntKind::kConstant:
      return std::max<int64_t>(1, std::abs(expr.value()));
    case IntKind::kName:
      for (const ir::TileParameter& parameter : kernel.parameters) {
        if (parameter.name == expr.name()) return parameter.unit;
      }
      return 1;
    case IntKind::kMul:
      return FactorOf(kernel, expr.args()[0]) *
             FactorOf(kernel, expr.args()[1]);
    case IntKind::kAlignUp:
      return expr.args()[1].is_constant() ? expr.args()[1].value() : 1;
    default:
      return 1;
  }
}

class Namer {
 public:
  Namer(ir::Kernel& tiles, code::Kernel& code) : tiles_(tiles), code_(code) {
    for (const ir::HostValue& value : tiles.host) {
      const bool array = value.source == ir::HostSource::kPerItem ||
                         value.source == ir::HostSource::kList;
      if (!value.real && !array) host_.insert(value.name);
    }
    // Names of the code are taken.
    code::NamesIn names;
    for (const code::Function& function : code.functions) {
      AddNames(function.body, names);
      for (const std::string& name : function.parameters) {
        names.defined_integers.insert(name);
      }
      for (const code::TensorParameter& tensor : function.tensors) {
        names.defined_tensors.insert(tensor.name);
      }
    }
    for (const auto* taken :
         {&names.defined_integers, &names.defined_tensors}) {
      tiles.used_names.insert(tiles.used_names.end(), taken->begin(),
                              taken->end());
    }
  }

  void Run() {
    code::RewriteInts(code_, [&](const Int& expr) { return Simplified(expr); });
    for (code::Function& function : code_.functions) {
      NamePitches(function.body);
      DropLets(function.body);
    }
    code::NamesIn names;
    for (const code::Function& function : code_.functions) {
      AddNames(function.body, names);
    }
    for (const std::string& name : made_) {
      if (names.integers.contains(name)) code_.fields.push_back(name);
    }
  }

 private:
  // Without roundings to what is a multiple already.
  Int Simplified(const Int& expr) const {
    if (expr.args().empty()) return expr;
    if (expr.kind() == IntKind::kElement) {
      return Int::Element(expr.name(), Simplified(expr.args()[0]));
    }
    if (expr.kind() == IntKind::kNot) {
      return Int::Not(Simplified(expr.args()[0]));
    }
    if (expr.kind() == IntKind::kSelect) {
      return Int::Select(Simplified(expr.args()[0]), Simplified(expr.args()[1]),
                         Simplified(expr.args()[2]));
    }
    const Int a = Simplified(expr.args()[0]);
    const Int b = Simplified(expr.args()[1]);
    if (expr.kind() == IntKind::kAlignUp && b.is_constant() &&
        FactorOf(tiles_, a) % b.value() == 0) {
      return a;
    }
    return Int::Of(expr.kind(), a, b);
  }

  bool IsHost(const Int& expr) const {
    std::set<std::string> names;
    CollectNames(expr, names);
    return !names.empty() &&
           std::all_of(names.begin(), names.end(),
                       [&](const auto& name) { return host_.contains(name); });
  }

  std::string NewField(const std::string& wish, const Int& formula) {
    ir::HostValue value;
    value.name = tiles_.FreshName(wish);
    value.source = ir::HostSource::kFormula;
    value.formula = formula;
    tiles_.host.push_back(value);
    host_.insert(value.name);
    made_.push_back(value.name);
    return value.name;
  }

  // Roundings up of host values get names.
  void NamePitches(code::Block& block) {
    code::RewriteInts(block, [&](const Int& expr) { return Named(expr); });
  }

  Int Named(const Int& expr) {
    if (expr.args().empty()) return expr;
    if (expr.kind() == IntKind::kAlignUp && IsHost(expr)) {
      const std::string text = ToText(expr);
      auto found = pitches_.find(text);
      if (found == pitches_.end()) {
        const bool plain = expr.args()[0].kind() == IntKind::kName;
        const std::string wish =
            plain ? expr.args()[0].name() + "_pitch" : "pitch";
        found = pitches_.emplace(text, NewField(wish, expr)).first;
      }
      return Int::Name(found->second);
    }
    if (expr.kind() == IntKind::kElement) {
      return Int::Element(expr.name(), Named(expr.args()[0]));
    }
    if (expr.kind() == IntKind::kNot) return Int::Not(Named(expr.args()[0]));
    if (expr.kind() == IntKind::kSelect) {
      return Int::Select(Named(expr.args()[0]), Named(expr.args()[1]),
                         Named(expr.args()[2]));
    }
    return Int::Of(expr.kind(), Named(expr.args()[0]), Named(expr.args()[1]));
  }

  // Integers of the device that the host can work out are fields.
  void DropLets(code::Block& block) {
    code::Block result;
    for (const auto& stmt : block) {
      if (stmt->kind == StmtKind::kLet && IsHost(stmt->value)) {
        rename_[stmt->name] = NewField(stmt->name, stmt->value);
        continue;
      }
      DropLets(stmt->body);
      DropLets(stmt->otherwise);
      result.push_back(stmt);
    }
    block = std::move(result);
    if (rename_.empty()) return;
    code::RewriteInts(block, [&](const Int& expr) {
      return Substitute(expr, [&](const std::string& name) {
        const auto found = rename_.find(name);
        return found == rename_.end() ? std::nullopt
                                      : std::optional(Int::Name(found->second));
      });
    });
  }

  ir::Kernel& tiles_;
  code::Kernel& code_;
  std::set<std::string> host_;
  std::map<std::string, std::string> pitches_;  // by their text
  std::map<std::string, std::string> rename_;
  std::vector<std::string> made_;
};

}  // namespace

void NameSizes(ir::Kernel& tiles, code::Kernel& code) {
  Namer(tiles, code).Run();
}

}  // namespace belay::crux::passes
