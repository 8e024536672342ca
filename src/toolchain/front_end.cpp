// SPDX-License-Identifier: Apache-2.0
#include "toolchain/front_end.h"

#include <clang/Basic/CodeGenOptions.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Lex/HeaderSearchOptions.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>

#include <functional>
#include <utility>

#include "toolchain/collect_diagnostics.h"
#include "toolchain/collect_kernels.h"
#include "toolchain/front_end_arguments.h"
#include "toolchain/guest_file_system.h"
#include "toolchain/kernel_attributes.h"
#include "toolchain/lint/find_escapes.h"
#include "toolchain/lint/infer_cores.h"
#include "toolchain/lint/lint.h"
#include "toolchain/replay_consumer.h"

namespace belay::toolchain {
namespace {

class EmitModuleAction final : public clang::ASTFrontendAction {
 public:
  // Appends what the rules of the device language find to `diagnostics`.
  EmitModuleAction(const CompileOptions& options, llvm::LLVMContext& context,
                   std::vector<Diagnostic>* diagnostics)
      : options_(options), context_(context), diagnostics_(diagnostics) {}

  std::unique_ptr<llvm::Module> TakeModule() { return std::move(module_); }

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(
      clang::CompilerInstance& compiler, llvm::StringRef file) override {
    auto consumer = std::make_unique<ReplayConsumer>(
        std::unique_ptr<clang::CodeGenerator>(clang::CreateLLVMCodeGen(
            compiler.getDiagnostics(), file, &compiler.getVirtualFileSystem(),
            compiler.getHeaderSearchOpts(), compiler.getPreprocessorOpts(),
            compiler.getCodeGenOpts(), context_)),
        [this](clang::ASTContext& context,
               const std::vector<const clang::FunctionDecl*>& entries) {
          if (options_.untrusted)
            FindEscapes(context, options_.headers, diagnostics_);
          InferCores(context, Lint(context, entries, diagnostics_));
        });
    consumer_ = consumer.get();
    return consumer;
  }

  void EndSourceFileAction() override {
    if (consumer_) module_ = consumer_->TakeModule();
  }

 private:
  const CompileOptions& options_;
  llvm::LLVMContext& context_;
  std::vector<Diagnostic>* diagnostics_;
  ReplayConsumer* consumer_ = nullptr;
  std::unique_ptr<llvm::Module> module_;
};

// Parses and judges; generates nothing.
class CheckAction final : public clang::ASTFrontendAction {
 public:
  explicit CheckAction(std::vector<Diagnostic>* diagnostics)
      : diagnostics_(diagnostics) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(
      clang::CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<Consumer>(diagnostics_);
  }

 private:
  class Consumer final : public clang::ASTConsumer {
   public:
    explicit Consumer(std::vector<Diagnostic>* diagnostics)
        : diagnostics_(diagnostics) {}

    bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
      kernels_.Add(group);
      return true;
    }
    void HandleTranslationUnit(clang::ASTContext& context) override {
      kernels_.Finish(context);
      if (!context.getDiagnostics().hasErrorOccurred())
        Lint(context, kernels_.entries(), diagnostics_);
    }

   private:
    std::vector<Diagnostic>* diagnostics_;
    KernelCollector kernels_;
  };

  std::vector<Diagnostic>* diagnostics_;
};

// Whether the action ran without errors. `refused` is set when a precompiled
// header stood in the way; the diagnostics are then of no interest.
bool RunOnce(const CompileOptions& options,
             const std::vector<std::string>& arguments,
             clang::FrontendAction& action, InputFiles* inputs,
             std::vector<Diagnostic>* diagnostics, bool* refused) {
  RegisterKernelAttributes();
  DiagnosticCollector collector(diagnostics);
  clang::CompilerInstance compiler;
  compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments)
    pointers.push_back(argument.c_str());
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(
          *invocation, pointers, compiler.getDiagnostics(), BELAY_CLANG)) {
    return false;
  }
  invocation->getDiagnosticOpts().ShowCarets = false;
  if (!options.prelude.empty()) {
    // The compiler takes the buffer over.
    invocation->getPreprocessorOpts().addRemappedFile(
        kPreludeFile,
        llvm::MemoryBuffer::getMemBufferCopy(options.prelude, kPreludeFile)
            .release());
  }
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  compiler.createFileManager(
      llvm::makeIntrusiveRefCnt<GuestFileSystem>(options.headers, inputs));
  const bool ok = compiler.ExecuteAction(action);
  *refused = collector.refused_precompiled_header();
  return ok;
}

std::string LanguageOf(const CompileOptions& options) {
  return options.host_only ? "c++" : "cuda";
}

// A fresh action that appends to these diagnostics; an action runs once.
using MakeAction =
    std::function<clang::FrontendAction&(std::vector<Diagnostic>*)>;

// Tries with the precompiled header, then without.
bool Run(const CompileOptions& options, const FrontEndInput& input,
         const MakeAction& make_action, FrontEndReport& report) {
  if (!options.precompiled_header.empty()) {
    std::vector<Diagnostic> diagnostics;
    bool refused = false;
    const bool ok = RunOnce(options, FrontEndArguments(options, input, true),
                            make_action(&diagnostics), &report.inputs,
                            &diagnostics, &refused);
    if (!refused) {
      std::move(diagnostics.begin(), diagnostics.end(),
                std::back_inserter(report.diagnostics));
      return ok;
    }
  }
  report.used_precompiled_header = false;
  bool refused = false;
  return RunOnce(options, FrontEndArguments(options, input, false),
                 make_action(&report.diagnostics), &report.inputs,
                 &report.diagnostics, &refused);
}

}  // namespace

std::unique_ptr<llvm::Module> ParseToModule(const CompileOptions& options,
                                            const std::string& source,
                                            llvm::LLVMContext& context,
                                            FrontEndReport& report) {
  std::unique_ptr<EmitModuleAction> action;
  const auto fresh =
      [&](std::vector<Diagnostic>* diagnostics) -> clang::FrontendAction& {
    action = std::make_unique<EmitModuleAction>(options, context, diagnostics);
    return *action;
  };
  const FrontEndInput input = {
      .file = source, .language = LanguageOf(options), .output = {}};
  if (!Run(options, input, fresh, report)) return nullptr;
  return action->TakeModule();
}

bool ParseOnly(const CompileOptions& options, const std::string& source,
               FrontEndReport& report) {
  std::unique_ptr<CheckAction> action;
  const auto fresh =
      [&](std::vector<Diagnostic>* diagnostics) -> clang::FrontendAction& {
    action = std::make_unique<CheckAction>(diagnostics);
    return *action;
  };
  const FrontEndInput input = {
      .file = source, .language = LanguageOf(options), .output = {}};
  return Run(options, input, fresh, report);
}

bool Precompile(const CompileOptions& options, const std::string& header,
                const std::string& output, FrontEndReport& report) {
  clang::GeneratePCHAction action;
  const FrontEndInput input = {.file = header,
                               .language = LanguageOf(options) + "-header",
                               .output = output};
  bool refused = false;
  report.used_precompiled_header = false;
  return RunOnce(options, FrontEndArguments(options, input, false), action,
                 &report.inputs, &report.diagnostics, &refused);
}

}  // namespace belay::toolchain
