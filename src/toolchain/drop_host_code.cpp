// SPDX-License-Identifier: Apache-2.0
#include "toolchain/drop_host_code.h"

#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

#include "toolchain/device_code.h"

namespace belay::toolchain {
namespace {

using llvm::Function;
using llvm::GlobalVariable;
using llvm::Module;

bool IsKept(const Function& function) {
  return function.hasFnAttribute(kDeviceMark) ||
         function.getName().contains(kCubeEntrySuffix);
}

// A variable with a value that other modules see is theirs, or a constant of
// which each may have its own.
void Disown(GlobalVariable& variable) {
  if (!variable.hasInitializer() || variable.hasLocalLinkage() ||
      variable.isDiscardableIfUnused())
    return;
  variable.setComdat(nullptr);
  if (variable.isConstant()) {
    variable.setLinkage(GlobalVariable::InternalLinkage);
    return;
  }
  variable.setInitializer(nullptr);
  variable.setLinkage(GlobalVariable::ExternalLinkage);
}

}  // namespace

void RemoveUnused(Module& module) {
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::GlobalDCEPass().run(module, modules);
}

void DropHostCode(Module& module) {
  for (const char* name : {"llvm.global_ctors", "llvm.global_dtors",
                           "llvm.used", "llvm.compiler.used"}) {
    if (GlobalVariable* list = module.getNamedGlobal(name))
      list->eraseFromParent();
  }
  for (GlobalVariable& variable : module.globals()) Disown(variable);
  for (Function& function : module) {
    if (function.isDeclaration() || IsKept(function)) continue;
    function.deleteBody();
    function.setComdat(nullptr);
  }
  RemoveUnused(module);
}

}  // namespace belay::toolchain
