// SPDX-License-Identifier: Apache-2.0
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <fmt/format.h>

#include "base/catalogue.h"
#include "toolchain/lint/rules.h"

namespace belay::toolchain {
namespace {

bool IsUnsigned(clang::QualType type) {
  return type->isUnsignedIntegerType() && !type->isBooleanType() &&
         !type->isEnumeralType();
}

std::string NameOf(clang::QualType type) {
  return type.getUnqualifiedType().getAsString();
}

}  // namespace

void FindUnsignedCasts(const KernelFunction& function, Findings& findings) {
  for (const clang::Stmt* statement : function.evaluated) {
    const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(statement);
    if (!cast) continue;
    const clang::QualType from = cast->getSubExprAsWritten()->getType();
    const clang::QualType to = cast->getTypeAsWritten();
    const bool to_unsigned = from->isRealFloatingType() && IsUnsigned(to);
    const bool from_unsigned = IsUnsigned(from) && to->isRealFloatingType();
    if (!to_unsigned && !from_unsigned) continue;
    findings.Add(
        code::kL102, cast->getBeginLoc(), function.declaration,
        fmt::format("kernel code casts {} to {}, but the device compiler "
                    "refuses explicit casts between floating-point and "
                    "unsigned types",
                    NameOf(from), NameOf(to)),
        "go through a signed type: static_cast<" + NameOf(to) +
            ">(static_cast<int32_t>(…))");
  }
}

}  // namespace belay::toolchain
