// SPDX-License-Identifier: Apache-2.0
#include "toolchain/read_task_types.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

#include <vector>

#include "toolchain/device_code.h"

namespace belay::toolchain {
namespace {

// By the values of KernelMetaType, in their order; empty where the value says
// nothing about this chip.
llvm::StringRef KindOf(uint64_t task_type) {
  static constexpr llvm::StringLiteral kKinds[] = {
      "vector",   // AIV_ONLY
      "cube",     // AIC_ONLY
      "mix:0:1",  // MIX_AIV_1_0
      "mix:1:0",  // MIX_AIC_1_0
      "mix:1:1",  // MIX_AIC_1_1
      "mix:1:2",  // MIX_AIC_1_2
  };
  return task_type < std::size(kKinds) ? kKinds[task_type] : "";
}

}  // namespace

void ReadTaskTypes(llvm::Module& module) {
  llvm::Function* marker = module.getFunction("belay_task_type");
  if (!marker) return;
  std::vector<llvm::CallInst*> calls;
  for (llvm::User* user : marker->users())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user))
      calls.push_back(call);
  for (llvm::CallInst* call : calls) {
    llvm::Function& function = *call->getFunction();
    const auto* type =
        llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
    if (type && function.hasFnAttribute(kKernelMark) &&
        !function.hasFnAttribute(kKindMark)) {
      const llvm::StringRef kind = KindOf(type->getZExtValue());
      if (!kind.empty()) function.addFnAttr(kKindMark, kind);
    }
    call->eraseFromParent();
  }
}

}  // namespace belay::toolchain
