// SPDX-License-Identifier: Apache-2.0
#include "toolchain/read_task_types.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

#include <string>
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

// Calls of a marker, in the order of their functions and blocks.
std::vector<llvm::CallInst*> CallsOf(llvm::Module& module, const char* name) {
  std::vector<llvm::CallInst*> calls;
  llvm::Function* marker = module.getFunction(name);
  if (!marker) return calls;
  for (llvm::User* user : marker->users())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user))
      calls.push_back(call);
  return calls;
}

// The kind that argument `index` names; empty when it is not a constant.
llvm::StringRef KindArgument(const llvm::CallInst& call, unsigned index) {
  const auto* type =
      llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(index));
  return type ? KindOf(type->getZExtValue()) : "";
}

// Appends "key=kind;" to the kernel's list.
void AddKeyKind(const llvm::CallInst& call, llvm::Function& kernel) {
  const auto* key = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  const llvm::StringRef kind = KindArgument(call, 1);
  if (!key || kind.empty()) return;
  std::string list =
      kernel.getFnAttribute(kKeyKindsMark).getValueAsString().str();
  list += std::to_string(key->getZExtValue()) + "=" + kind.str() + ";";
  kernel.addFnAttr(kKeyKindsMark, list);
}

// Marks kernels without a kind from which the function is reached.
void Suggest(llvm::Function& function, llvm::StringRef kind) {
  llvm::SetVector<llvm::Function*> reached;
  reached.insert(&function);
  for (size_t i = 0; i < reached.size(); ++i) {
    llvm::Function& at = *reached[i];
    if (at.hasFnAttribute(kKernelMark)) {
      if (!at.hasFnAttribute(kKindMark)) at.addFnAttr(kKindMark, kind);
      continue;
    }
    for (llvm::User* user : at.users())
      if (auto* call = llvm::dyn_cast<llvm::Instruction>(user))
        reached.insert(call->getFunction());
  }
}

}  // namespace

void ReadTaskTypes(llvm::Module& module) {
  for (llvm::CallInst* call : CallsOf(module, "belay_task_type")) {
    llvm::Function& function = *call->getFunction();
    const llvm::StringRef kind = KindArgument(*call, 0);
    if (function.hasFnAttribute(kKernelMark) &&
        !function.hasFnAttribute(kKindMark) && !kind.empty())
      function.addFnAttr(kKindMark, kind);
    call->eraseFromParent();
  }
  for (llvm::CallInst* call : CallsOf(module, "belay_task_type_of_key")) {
    llvm::Function& function = *call->getFunction();
    if (function.hasFnAttribute(kKernelMark)) AddKeyKind(*call, function);
    call->eraseFromParent();
  }
  for (llvm::CallInst* call : CallsOf(module, "belay_suggest_task_type")) {
    const llvm::StringRef kind = KindArgument(*call, 0);
    if (!kind.empty()) Suggest(*call->getFunction(), kind);
    call->eraseFromParent();
  }
  for (llvm::Function& function : module) {
    if (function.hasFnAttribute(kInferredMark) &&
        !function.hasFnAttribute(kKindMark))
      function.addFnAttr(
          kKindMark, function.getFnAttribute(kInferredMark).getValueAsString());
  }
}

}  // namespace belay::toolchain
