// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_REPLAY_CONSUMER_H_
#define BELAY_TOOLCHAIN_REPLAY_CONSUMER_H_

// Stands between Clang's parser and its code generator. A kernel must carry
// Clang's mark while launches of it are parsed, and must not while code is
// generated, or only a stub would be emitted. So everything is held back until
// the whole file is parsed.

#include <clang/AST/ASTConsumer.h>
#include <clang/CodeGen/ModuleBuilder.h>

#include <functional>
#include <memory>
#include <vector>

#include "toolchain/collect_kernels.h"

namespace belay::toolchain {

class ReplayConsumer final : public clang::ASTConsumer {
 public:
  // Called between parsing and code generation, when there was no error, with
  // the functions where kernel code begins.
  using OnParsed = std::function<void(
      clang::ASTContext&, const std::vector<const clang::FunctionDecl*>&)>;

  ReplayConsumer(std::unique_ptr<clang::CodeGenerator> generator,
                 OnParsed on_parsed);
  ~ReplayConsumer() override;

  // The module, once the translation unit has been handled; null after errors.
  std::unique_ptr<llvm::Module> TakeModule();

  void Initialize(clang::ASTContext& context) override;
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleInlineFunctionDefinition(clang::FunctionDecl* decl) override;
  void HandleTagDeclDefinition(clang::TagDecl* decl) override;
  void HandleTagDeclRequiredDefinition(const clang::TagDecl* decl) override;
  void CompleteTentativeDefinition(clang::VarDecl* decl) override;
  void CompleteExternalDeclaration(clang::DeclaratorDecl* decl) override;
  void AssignInheritanceModel(clang::CXXRecordDecl* decl) override;
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl* decl) override;
  void HandleVTable(clang::CXXRecordDecl* decl) override;
  void HandleTranslationUnit(clang::ASTContext& context) override;

 private:
  // Holds an event back, or passes it on when the replay has begun: generating
  // code may read further declarations from a precompiled header.
  void Handle(std::function<void()> event);

  std::unique_ptr<clang::CodeGenerator> generator_;
  clang::ASTContext* context_ = nullptr;
  bool is_replaying_ = false;
  OnParsed on_parsed_;
  KernelCollector kernels_;
  std::vector<std::function<void()>> events_;
};

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_REPLAY_CONSUMER_H_
