// SPDX-License-Identifier: Apache-2.0
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Lexer.h>

#include <string>

#include "base/catalogue.h"
#include "toolchain/lint/rules.h"

namespace belay::toolchain {
namespace {

using clang::Expr;
using clang::QualType;

constexpr char kUseFloat[] =
    "use float, or compute the value in host code and pass it";

bool IsDouble(QualType type) {
  const auto* builtin = type.getNonReferenceType()
                            .getCanonicalType()
                            ->getAs<clang::BuiltinType>();
  return builtin && (builtin->getKind() == clang::BuiltinType::Double ||
                     builtin->getKind() == clang::BuiltinType::LongDouble);
}

bool HoldsDoubles(QualType type) {
  return IsDouble(type) ||
         IsDouble(QualType(type->getBaseElementTypeUnsafe(), 0));
}

class DoubleFinder {
 public:
  DoubleFinder(const KernelFunction& function, Findings& findings)
      : function_(function), findings_(findings) {}

  void Run() {
    const clang::FunctionDecl* declaration = function_.declaration;
    if (IsDouble(declaration->getReturnType()))
      Add(declaration->getLocation(),
          "function '" + declaration->getNameAsString() + "' returns double",
          kUseFloat);
    for (const clang::ParmVarDecl* parameter : declaration->parameters())
      if (IsDouble(parameter->getType()))
        Add(parameter->getLocation(),
            "parameter '" + parameter->getNameAsString() + "' has type double",
            kUseFloat);
    for (const clang::Stmt* statement : function_.evaluated) Look(statement);
  }

 private:
  void Add(clang::SourceLocation place, const std::string& what,
           std::string fix) {
    findings_.Add(code::kL101, place, function_.declaration,
                  what + ", but the NPU has no double arithmetic",
                  std::move(fix));
  }

  void Look(const clang::Stmt* statement) {
    if (const auto* group = llvm::dyn_cast<clang::DeclStmt>(statement)) {
      for (const clang::Decl* decl : group->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
          LookAtVariable(variable);
    } else if (const auto* binary =
                   llvm::dyn_cast<clang::BinaryOperator>(statement)) {
      LookAtOperator(binary);
    } else if (const auto* cast =
                   llvm::dyn_cast<clang::ExplicitCastExpr>(statement)) {
      if (IsDouble(cast->getType()))
        Add(cast->getBeginLoc(), "this cast makes a double", "cast to float");
    } else if (const auto* read =
                   llvm::dyn_cast<clang::ImplicitCastExpr>(statement)) {
      if (read->getCastKind() == clang::CK_LValueToRValue &&
          IsDouble(read->getType()))
        LookAtPlace(read->getSubExpr(), "is read");
    } else if (const auto* call =
                   llvm::dyn_cast<clang::CXXMemberCallExpr>(statement)) {
      if (IsDouble(call->getType()) && call->getMethodDecl() &&
          !findings_.IsUsers(call->getMethodDecl()->getLocation()))
        Add(call->getExprLoc(),
            "'" + call->getMethodDecl()->getNameAsString() +
                "' gives a double here",
            kUseFloat);
    }
  }

  // A constant may be double: what is made of it is judged where it is used.
  void LookAtVariable(const clang::VarDecl* variable) {
    if (!HoldsDoubles(variable->getType()) || variable->isConstexpr()) return;
    if (variable->getType().isConstQualified() && variable->getInit() &&
        IsDouble(variable->getType()) &&
        IsFolded(variable->getInit(), findings_.context()))
      return;
    Add(variable->getLocation(),
        "variable '" + variable->getNameAsString() + "' has type double",
        kUseFloat);
  }

  // Fields, elements and global variables; local ones and parameters are
  // reported where they are declared.
  void LookAtPlace(const Expr* place, const char* done) {
    place = place->IgnoreParens();
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(place)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (!variable || variable->isLocalVarDeclOrParm()) return;
    }
    Add(place->getExprLoc(), std::string("a double ") + done + " here",
        kUseFloat);
  }

  void LookAtOperator(const clang::BinaryOperator* binary) {
    if (binary->isAssignmentOp() && IsDouble(binary->getLHS()->getType()))
      LookAtPlace(binary->getLHS(), "is written");
    const auto* compound =
        llvm::dyn_cast<clang::CompoundAssignOperator>(binary);
    const bool computes = compound || binary->isMultiplicativeOp() ||
                          binary->isAdditiveOp() || binary->isComparisonOp();
    if (!computes) return;
    for (const Expr* operand : {binary->getLHS(), binary->getRHS()})
      if (MakesDouble(operand))
        Add(operand->getBeginLoc(),
            "the constant " + TextOf(operand) + " is a double and makes '" +
                binary->getOpcodeStr().str() + "' work on doubles",
            "write a constant of type float, such as 2.0f");
  }

  // Whether the operand is a constant that was a double from the start.
  bool MakesDouble(const Expr* operand) {
    operand = operand->IgnoreParens();
    if (!IsDouble(operand->getType()) ||
        !IsFolded(operand, findings_.context()))
      return false;
    const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(operand);
    return !cast || IsDouble(cast->getSubExpr()->getType());
  }

  // As the source writes it.
  std::string TextOf(const Expr* expression) {
    const clang::ASTContext& context = findings_.context();
    return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(
                                           expression->getSourceRange()),
                                       context.getSourceManager(),
                                       context.getLangOpts())
        .str();
  }

  const KernelFunction& function_;
  Findings& findings_;
};

}  // namespace

void FindDoubles(const KernelFunction& function, Findings& findings) {
  DoubleFinder(function, findings).Run();
}

}  // namespace belay::toolchain
