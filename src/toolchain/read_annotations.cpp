// SPDX-License-Identifier: Apache-2.0
#include "toolchain/read_annotations.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include "toolchain/device_code.h"
#include "toolchain/kernel_attributes.h"

namespace belay::toolchain {
namespace {

void Mark(llvm::Function& function, llvm::StringRef text) {
  if (text == kKernelAnnotation) function.addFnAttr(kKernelMark);
  if (text == kAicoreAnnotation) function.addFnAttr(kAicoreMark);
  if (text.consume_front(kKindAnnotation)) function.addFnAttr(kKindMark, text);
  if (text == kVectorCallsAnnotation) function.addFnAttr(kVectorCallsMark);
  if (text.consume_front(kInferredAnnotation))
    function.addFnAttr(kInferredMark, text);
  if (text.consume_front(kParametersAnnotation))
    function.addFnAttr(kParametersMark, text);
}

}  // namespace

void ReadAnnotations(llvm::Module& module) {
  llvm::GlobalVariable* all = module.getNamedGlobal("llvm.global.annotations");
  if (!all) return;
  const auto* entries = llvm::cast<llvm::ConstantArray>(all->getInitializer());
  for (const llvm::Use& use : entries->operands()) {
    const auto* entry = llvm::cast<llvm::ConstantStruct>(use);
    auto* function = llvm::dyn_cast<llvm::Function>(
        entry->getOperand(0)->stripPointerCasts());
    const auto* text = llvm::dyn_cast<llvm::GlobalVariable>(
        entry->getOperand(1)->stripPointerCasts());
    if (!function || !text) continue;
    const auto* bytes =
        llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer());
    if (bytes && bytes->isCString()) Mark(*function, bytes->getAsCString());
  }
  all->eraseFromParent();
  // The table itself still counts as a user of the functions it named.
  for (llvm::Function& function : module) function.removeDeadConstantUsers();
}

}  // namespace belay::toolchain
