// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_VISIT_NAMES_H_
#define BELAY_CRUX_IR_VISIT_NAMES_H_

// Visits of every name that code uses or defines.

#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "crux/ir/code.h"
#include "crux/ir/name_set.h"

namespace belay::crux::code {

// What a name is to the statement it stands in.
enum class NameRole : uint8_t {
  kInteger,         // used, host values among them
  kDefinedInteger,  // kLet, kScalarLet, kVariable, kFor, kCall
  kSetInteger,      // by kSet
  kTensor,          // a LocalTensor that is used
  kDefinedTensor,
};

// Calls visit(role, name, its hash by NameSet) for each occurrence; without the
// hash where visit takes none. One that takes a name and its hash alone is
// called for integers that are used.
template <typename Visit>
class NameVisitor {
 public:
  explicit NameVisitor(Visit visit) : visit_(std::move(visit)) {}

  // Statements inside are visited, too.
  void All(const Stmt& stmt) {
    Own(stmt);
    All(stmt.body);
    All(stmt.otherwise);
  }

  void All(const Block& block) {
    for (const auto& stmt : block) All(*stmt);
  }

  // Without statements inside.
  void Own(const Stmt& stmt) {
    Integer(stmt.value);
    Integer(stmt.high);
    Integer(stmt.step);
    Integer(stmt.global.offset);
    OfLocal(stmt.target);
    if (stmt.scalar != nullptr) OfScalar(*stmt.scalar);
    for (const Arg& arg : stmt.args) OfArg(arg);
    for (const Int& argument : stmt.arguments) Integer(argument);
    for (const std::string& tensor : stmt.tensors) {
      Note(NameRole::kTensor, tensor);
    }
    Definition(stmt);
    switch (stmt.kind) {
      case StmtKind::kSet:
        Note(NameRole::kSetInteger, stmt.name);
        Note(NameRole::kInteger, stmt.name);
        break;
      case StmtKind::kCast:
        Note(NameRole::kTensor, stmt.from);
        break;
      case StmtKind::kEnQue:
      case StmtKind::kFree:
        Note(NameRole::kTensor, stmt.name);
        break;
      default:
        break;
    }
  }

  void Definition(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kLet:
      case StmtKind::kScalarLet:
      case StmtKind::kVariable:
      case StmtKind::kFor:
        Note(NameRole::kDefinedInteger, stmt.name);
        break;
      case StmtKind::kCall:
        if (!stmt.name.empty()) Note(NameRole::kDefinedInteger, stmt.name);
        break;
      case StmtKind::kAlloc:
      case StmtKind::kDeQue:
      case StmtKind::kGet:
      case StmtKind::kCast:
        Note(NameRole::kDefinedTensor, stmt.name);
        break;
      default:
        break;
    }
  }

  void Definitions(const Block& block) {
    for (const auto& stmt : block) {
      Definition(*stmt);
      Definitions(stmt->body);
      Definitions(stmt->otherwise);
    }
  }

 private:
  static constexpr bool kIntegersOnly =
      std::is_invocable_v<Visit, const std::string&, uint64_t>;
  static constexpr bool kHashes =
      std::is_invocable_v<Visit, NameRole, const std::string&, uint64_t>;

  void Note(NameRole role, const std::string& name) {
    if constexpr (kIntegersOnly) {
      if (role == NameRole::kInteger) visit_(name, ir::NameSet::HashOf(name));
    } else if constexpr (kHashes) {
      visit_(role, name, ir::NameSet::HashOf(name));
    } else {
      visit_(role, name);
    }
  }

  void Integer(const Int& expr) {
    if (expr.name_bits() == 0) return;
    if (!expr.name().empty()) {
      if constexpr (kIntegersOnly) {
        visit_(expr.name(), expr.name_hash());
      } else if constexpr (kHashes) {
        visit_(NameRole::kInteger, expr.name(), expr.name_hash());
      } else {
        visit_(NameRole::kInteger, expr.name());
      }
    }
    for (const Int& arg : expr.args()) Integer(arg);
  }

  void OfLocal(const Local& local) {
    if (!local.name.empty()) Note(NameRole::kTensor, local.name);
    Integer(local.offset);
  }

  void OfScalar(const Scalar& scalar) {
    if (scalar.kind == ScalarKind::kHost ||
        scalar.kind == ScalarKind::kVariable) {
      Note(NameRole::kInteger, scalar.name);
    }
    Integer(scalar.integer);
    OfLocal(scalar.local);
    Integer(scalar.global.offset);
    for (const ScalarPtr& arg : scalar.args) {
      if (arg != nullptr) OfScalar(*arg);
    }
  }

  void OfArg(const Arg& arg) {
    if (const auto* local = std::get_if<Local>(&arg)) {
      OfLocal(*local);
    } else if (const auto* global = std::get_if<GlobalPart>(&arg)) {
      Integer(global->offset);
    } else if (const auto* integer = std::get_if<Int>(&arg)) {
      Integer(*integer);
    } else if (const auto* scalar = std::get_if<ScalarPtr>(&arg)) {
      if (*scalar != nullptr) OfScalar(**scalar);
    } else if (const auto* fields = std::get_if<Struct>(&arg)) {
      for (const Int& field : fields->fields) Integer(field);
      if (fields->padding != nullptr) OfScalar(*fields->padding);
    }
  }

  Visit visit_;
};

}  // namespace belay::crux::code

#endif  // BELAY_CRUX_IR_VISIT_NAMES_H_
