// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/name_sizes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "crux/ir/code_rewrite.h"
#include "crux/ir/name_set.h"
#include "crux/ir/visit_names.h"

namespace belay::crux::passes {
namespace {

using code::Stmt;
using code::StmtKind;
using ir::Int;
using ir::IntKind;

// Bytes: every buffer takes a multiple of it.
constexpr int64_t kMemoryUnit = 512;

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
    case IntKind::kAdd:
      return std::gcd(FactorOf(kernel, expr.args()[0]),
                      FactorOf(kernel, expr.args()[1]));
    case IntKind::kSelect:
      return std::gcd(FactorOf(kernel, expr.args()[1]),
                      FactorOf(kernel, expr.args()[2]));
    case IntKind::kAlignUp:
      return expr.args()[1].is_constant() ? expr.args()[1].value() : 1;
    default:
      return 1;
  }
}

// The same, and in the same order.
bool AreWrittenAlike(const Int& a, const Int& b) {
  if (a.IsIdentical(b)) return true;
  return a.kind() == b.kind() && !a.is_constant() && a.name() == b.name() &&
         std::equal(a.args().begin(), a.args().end(), b.args().begin(),
                    b.args().end(), AreWrittenAlike);
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
    const auto take = [&](const std::string& name, uint64_t hash) {
      if (tiles.used_names.contains(name, hash)) {
        twice_.insert(name, hash);
      } else {
        tiles.used_names.insert(name, hash);
      }
    };
    code::NameVisitor taken([&](code::NameRole, const std::string& name,
                                uint64_t hash) { take(name, hash); });
    for (const code::Function& function : code.functions) {
      taken.Definitions(function.body);
      for (const std::string& name : function.parameters) {
        take(name, ir::NameSet::HashOf(name));
      }
      for (const code::TensorParameter& tensor : function.tensors) {
        take(tensor.name, ir::NameSet::HashOf(tensor.name));
      }
    }
  }

  void Run() {
    code::RewriteInts(code_, [&](Int& expr) {
      if (expr.Has(IntKind::kAlignUp)) expr = Simplified(expr);
    });
    NameSlots();
    for (code::Function& function : code_.functions) {
      NamePitches(function.body);
      DropLets(function.body);
      RenameIn(function.body);
    }
    if (made_.empty()) return;
    ir::NameSet made;
    made.insert(made_.begin(), made_.end());
    ir::NameSet used;
    code::NameVisitor visitor([&](const std::string& name, uint64_t hash) {
      if (made.contains(name, hash)) used.insert(name, hash);
    });
    for (const code::Function& function : code_.functions) {
      visitor.All(function.body);
    }
    for (const std::string& name : made_) {
      if (used.contains(name)) code_.fields.push_back(name);
    }
  }

 private:
  // Without roundings to what is a multiple already.
  Int Simplified(const Int& expr) const {
    if (!expr.Has(IntKind::kAlignUp)) return expr;
    const Int simple =
        MapArgs(expr, [&](const Int& arg) { return Simplified(arg); });
    const auto args = simple.args();
    if (simple.kind() == IntKind::kAlignUp && args[1].is_constant() &&
        FactorOf(tiles_, args[0]) % args[1].value() == 0) {
      return args[0];
    }
    return simple;
  }

  bool IsHost(const Int& expr) const {
    return expr.name_bits() != 0 && HasOnlyHost(expr);
  }

  bool HasOnlyHost(const Int& expr) const {
    if (!expr.name().empty() &&
        !host_.contains(expr.name(), expr.name_hash())) {
      return false;
    }
    const auto args = expr.args();
    return std::all_of(args.begin(), args.end(),
                       [&](const Int& arg) { return HasOnlyHost(arg); });
  }

  std::string NewField(std::string name, const Int& formula) {
    ir::HostValue value;
    value.name = std::move(name);
    value.source = ir::HostSource::kFormula;
    value.formula = formula;
    tiles_.host.push_back(value);
    host_.insert(value.name);
    made_.push_back(value.name);
    return value.name;
  }

  // The field that holds the formula. `own`: `wish` is free for it.
  const std::string& Field(const std::string& wish, const Int& formula,
                           bool own = false) {
    std::vector<Held>& alike = held_[formula.hash()];
    for (const Held& one : alike) {
      if (AreWrittenAlike(one.formula, formula)) return one.field;
    }
    const std::string name = own ? wish : tiles_.FreshName(wish);
    return alike.emplace_back(Held{formula, NewField(name, formula)}).field;
  }

  void NameSlots() {
    for (const code::HostSlots& slots : code_.slots) {
      ir::HostValue value;
      value.name = slots.name;
      value.source = ir::HostSource::kSlots;
      tiles_.host.push_back(value);
      host_.insert(slots.name);
      code_.fields.push_back(slots.name);
    }
    for (code::Queue& queue : code_.queues) {
      if (queue.slots.is_constant() || queue.slots.has_name()) continue;
      const std::string field =
          NewField(tiles_.FreshName(queue.name + "_slots"), queue.slots);
      queue.slots = Int::Name(field);
      code_.fields.push_back(field);
    }
  }

  // Roundings up of host values, choices between them, and gaps between rows
  // get names.
  void NamePitches(code::Block& block) {
    code::RewriteInts(block, [&](Int& expr) {
      if (MayHavePitch(expr)) expr = Named(expr);
    });
  }

  static bool MayHavePitch(const Int& expr) {
    return expr.Has(IntKind::kAlignUp) || expr.Has(IntKind::kCeilDiv) ||
           expr.Has(IntKind::kAnd);
  }

  // A choice that is worth a name: of roundings, or by two conditions.
  static bool IsChosen(const Int& expr) {
    return expr.kind() == IntKind::kSelect &&
           (expr.Has(IntKind::kAlignUp) ||
            expr.args()[0].kind() == IntKind::kAnd);
  }

  // Memory is counted in bytes, rows in elements.
  static const char* WishFor(const Int& rounded) {
    const bool memory = rounded.kind() == IntKind::kAlignUp &&
                        rounded.args()[1].Is(kMemoryUnit);
    return memory ? "memory" : "pitch";
  }

  // Of a choice between two the second is the usual one.
  static const Int& Usual(const Int& expr) {
    return expr.kind() == IntKind::kSelect ? expr.args()[2] : expr;
  }

  Int Named(const Int& expr) {
    if (!MayHavePitch(expr)) return expr;
    if ((expr.kind() == IntKind::kAlignUp || IsChosen(expr)) && IsHost(expr)) {
      const Int& usual = Usual(expr);
      std::string wish = WishFor(usual);
      if (usual.kind() == IntKind::kAlignUp) {
        const Int& rounded = Usual(usual.args()[0]);
        if (rounded.kind() == IntKind::kName) wish = rounded.name() + "_pitch";
      }
      return Int::Name(Field(wish, expr));
    }
    if (expr.kind() == IntKind::kSub && expr.Has(IntKind::kCeilDiv) &&
        IsHost(expr)) {
      return Int::Name(
          Field("gap", Named(expr.args()[0]) - Named(expr.args()[1])));
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
    std::erase_if(block, [&](const auto& stmt) {
      if (stmt->kind == StmtKind::kLet && BecomesField(*stmt)) {
        // It keeps its name, if that has no other meaning.
        const bool own = !twice_.contains(stmt->name);
        const std::string& field = Field(stmt->name, stmt->value, own);
        dropped_.insert(stmt->name);
        dropped_bits_ |= Int::BitOf(stmt->name);
        if (field != stmt->name) rename_[stmt->name] = field;
        return true;
      }
      DropLets(stmt->body);
      DropLets(stmt->otherwise);
      return false;
    });
  }

  // What is quickly made of other fields is not worth a load.
  bool BecomesField(Stmt& let) const {
    const bool of_fields = HasDropped(let.value);
    if (of_fields) RenameIn(let.value);
    return IsHost(let.value) &&
           (!of_fields || let.value.Has(IntKind::kFloorDiv) ||
            let.value.Has(IntKind::kMod));
  }

  // Whether it has an integer that became a field.
  bool HasDropped(const Int& expr) const {
    if ((expr.name_bits() & dropped_bits_) == 0) return false;
    if (expr.has_name() && dropped_.contains(expr.name(), expr.name_hash())) {
      return true;
    }
    const auto args = expr.args();
    return std::any_of(args.begin(), args.end(),
                       [&](const Int& arg) { return HasDropped(arg); });
  }

  void RenameIn(code::Block& block) const {
    if (rename_.empty()) return;
    code::RewriteInts(block, [&](Int& expr) { RenameIn(expr); });
  }

  // Names of fields for those of integers that became some.
  void RenameIn(Int& expr) const {
    if (rename_.empty() || (expr.name_bits() & dropped_bits_) == 0) return;
    expr = Substitute(expr, [&](const std::string& name) {
      const auto found = rename_.find(name);
      return found == rename_.end() ? std::nullopt
                                    : std::optional(Int::Name(found->second));
    });
  }

  ir::Kernel& tiles_;
  code::Kernel& code_;
  ir::NameSet host_;
  ir::NameSet twice_;  // names of the code with other meanings
  // Fields, by the hashes of their formulas.
  struct Held {
    Int formula;
    std::string field;
  };
  std::unordered_map<uint64_t, std::vector<Held>> held_;
  ir::NameSet dropped_;        // integers of the device that became fields
  uint64_t dropped_bits_ = 0;  // Int::BitOf of these
  std::map<std::string, std::string> rename_;  // those whose field has another
  std::vector<std::string> made_;
};

}  // namespace

void NameSizes(ir::Kernel& tiles, code::Kernel& code) {
  Namer(tiles, code).Run();
}

}  // namespace belay::crux::passes
