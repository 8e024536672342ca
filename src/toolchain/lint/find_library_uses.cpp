// SPDX-License-Identifier: Apache-2.0
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <fmt/format.h>
#include <llvm/ADT/StringSwitch.h>

#include "base/catalogue.h"
#include "toolchain/forbidden_calls.h"
#include "toolchain/lint/rules.h"

namespace belay::toolchain {
namespace {

using clang::Expr;

constexpr char kNoHeap[] =
    "take buffers from a TPipe with InitBuffer, or use an array of fixed size";

// Mathematics of <cmath> for which the rules below know a way around.
bool IsMathematics(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", true)
      .Cases("cbrt", "ceil", "cos", "cosh", "erf", "erfc", "exp", "exp2", true)
      .Cases("expm1", "fabs", "floor", "fma", "fmax", "fmin", "fmod", true)
      .Cases("hypot", "ldexp", "lgamma", "log", "log10", "log1p", "log2", true)
      .Cases("nearbyint", "pow", "remainder", "rint", "round", "sin", true)
      .Cases("sinh", "sqrt", "tan", "tanh", "tgamma", "trunc", true)
      .Default(false);
}

bool IsAllocation(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("malloc", "calloc", "realloc", "free", "aligned_alloc", true)
      .Default(false);
}

bool IsContainer(const clang::CXXRecordDecl* record) {
  if (!record || !record->isInStdNamespace() || !record->getIdentifier())
    return false;
  return llvm::StringSwitch<bool>(record->getName())
      .Cases("vector", "basic_string", "deque", "list", "forward_list", true)
      .Cases("map", "multimap", "set", "multiset", "queue", "stack", true)
      .Cases("unordered_map", "unordered_multimap", "unordered_set", true)
      .Cases("unordered_multiset", "priority_queue", "function", true)
      .Cases("shared_ptr", "unique_ptr", "any", true)
      .Default(false);
}

class LibraryUses {
 public:
  LibraryUses(const KernelFunction& function, Findings& findings)
      : function_(function), findings_(findings) {}

  void Run() {
    for (const clang::Stmt* statement : function_.evaluated) {
      if (const auto* made = llvm::dyn_cast<clang::CXXNewExpr>(statement)) {
        if (made->getNumPlacementArgs() == 0)
          AddHeap(made->getBeginLoc(), "new");
      } else if (const auto* freed =
                     llvm::dyn_cast<clang::CXXDeleteExpr>(statement)) {
        AddHeap(freed->getBeginLoc(), "delete");
      } else if (const auto* construct =
                     llvm::dyn_cast<clang::CXXConstructExpr>(statement)) {
        LookAtConstruction(construct);
      } else if (const auto* call =
                     llvm::dyn_cast<clang::CallExpr>(statement)) {
        LookAtCall(call);
      }
    }
  }

 private:
  void AddHeap(clang::SourceLocation place, const std::string& name) {
    findings_.Add(code::kL103, place, function_.declaration,
                  fmt::format("kernel code uses '{}', but the NPU's cores have "
                              "no heap",
                              name),
                  kNoHeap);
  }

  void LookAtConstruction(const clang::CXXConstructExpr* construct) {
    const clang::CXXRecordDecl* record =
        construct->getConstructor()->getParent();
    if (!IsContainer(record)) return;
    findings_.Add(
        code::kL104, construct->getLocation(), function_.declaration,
        fmt::format("kernel code uses std::{}, which takes memory from a heap "
                    "the NPU's cores do not have",
                    record->getNameAsString()),
        kNoHeap);
  }

  void LookAtCall(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee) return;
    if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) {
      LookAtMethod(member);
      return;
    }
    if (!callee->getIdentifier() || findings_.IsUsers(callee->getLocation()))
      return;
    const llvm::StringRef name = callee->getName();
    if (IsAllocation(name)) {
      AddHeap(call->getExprLoc(), name.str());
    } else if (IsWrittenStd(call) &&
               (IsMathematics(name) ||
                (name == "abs" && call->getType()->isRealFloatingType()))) {
      findings_.Add(code::kC102, call->getExprLoc(), function_.declaration,
                    fmt::format("kernel code calls 'std::{}', which does not "
                                "exist on the NPU",
                                name.str()),
                    WayAround(name));
    }
  }

  // Whether the source says std::, which may name a function of the global
  // namespace.
  static bool IsWrittenStd(const clang::CallExpr* call) {
    const auto* callee = llvm::dyn_cast<clang::DeclRefExpr>(
        call->getCallee()->IgnoreParenImpCasts());
    if (!callee) return false;
    if (callee->getDecl()->isInStdNamespace()) return true;
    const clang::NestedNameSpecifier* space = callee->getQualifier();
    return space && space->getAsNamespace() &&
           space->getAsNamespace()->isStdNamespace();
  }

  void LookAtMethod(const clang::CXXMemberCallExpr* call) {
    const clang::CXXMethodDecl* method = call->getMethodDecl();
    const auto* member =
        llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
    if (!method || !member || !method->isVirtual() ||
        !member->performsVirtualDispatch(findings_.context().getLangOpts()))
      return;
    if (method->getDevirtualizedMethod(call->getImplicitObjectArgument(),
                                       /*IsAppleKext=*/false))
      return;
    findings_.Add(code::kL106, member->getMemberLoc(), function_.declaration,
                  fmt::format("'{}' is called through a table of virtual "
                              "functions, which device code should not rely on",
                              method->getQualifiedNameAsString()),
                  "make it a template parameter, or call the function of the "
                  "class itself");
  }

  const KernelFunction& function_;
  Findings& findings_;
};

}  // namespace

void FindLibraryUses(const KernelFunction& function, Findings& findings) {
  LibraryUses(function, findings).Run();
}

}  // namespace belay::toolchain
