// SPDX-License-Identifier: Apache-2.0
#include "toolchain/lint/kernel_code.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/DenseMap.h>

namespace belay::toolchain {
namespace {

using clang::Expr;
using clang::FunctionDecl;
using clang::Stmt;

class Walker {
 public:
  explicit Walker(const Findings& findings) : findings_(findings) {}

  std::vector<KernelFunction> Run(
      const std::vector<const FunctionDecl*>& entries) {
    for (const FunctionDecl* entry : entries) IndexOf(entry);
    for (current_ = 0; current_ < functions_.size(); ++current_)
      EnterFunction(functions_[current_].declaration);
    return std::move(functions_);
  }

 private:
  size_t IndexOf(const FunctionDecl* definition) {
    const auto [entry, is_new] =
        index_.try_emplace(definition, functions_.size());
    if (is_new) functions_.push_back({definition, {}, {}});
    return entry->second;
  }

  void Refer(const FunctionDecl* function, clang::SourceLocation place) {
    const FunctionDecl* definition = nullptr;
    if (!function->hasBody(definition) || definition->isDependentContext())
      return;
    if (!findings_.IsUsers(definition->getLocation())) return;
    const size_t callee = IndexOf(definition);
    functions_[current_].calls.push_back({callee, place});
  }

  void ReferToDestructor(clang::QualType type, clang::SourceLocation place) {
    const auto* element = type->getBaseElementTypeUnsafe();
    const auto* record = element->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || record->hasTrivialDestructor())
      return;
    if (const auto* destructor = record->getDestructor())
      Refer(destructor, place);
  }

  void EnterFunction(const FunctionDecl* function) {
    if (const auto* constructor =
            llvm::dyn_cast<clang::CXXConstructorDecl>(function)) {
      for (const clang::CXXCtorInitializer* part : constructor->inits())
        Walk(part->getInit());
    }
    if (const auto* destructor =
            llvm::dyn_cast<clang::CXXDestructorDecl>(function)) {
      for (const clang::FieldDecl* field : destructor->getParent()->fields())
        ReferToDestructor(field->getType(), field->getLocation());
      for (const clang::CXXBaseSpecifier& base :
           destructor->getParent()->bases())
        ReferToDestructor(base.getType(), base.getBeginLoc());
    }
    Walk(function->getBody());
  }

  // What an expression leads to besides its own parts.
  void FollowReferences(const Stmt* statement) {
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
      if (const auto* function = llvm::dyn_cast<FunctionDecl>(use->getDecl()))
        Refer(function, use->getLocation());
    } else if (const auto* member =
                   llvm::dyn_cast<clang::MemberExpr>(statement)) {
      if (const auto* function =
              llvm::dyn_cast<FunctionDecl>(member->getMemberDecl()))
        Refer(function, member->getMemberLoc());
    } else if (const auto* construct =
                   llvm::dyn_cast<clang::CXXConstructExpr>(statement)) {
      Refer(construct->getConstructor(), construct->getLocation());
    } else if (const auto* temporary =
                   llvm::dyn_cast<clang::CXXBindTemporaryExpr>(statement)) {
      ReferToDestructor(temporary->getType(), temporary->getBeginLoc());
    } else if (const auto* group = llvm::dyn_cast<clang::DeclStmt>(statement)) {
      for (const clang::Decl* decl : group->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
          ReferToDestructor(variable->getType(), variable->getLocation());
    }
  }

  void Walk(const Stmt* statement) {
    if (!statement) return;
    if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXNoexceptExpr,
                  clang::CXXTypeidExpr, clang::ConstantExpr>(statement))
      return;
    if (const auto* expression = llvm::dyn_cast<Expr>(statement)) {
      if (IsFolded(expression, findings_.context())) return;
    }
    functions_[current_].evaluated.push_back(statement);
    FollowReferences(statement);
    if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(statement)) {
      if (lambda->getCallOperator()->getDescribedFunctionTemplate() == nullptr)
        Refer(lambda->getCallOperator(), lambda->getBeginLoc());
      for (const Expr* capture : lambda->capture_inits()) Walk(capture);
    } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
               branch && branch->isConstexpr()) {
      if (const auto taken = branch->getNondiscardedCase(findings_.context()))
        Walk(*taken);
    } else if (const auto* argument =
                   llvm::dyn_cast<clang::CXXDefaultArgExpr>(statement)) {
      Walk(argument->getExpr());
    } else if (const auto* value =
                   llvm::dyn_cast<clang::CXXDefaultInitExpr>(statement)) {
      Walk(value->getExpr());
    } else {
      for (const Stmt* part : statement->children()) Walk(part);
    }
  }

  const Findings& findings_;
  std::vector<KernelFunction> functions_;
  llvm::DenseMap<const FunctionDecl*, size_t> index_;
  size_t current_ = 0;
};

}  // namespace

bool IsFolded(const Expr* expression, const clang::ASTContext& context) {
  if (expression->isValueDependent() || expression->isTypeDependent())
    return false;
  if (!expression->isPRValue() || !expression->getType()->isArithmeticType())
    return false;
  Expr::EvalResult result;
  return expression->EvaluateAsRValue(result, context) &&
         !result.HasSideEffects;
}

std::vector<KernelFunction> FindKernelCode(
    const Findings& findings, const std::vector<const FunctionDecl*>& entries) {
  return Walker(findings).Run(entries);
}

}  // namespace belay::toolchain
