// SPDX-License-Identifier: Apache-2.0
#include "toolchain/lower_module.h"

#include <llvm/IR/InstIterator.h>

#include "toolchain/define_scalar_semantics.h"
#include "toolchain/device_code.h"
#include "toolchain/lower_device_calls.h"
#include "toolchain/lower_launches.h"
#include "toolchain/read_annotations.h"
#include "toolchain/separate_device_code.h"

namespace belay::toolchain {
namespace {

// The loader calls the user's main under a name of its own.
void RenameMain(llvm::Module& module) {
  llvm::Function* main = module.getFunction("main");
  if (main && !main->isDeclaration()) main->setName("belay_guest_main");
}

}  // namespace

void LowerModule(llvm::Module& module, std::vector<Diagnostic>& diagnostics) {
  RenameMain(module);
  ReadAnnotations(module);
  LowerLaunches(module);
  SeparateDeviceCode(module);
  LowerDeviceCalls(module, diagnostics);
  DefineScalarSemantics(module);
}

std::map<std::string, SourceLocation> FirstUsesOfUndefined(
    const llvm::Module& module) {
  std::map<std::string, SourceLocation> uses;
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (!instruction.getDebugLoc()) continue;
      for (const llvm::Value* operand : instruction.operands()) {
        const auto* global = llvm::dyn_cast<llvm::GlobalValue>(operand);
        if (!global || !global->isDeclaration()) continue;
        uses.emplace(global->getName().str(), LocationOf(instruction));
      }
    }
  }
  return uses;
}

}  // namespace belay::toolchain
