// SPDX-License-Identifier: Apache-2.0
#include "toolchain/replay_consumer.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/Diagnostic.h>
#include <llvm/IR/Module.h>

#include <utility>

namespace belay::toolchain {
using clang::FunctionDecl;

ReplayConsumer::ReplayConsumer(std::unique_ptr<clang::CodeGenerator> generator,
                               OnParsed on_parsed)
    : generator_(std::move(generator)), on_parsed_(std::move(on_parsed)) {}

ReplayConsumer::~ReplayConsumer() = default;

std::unique_ptr<llvm::Module> ReplayConsumer::TakeModule() {
  return std::unique_ptr<llvm::Module>(generator_->ReleaseModule());
}

void ReplayConsumer::Initialize(clang::ASTContext& context) {
  context_ = &context;
  generator_->Initialize(context);
}

bool ReplayConsumer::HandleTopLevelDecl(clang::DeclGroupRef group) {
  kernels_.Add(group);
  if (is_replaying_) kernels_.Finish(*context_);
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
  kernels_.Finish(context);
  if (!context.getDiagnostics().hasErrorOccurred()) {
    on_parsed_(context, kernels_.entries());
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

}  // namespace belay::toolchain
