// SPDX-License-Identifier: Apache-2.0
#include "crux/print/printed_functions.h"

#include <bit>
#include <initializer_list>

namespace belay::crux::print {
namespace {

using code::Stmt;
using code::StmtKind;

uint64_t Mixed(uint64_t hash, uint64_t more) {
  hash = (hash ^ more) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

uint64_t HashOf(std::string_view text) {
  return std::hash<std::string_view>()(text);
}

// A kind, a dtype, which parts there are, and how many of others, as one.
template <typename Kind>
uint64_t Head(Kind kind, DType dtype, std::initializer_list<bool> parts,
              size_t count) {
  uint64_t head = count;
  for (const bool part : parts) head = head * 2 + uint64_t{part};
  head = head << 8 | static_cast<uint8_t>(dtype);
  return head << 8 | static_cast<uint8_t>(kind);
}

}  // namespace

void FunctionKeys::Add(uint64_t number) {
  key_.low = Mixed(key_.low, number);
  key_.high = (std::rotl(key_.high, 23) + number) * 0xd6e8feb86659fd93u;
}

void FunctionKeys::Add(std::string_view text) {
  if (text.empty()) return Add(uint64_t{0});
  Add(HashOf(text) ^ text.size());
}

// In the order it is written in, which Int::hash leaves open.
void FunctionKeys::Add(const ir::Int& integer) {
  Add(static_cast<uint64_t>(integer.kind()));
  if (integer.is_constant()) return Add(static_cast<uint64_t>(integer.value()));
  if (!integer.name().empty()) AddName(integer.name(), integer.name_hash());
  for (const ir::Int& arg : integer.args()) Add(arg);
}

void FunctionKeys::Add(const code::Local& local) {
  AddName(local.name);
  Add(local.offset);
}

void FunctionKeys::Add(const code::GlobalPart& global) {
  AddMember(NameKind::kGlobal, global.name);
  Add(global.offset);
}

void FunctionKeys::Add(const code::Scalar& scalar) {
  const bool has_local = !scalar.local.name.empty();
  const bool has_global = !scalar.global.name.empty();
  Add(Head(scalar.kind, scalar.dtype, {has_local, has_global},
           scalar.args.size()));
  Add(std::bit_cast<uint64_t>(scalar.real));
  AddName(scalar.name);
  Add(scalar.integer);
  if (has_local) Add(scalar.local);
  if (has_global) Add(scalar.global);
  Add(scalar.op);
  for (const code::ScalarPtr& arg : scalar.args) Add(*arg);
}

void FunctionKeys::Add(const code::Arg& arg) {
  Add(arg.index());
  if (const auto* local = std::get_if<code::Local>(&arg)) {
    Add(*local);
  } else if (const auto* global = std::get_if<code::GlobalPart>(&arg)) {
    Add(*global);
  } else if (const auto* integer = std::get_if<ir::Int>(&arg)) {
    Add(*integer);
  } else if (const auto* scalar = std::get_if<code::ScalarPtr>(&arg)) {
    Add(**scalar);
  } else if (const auto* word = std::get_if<code::Word>(&arg)) {
    Add(word->text);
  } else if (const auto* fields = std::get_if<code::Struct>(&arg)) {
    Add(fields->type);
    Add(fields->fields.size());
    for (const ir::Int& field : fields->fields) Add(field);
    Add(uint64_t{fields->padding != nullptr});
    if (fields->padding != nullptr) Add(*fields->padding);
  }
}

void FunctionKeys::Add(const code::Block& block) {
  Add(block.size());
  for (const auto& stmt : block) Add(*stmt);
}

void FunctionKeys::Add(const Stmt& stmt) {
  const bool has_scalar = stmt.scalar != nullptr;
  const bool has_target = !stmt.target.name.empty();
  const bool has_global = !stmt.global.name.empty();
  const bool has_bounds = !stmt.high.Is(0) || !stmt.step.Is(1);
  Add(Head(stmt.kind, stmt.dtype,
           {has_scalar, has_target, has_global, has_bounds}, stmt.args.size()));
  Add(static_cast<uint64_t>(stmt.line) << 32 | stmt.types.size());
  Add(uint64_t{stmt.body.size()} << 32 | stmt.otherwise.size());
  AddName(stmt.name);
  Add(stmt.text);
  switch (stmt.kind) {
    case StmtKind::kAlloc:
    case StmtKind::kEnQue:
    case StmtKind::kDeQue:
    case StmtKind::kFree:
      AddMember(NameKind::kQueue, stmt.from);
      break;
    case StmtKind::kGet:
      AddMember(NameKind::kBuffer, stmt.from);
      break;
    case StmtKind::kOpenElement:
      AddMember(NameKind::kList, stmt.global.name);
      break;
    default:
      AddName(stmt.from);
      break;
  }
  Add(stmt.value);
  if (has_bounds) {
    Add(stmt.high);
    Add(stmt.step);
  }
  if (has_scalar) Add(*stmt.scalar);
  if (has_target) Add(stmt.target);
  if (has_global) Add(stmt.global);
  Add(stmt.function);
  for (const auto& type : stmt.types) {
    if (const auto* dtype = std::get_if<DType>(&type)) {
      Add(*dtype);
    } else {
      Add(std::get<std::string>(type));
    }
  }
  for (const code::Arg& arg : stmt.args) Add(arg);
  if (stmt.kind == StmtKind::kInvoke) AddInvoke(stmt);
  for (const auto& inner : stmt.body) Add(*inner);
  for (const auto& inner : stmt.otherwise) Add(*inner);
}

// What is called takes those tensors from its class that it has by name.
void FunctionKeys::AddInvoke(const Stmt& stmt) {
  Add(stmt.arguments.size());
  for (const ir::Int& argument : stmt.arguments) Add(argument);
  Add(stmt.tensors.size());
  for (const std::string& tensor : stmt.tensors) AddName(tensor);
  for (const code::Function& function : kernel_.functions) {
    if (function.name != stmt.function) continue;
    for (const code::TensorParameter& own : function.tensors) Add(own.name);
  }
}

void FunctionKeys::AddName(const std::string& name) {
  if (name.empty()) return Add(uint64_t{0});
  AddName(name, ir::NameSet::HashOf(name));
}

void FunctionKeys::AddName(const std::string& name, uint64_t hash) {
  Add(ContextOf(name, hash));
}

void FunctionKeys::AddMember(NameKind kind, const std::string& name) {
  if (name.empty()) return Add(uint64_t{0});
  Add(names_.Of(kind, name));
  const auto global = facts_.globals.find(name);
  if (kind == NameKind::kGlobal && global != facts_.globals.end()) {
    Add(global->second);
  }
}

uint64_t FunctionKeys::ContextOf(const std::string& name, uint64_t hash) {
  const uint32_t number = numbers_.Of(name, hash);
  if (number < contexts_.size()) return contexts_[number];
  const NameFacts& own = facts_.Of(name, hash);
  // Whether others have its name without the number at its end.
  const size_t stem = name.find_last_not_of("0123456789") + 1;
  const NameFacts& plain =
      stem < name.size() ? facts_.Of(std::string_view(name).substr(0, stem))
                         : own;
  uint64_t flags = 1;
  for (const bool flag :
       {own.is_local(), own.variable, own.hosted, own.negative, own.kept,
        own.handed_on, plain.variable, plain.is_local()}) {
    flags = flags * 2 + uint64_t{flag};
  }
  uint64_t context = Mixed(hash, flags);
  if (own.is_local()) {
    context = Mixed(context, static_cast<uint64_t>(own.dtype));
  }
  if (own.is_local() || own.variable) {
    context = Mixed(context, HashOf(names_.Of(NameKind::kVariable, name)));
  }
  if (own.bound) context = Mixed(context, own.bound->hash());
  contexts_.push_back(context);
  return context;
}

FunctionKey FunctionKeys::Of(const code::Function& function) {
  key_ = {};
  Add(function.name);
  Add(function.tensors.size());
  for (const code::TensorParameter& tensor : function.tensors) {
    AddName(tensor.name);
    Add(tensor.dtype);
  }
  Add(function.parameters.size());
  for (const std::string& parameter : function.parameters) AddName(parameter);
  Add(function.body);
  return key_;
}

std::shared_ptr<const PrintedFunctions::One> PrintedFunctions::Find(
    const FunctionKey& key) {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(key);
  return found == known_.end() ? nullptr : found->second;
}

std::shared_ptr<const PrintedFunctions::One> PrintedFunctions::Add(
    const FunctionKey& key, One one) {
  auto shared = std::make_shared<const One>(std::move(one));
  const std::lock_guard lock(mutex_);
  return known_.emplace(key, std::move(shared)).first->second;
}

}  // namespace belay::crux::print
