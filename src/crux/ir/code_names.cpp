// SPDX-License-Identifier: Apache-2.0
#include "crux/ir/code_names.h"

namespace belay::crux::code {
namespace {

void AddLocal(const Local& local, NamesIn& names) {
  if (!local.name.empty()) names.tensors.insert(local.name);
  CollectNames(local.offset, names.integers);
}

void AddScalar(const ScalarPtr& scalar, NamesIn& names) {
  if (scalar == nullptr) return;
  if (scalar->kind == ScalarKind::kHost ||
      scalar->kind == ScalarKind::kVariable) {
    names.integers.insert(scalar->name);
  }
  CollectNames(scalar->integer, names.integers);
  AddLocal(scalar->local, names);
  CollectNames(scalar->global.offset, names.integers);
  for (const ScalarPtr& arg : scalar->args) AddScalar(arg, names);
}

void AddArg(const Arg& arg, NamesIn& names) {
  if (const auto* local = std::get_if<Local>(&arg)) {
    AddLocal(*local, names);
  } else if (const auto* global = std::get_if<GlobalPart>(&arg)) {
    CollectNames(global->offset, names.integers);
  } else if (const auto* integer = std::get_if<Int>(&arg)) {
    CollectNames(*integer, names.integers);
  } else if (const auto* scalar = std::get_if<ScalarPtr>(&arg)) {
    AddScalar(*scalar, names);
  } else if (const auto* fields = std::get_if<Struct>(&arg)) {
    for (const Int& field : fields->fields) {
      CollectNames(field, names.integers);
    }
    AddScalar(fields->padding, names);
  }
}

void AddDefinition(const Stmt& stmt, NamesIn& names) {
  switch (stmt.kind) {
    case StmtKind::kLet:
    case StmtKind::kScalarLet:
    case StmtKind::kVariable:
    case StmtKind::kFor:
      names.defined_integers.insert(stmt.name);
      break;
    case StmtKind::kCall:
      if (!stmt.name.empty()) names.defined_integers.insert(stmt.name);
      break;
    case StmtKind::kAlloc:
    case StmtKind::kDeQue:
    case StmtKind::kGet:
    case StmtKind::kCast:
      names.defined_tensors.insert(stmt.name);
      break;
    default:
      break;
  }
}

}  // namespace

void AddNames(const Stmt& stmt, NamesIn& names) {
  for (const Int* part :
       {&stmt.value, &stmt.high, &stmt.step, &stmt.global.offset}) {
    CollectNames(*part, names.integers);
  }
  AddLocal(stmt.target, names);
  AddScalar(stmt.scalar, names);
  for (const Arg& arg : stmt.args) AddArg(arg, names);
  for (const Int& argument : stmt.arguments) {
    CollectNames(argument, names.integers);
  }
  names.tensors.insert(stmt.tensors.begin(), stmt.tensors.end());
  AddDefinition(stmt, names);
  switch (stmt.kind) {
    case StmtKind::kSet:
      names.set_integers.insert(stmt.name);
      names.integers.insert(stmt.name);
      break;
    case StmtKind::kCast:
      names.tensors.insert(stmt.from);
      break;
    case StmtKind::kEnQue:
    case StmtKind::kFree:
      names.tensors.insert(stmt.name);
      break;
    default:
      break;
  }
  AddNames(stmt.body, names);
  AddNames(stmt.otherwise, names);
}

void AddNames(const Block& block, NamesIn& names) {
  for (const auto& stmt : block) AddNames(*stmt, names);
}

void AddDefinitions(const Block& block, NamesIn& names) {
  for (const auto& stmt : block) {
    AddDefinition(*stmt, names);
    AddDefinitions(stmt->body, names);
    AddDefinitions(stmt->otherwise, names);
  }
}

}  // namespace belay::crux::code
