// SPDX-License-Identifier: Apache-2.0
#include "toolchain/optimize.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <utility>

#include "toolchain/inline_functions.h"

namespace belay::toolchain {

struct Optimizer::Analyses {
  explicit Analyses(llvm::TargetMachine& machine) : builder(&machine) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
};

Optimizer::Optimizer(llvm::Module& module, llvm::TargetMachine& machine,
                     int level)
    : module_(module),
      level_(level),
      analyses_(std::make_unique<Analyses>(machine)) {}

Optimizer::~Optimizer() = default;

void Optimizer::Inline() {
  llvm::FunctionPassManager promote;
  if (level_ > 0) {
    promote.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    promote.addPass(llvm::EarlyCSEPass());
    promote.addPass(llvm::SimplifyCFGPass());
  }
  InlineFunctions(module_, analyses_->functions, promote,
                  level_ > 0 ? Inlining::kUseful : Inlining::kRequired);
}

void Optimizer::Simplify() {
  if (level_ == 0) return;
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass());
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops)));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::ADCEPass());
  for (llvm::Function& function : module_) {
    if (function.isDeclaration()) continue;
    // Guards were inserted since the analyses were made.
    analyses_->functions.invalidate(function, llvm::PreservedAnalyses::none());
    passes.run(function, analyses_->functions);
  }
}

}  // namespace belay::toolchain
