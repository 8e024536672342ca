// SPDX-License-Identifier: Apache-2.0
#include "toolchain/optimize.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <utility>

namespace belay::toolchain {
namespace {

// Costs the inliner accepts: those of -O2.
constexpr int kInlineThreshold = 225;

void Run(llvm::Module& module, llvm::TargetMachine& machine,
         llvm::ModulePassManager passes) {
  llvm::PassBuilder builder(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  passes.run(module, modules);
}

llvm::FunctionPassManager PromoteVariables() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  return passes;
}

}  // namespace

void InlineFunctions(llvm::Module& module, llvm::TargetMachine& machine,
                     int level) {
  llvm::ModulePassManager passes;
  if (level == 0) {
    passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  } else {
    llvm::ModuleInlinerWrapperPass inliner(
        llvm::getInlineParams(kInlineThreshold), /*MandatoryFirst=*/false);
    inliner.getPM().addPass(
        llvm::createCGSCCToFunctionPassAdaptor(PromoteVariables()));
    passes.addPass(std::move(inliner));
  }
  passes.addPass(llvm::GlobalDCEPass());
  Run(module, machine, std::move(passes));
}

void Simplify(llvm::Module& module, llvm::TargetMachine& machine, int level) {
  if (level == 0) return;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::InstCombinePass());
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass());
  loops.addPass(llvm::IndVarSimplifyPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops)));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::ADCEPass());
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  Run(module, machine, std::move(all));
}

}  // namespace belay::toolchain
