// SPDX-License-Identifier: Apache-2.0
#include "toolchain/place_ub_variables.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

#include "belay/instruction.h"
#include "toolchain/device_code.h"

namespace belay::toolchain {
namespace {

constexpr char kAnnotation[] = "belay_ubuf";
constexpr uint64_t kBlockBytes = 32;

// The text of an annotation of a local variable, or nothing.
llvm::StringRef TextOf(const llvm::IntrinsicInst& annotation) {
  const auto* text = llvm::dyn_cast<llvm::GlobalVariable>(
      annotation.getArgOperand(1)->stripPointerCasts());
  if (!text || !text->hasInitializer()) return {};
  const auto* bytes =
      llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer());
  return bytes && bytes->isCString() ? bytes->getAsCString()
                                     : llvm::StringRef();
}

// Variables of the function that carry the annotation; takes the annotations
// away.
std::vector<llvm::AllocaInst*> TakeAnnotated(llvm::Function& function) {
  std::vector<llvm::AllocaInst*> variables;
  std::vector<llvm::Instruction*> annotations;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call || call->getIntrinsicID() != llvm::Intrinsic::var_annotation ||
        TextOf(*call) != kAnnotation) {
      continue;
    }
    annotations.push_back(call);
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(
        call->getArgOperand(0)->stripPointerCasts());
    if (variable && !variable->getAllocatedType()->isPointerTy()) {
      variables.push_back(variable);
    }
  }
  for (llvm::Instruction* annotation : annotations) {
    annotation->eraseFromParent();
  }
  return variables;
}

// Members that carry the word wrap every access to them; unwraps it.
void UnwrapMembers(llvm::Function& function) {
  for (llvm::Instruction& instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call || call->getIntrinsicID() != llvm::Intrinsic::ptr_annotation ||
        TextOf(*call) != kAnnotation) {
      continue;
    }
    call->replaceAllUsesWith(call->getArgOperand(0));
    call->eraseFromParent();
  }
}

// Debug records and lifetimes speak of the stack.
void DropMarkers(llvm::AllocaInst& variable) {
  std::vector<llvm::Instruction*> markers;
  for (llvm::User* user : variable.users()) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    if (call && call->isLifetimeStartOrEnd()) markers.push_back(call);
  }
  for (llvm::Instruction* marker : markers) marker->eraseFromParent();
}

}  // namespace

void PlaceUbVariables(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* word = llvm::Type::getInt64Ty(context);
  llvm::Type* byte = llvm::Type::getInt8Ty(context);
  const llvm::FunctionCallee base =
      module.getOrInsertFunction("belay_memory_base", word, byte);
  uint64_t offset = 0;
  for (llvm::Function* function : DeviceFunctions(module)) {
    UnwrapMembers(*function);
    for (llvm::AllocaInst* variable : TakeAnnotated(*function)) {
      DropMarkers(*variable);
      const auto size = variable->getAllocationSize(module.getDataLayout());
      if (!size) continue;  // variable length: not in this language
      llvm::IRBuilder<> builder(variable);
      llvm::Value* start = builder.CreateCall(
          base, llvm::ConstantInt::get(
                    byte, static_cast<uint64_t>(abi::Memory::kUb)));
      llvm::Value* place = builder.CreateIntToPtr(
          builder.CreateAdd(start, llvm::ConstantInt::get(word, offset)),
          variable->getType());
      variable->replaceAllUsesWith(place);
      variable->eraseFromParent();
      offset +=
          (size->getFixedValue() + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
    }
  }
}

}  // namespace belay::toolchain
