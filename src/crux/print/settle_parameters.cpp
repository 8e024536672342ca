// SPDX-License-Identifier: Apache-2.0
#include "crux/print/settle_parameters.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "crux/ir/code_rewrite.h"

namespace belay::crux::print {
namespace {

using code::Block;
using code::Function;
using code::Kernel;
using code::Stmt;
using code::StmtKind;
using ir::Int;

// What all calls so far hand over for a parameter.
struct Parameter {
  std::optional<int64_t> constant;
  std::vector<bool> same_as;  // the parameters before it
};

struct Family {
  bool called = false;
  std::vector<Parameter> parameters;

  bool Settles(size_t i) const {
    return parameters[i].constant || SameAs(i).has_value();
  }
  std::optional<size_t> SameAs(size_t i) const {
    const std::vector<bool>& same = parameters[i].same_as;
    for (size_t j = 0; j < same.size(); ++j) {
      if (same[j] && !parameters[j].constant) return j;
    }
    return std::nullopt;
  }
  bool SettlesAny() const {
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (called && Settles(i)) return true;
    }
    return false;
  }
};

using Families = std::map<std::string, Family, std::less<>>;
// Of a kernel's functions that Emitter::Invoke has made, by name.
using FamilyOf = std::map<std::string, Family*, std::less<>>;

std::string WithoutNumber(std::string name) {
  while (!name.empty() &&
         std::isdigit(static_cast<unsigned char>(name.back()))) {
    name.pop_back();
  }
  return name;
}

// Functions that get tensors: others are parts of Process, which say what they
// work on.
FamilyOf FamiliesIn(const Kernel& kernel, Families& families) {
  FamilyOf result;
  for (const Function& function : kernel.functions) {
    if (function.tensors.empty() || function.parameters.empty()) continue;
    std::string key;
    for (const code::TensorParameter& tensor : function.tensors) {
      key += WithoutNumber(tensor.name) + "&";
    }
    for (const std::string& name : function.parameters) {
      key += WithoutNumber(name) + ",";
    }
    Family& family = families[key];
    family.parameters.resize(function.parameters.size());
    result[function.name] = &family;
  }
  return result;
}

void AddCall(const std::vector<Int>& arguments, Family& family) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    Parameter& parameter = family.parameters[i];
    const Int& argument = arguments[i];
    if (!family.called) {
      if (argument.is_constant()) parameter.constant = argument.value();
      parameter.same_as.assign(i, true);
    } else if (parameter.constant && !argument.Is(*parameter.constant)) {
      parameter.constant.reset();
    }
    for (size_t j = 0; j < i; ++j) {
      if (!Same(arguments[j], argument)) parameter.same_as[j] = false;
    }
  }
  family.called = true;
}

void AddCalls(const Block& block, const FamilyOf& families) {
  for (const auto& stmt : block) {
    if (stmt->kind == StmtKind::kInvoke) {
      const auto found = families.find(stmt->function);
      if (found != families.end()) AddCall(stmt->arguments, *found->second);
    }
    AddCalls(stmt->body, families);
    AddCalls(stmt->otherwise, families);
  }
}

template <typename T>
void Erase(std::vector<T>& list, const Family& family) {
  for (size_t i = list.size(); i-- > 0;) {
    if (family.Settles(i)) {
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

// Whether it, or a statement inside it, calls one of them.
bool Calls(const Stmt& stmt, const FamilyOf& families) {
  if (stmt.kind == StmtKind::kInvoke) return families.contains(stmt.function);
  const auto inside = [&](const Block& block) {
    return std::any_of(block.begin(), block.end(),
                       [&](const auto& one) { return Calls(*one, families); });
  };
  return inside(stmt.body) || inside(stmt.otherwise);
}

// A copy whose calls hand over what is left. It shares statements without such
// calls, unless `all` are to be its own.
Block Copied(const Block& block, const FamilyOf& families, bool all) {
  Block copy;
  copy.reserve(block.size());
  for (const auto& stmt : block) {
    if (!all && !Calls(*stmt, families)) {
      copy.push_back(stmt);
      continue;
    }
    auto& own = copy.emplace_back(std::make_shared<Stmt>(*stmt));
    own->body = Copied(stmt->body, families, all);
    own->otherwise = Copied(stmt->otherwise, families, all);
    if (stmt->kind != StmtKind::kInvoke) continue;
    const auto found = families.find(stmt->function);
    if (found != families.end()) Erase(own->arguments, *found->second);
  }
  return copy;
}

// Without choices that are made.
Block Chosen(const Block& block) {
  Block chosen;
  for (const auto& stmt : block) {
    stmt->body = Chosen(stmt->body);
    stmt->otherwise = Chosen(stmt->otherwise);
    if (stmt->kind == StmtKind::kIf && stmt->value.is_constant()) {
      const Block& taken = stmt->value.Is(0) ? stmt->otherwise : stmt->body;
      chosen.insert(chosen.end(), taken.begin(), taken.end());
    } else {
      chosen.push_back(stmt);
    }
  }
  return chosen;
}

void Settle(Function& function, const Family& family) {
  std::map<std::string, Int> values;
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    if (!family.Settles(i)) continue;
    const Parameter& parameter = family.parameters[i];
    values[function.parameters[i]] =
        parameter.constant ? Int(*parameter.constant)
                           : Int::Name(function.parameters[*family.SameAs(i)]);
  }
  if (values.empty()) return;
  uint64_t bits = 0;
  for (const auto& [name, value] : values) bits |= Int::BitOf(name);
  code::RewriteInts(function.body, [&](Int& expr) {
    if ((expr.name_bits() & bits) == 0) return;
    expr = Substitute(expr, [&](const std::string& name) -> std::optional<Int> {
      const auto found = values.find(name);
      if (found == values.end()) return std::nullopt;
      return found->second;
    });
  });
  function.body = Chosen(function.body);
  Erase(function.parameters, family);
}

}  // namespace

struct SettledKernels::Calls {
  Families families;
  std::vector<FamilyOf> of;  // each kernel, those that something settles for
};

SettledKernels::SettledKernels(
    std::vector<std::shared_ptr<const Kernel>> kernels)
    : kernels_(std::move(kernels)) {
  auto calls = std::make_unique<Calls>();
  for (const auto& kernel : kernels_) {
    calls->of.push_back(FamiliesIn(*kernel, calls->families));
    for (const Function& function : kernel->functions) {
      AddCalls(function.body, calls->of.back());
    }
  }
  for (FamilyOf& of : calls->of) {
    std::erase_if(of,
                  [](const auto& one) { return !one.second->SettlesAny(); });
  }
  calls_ = std::move(calls);
}

SettledKernels::~SettledKernels() = default;

std::shared_ptr<const Kernel> SettledKernels::Make(size_t kernel) const {
  const FamilyOf& of = calls_->of[kernel];
  if (of.empty()) return kernels_[kernel];
  auto settled = std::make_shared<Kernel>(*kernels_[kernel]);
  for (Function& function : settled->functions) {
    const auto family = of.find(function.name);
    const bool settles = family != of.end();
    function.body = Copied(function.body, of, settles);
    if (settles) Settle(function, *family->second);
  }
  return settled;
}

}  // namespace belay::crux::print
