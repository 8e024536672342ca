// SPDX-License-Identifier: Apache-2.0
#include "toolchain/replay_consumer.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/Diagnostic.h>
#include <llvm/IR/Module.h>

#include <utility>

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

void FinishKernel(clang::ASTContext& context, FunctionDecl* function) {
  if (!function->hasAttr<clang::CUDAGlobalAttr>()) return;
  if (function->isFirstDecl()) CheckParameters(context, function);
  for (FunctionDecl* declaration : function->redecls())
    declaration->dropAttr<clang::CUDAGlobalAttr>();
}

void FinishKernelsIn(clang::ASTContext& context, clang::Decl* decl) {
  if (auto* function = llvm::dyn_cast<FunctionDecl>(decl)) {
    FinishKernel(context, function);
  } else if (auto* pattern =
                 llvm::dyn_cast<clang::FunctionTemplateDecl>(decl)) {
    for (FunctionDecl* instance : pattern->specializations())
      FinishKernel(context, instance);
    FinishKernel(context, pattern->getTemplatedDecl());
  } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl,
                       clang::CXXRecordDecl>(decl)) {
    auto* inner = llvm::cast<clang::DeclContext>(decl);
    for (clang::Decl* member : inner->noload_decls())
      FinishKernelsIn(context, member);
  } else if (auto* family = llvm::dyn_cast<clang::ClassTemplateDecl>(decl)) {
    for (clang::ClassTemplateSpecializationDecl* instance :
         family->specializations())
      FinishKernelsIn(context, instance);
  }
}

}  // namespace

ReplayConsumer::ReplayConsumer(std::unique_ptr<clang::CodeGenerator> generator)
    : generator_(std::move(generator)) {}

ReplayConsumer::~ReplayConsumer() = default;

std::unique_ptr<llvm::Module> ReplayConsumer::TakeModule() {
  return std::unique_ptr<llvm::Module>(generator_->ReleaseModule());
}

void ReplayConsumer::Initialize(clang::ASTContext& context) {
  context_ = &context;
  generator_->Initialize(context);
}

bool ReplayConsumer::HandleTopLevelDecl(clang::DeclGroupRef group) {
  groups_.push_back(group);
  if (is_replaying_) FinishKernels();
  Handle([this, group] { generator_->HandleTopLevelDecl(group); });
  return true;
}

void ReplayConsumer::HandleInlineFunctionDefinition(FunctionDecl* decl) {
  Handle([this, decl] { generator_->HandleInlineFunctionDefinition(decl); });
}

void ReplayConsumer::HandleTagDeclDefinition(clang::TagDecl* decl) {
  Handle([this, decl] { generator_->HandleTagDeclDefinition(decl); });
}

void ReplayConsumer::HandleTagDeclRequiredDefinition(
    const clang::TagDecl* decl) {
  Handle([this, decl] { generator_->HandleTagDeclRequiredDefinition(decl); });
}

void ReplayConsumer::CompleteTentativeDefinition(clang::VarDecl* decl) {
  Handle([this, decl] { generator_->CompleteTentativeDefinition(decl); });
}

void ReplayConsumer::CompleteExternalDeclaration(clang::DeclaratorDecl* decl) {
  Handle([this, decl] { generator_->CompleteExternalDeclaration(decl); });
}

void ReplayConsumer::AssignInheritanceModel(clang::CXXRecordDecl* decl) {
  Handle([this, decl] { generator_->AssignInheritanceModel(decl); });
}

void ReplayConsumer::HandleCXXStaticMemberVarInstantiation(
    clang::VarDecl* decl) {
  Handle([this, decl] {
    generator_->HandleCXXStaticMemberVarInstantiation(decl);
  });
}

void ReplayConsumer::HandleVTable(clang::CXXRecordDecl* decl) {
  Handle([this, decl] { generator_->HandleVTable(decl); });
}

void ReplayConsumer::HandleTranslationUnit(clang::ASTContext& context) {
  FinishKernels();
  if (!context.getDiagnostics().hasErrorOccurred()) {
    is_replaying_ = true;
    for (const auto& event : events_) event();
  }
  events_.clear();
  generator_->HandleTranslationUnit(context);
}

void ReplayConsumer::Handle(std::function<void()> event) {
  if (is_replaying_) {
    event();
  } else {
    events_.push_back(std::move(event));
  }
}

void ReplayConsumer::FinishKernels() {
  // Looking at a template may read further declarations, and groups.
  while (!groups_.empty()) {
    const clang::DeclGroupRef group = groups_.back();
    groups_.pop_back();
    for (clang::Decl* decl : group) FinishKernelsIn(*context_, decl);
  }
}

}  // namespace belay::toolchain
