// SPDX-License-Identifier: Apache-2.0
#include "toolchain/collect_kernels.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/Diagnostic.h>

#include <string>

#include "toolchain/kernel_attributes.h"

namespace belay::toolchain {
namespace {

using clang::FunctionDecl;

// A kernel's arguments travel as bytes, so each must be nothing but bytes.
void CheckParameters(clang::ASTContext& context, const FunctionDecl* kernel) {
  for (const clang::ParmVarDecl* parameter : kernel->parameters()) {
    const clang::QualType type = parameter->getType();
    if (type->isDependentType()) continue;
    if (type.isTriviallyCopyableType(context) && !type->isReferenceType())
      continue;
    clang::DiagnosticsEngine& diagnostics = context.getDiagnostics();
    diagnostics.Report(
        parameter->getLocation(),
        diagnostics.getCustomDiagID(
            clang::DiagnosticsEngine::Error,
            "a kernel's parameters must be trivially copyable values, but %0 "
            "has type %1"))
        << parameter << type;
  }
}

bool IsMarked(const FunctionDecl* function, const char* annotation) {
  for (const auto* mark : function->specific_attrs<clang::AnnotateAttr>())
    if (mark->getAnnotation() == annotation) return true;
  return false;
}

bool IsCallableFromElsewhere(const FunctionDecl* function) {
  return function->getTemplatedKind() == FunctionDecl::TK_NonTemplate &&
         !function->isInlined() && function->isExternallyVisible();
}

}  // namespace

void KernelCollector::Finish(clang::ASTContext& context) {
  // Looking at a template may read further declarations, and groups.
  for (size_t i = 0; i < groups_.size(); ++i) {
    const clang::DeclGroupRef group = groups_[i];
    for (clang::Decl* decl : group) FinishIn(context, decl);
  }
  groups_.clear();
}

void KernelCollector::FinishFunction(clang::ASTContext& context,
                                     FunctionDecl* function) {
  if (function->doesThisDeclarationHaveABody() &&
      !function->isDependentContext() &&
      (IsMarked(function, kKernelAnnotation) ||
       (IsMarked(function, kAicoreAnnotation) &&
        IsCallableFromElsewhere(function))))
    entries_.push_back(function);
  if (!function->hasAttr<clang::CUDAGlobalAttr>()) return;
  if (function->isFirstDecl()) CheckParameters(context, function);
  function->addAttr(clang::AnnotateAttr::CreateImplicit(
      context, kParametersAnnotation + std::to_string(function->getNumParams()),
      nullptr, 0));
  for (FunctionDecl* declaration : function->redecls())
    declaration->dropAttr<clang::CUDAGlobalAttr>();
}

void KernelCollector::FinishIn(clang::ASTContext& context, clang::Decl* decl) {
  if (auto* function = llvm::dyn_cast<FunctionDecl>(decl)) {
    FinishFunction(context, function);
  } else if (auto* pattern =
                 llvm::dyn_cast<clang::FunctionTemplateDecl>(decl)) {
    for (FunctionDecl* instance : pattern->specializations())
      FinishFunction(context, instance);
    FinishFunction(context, pattern->getTemplatedDecl());
  } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl,
                       clang::CXXRecordDecl>(decl)) {
    auto* inner = llvm::cast<clang::DeclContext>(decl);
    for (clang::Decl* member : inner->noload_decls()) FinishIn(context, member);
  } else if (auto* family = llvm::dyn_cast<clang::ClassTemplateDecl>(decl)) {
    for (clang::ClassTemplateSpecializationDecl* instance :
         family->specializations())
      FinishIn(context, instance);
  }
}

}  // namespace belay::toolchain
