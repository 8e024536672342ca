// SPDX-License-Identifier: Apache-2.0
#include "toolchain/export_kernels.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "belay/guest_abi.h"

namespace belay::toolchain {

using llvm::Constant;
using llvm::GlobalVariable;

void ExportKernels(llvm::Module& module,
                   const std::vector<ExportedKernel>& kernels,
                   bool ends_table) {
  if (kernels.empty() && !ends_table) return;
  llvm::LLVMContext& context = module.getContext();
  auto* pointer = llvm::PointerType::getUnqual(context);
  auto* word = llvm::Type::getInt32Ty(context);
  auto* type = llvm::StructType::get(
      context, {pointer, pointer, pointer, word, word}, /*isPacked=*/false);
  static_assert(sizeof(abi::KernelRecord) == 32);

  llvm::IRBuilder<> builder(context);
  const auto text = [&](const std::string& value) {
    return builder.CreateGlobalString(value, "belay.kernel", 0, &module);
  };
  std::vector<Constant*> records;
  for (const ExportedKernel& kernel : kernels) {
    records.push_back(llvm::ConstantStruct::get(
        type,
        {text(kernel.name), text(kernel.kind), kernel.entry,
         builder.getInt32(kernel.parameters), builder.getInt32(kernel.bytes)}));
  }
  if (ends_table) records.push_back(llvm::ConstantAggregateZero::get(type));
  auto* array = llvm::ArrayType::get(type, records.size());
  // Not constant, whatever it holds, so that the section has the same flags in
  // every object.
  auto* table = new GlobalVariable(
      module, array, /*isConstant=*/false, GlobalVariable::InternalLinkage,
      llvm::ConstantArray::get(array, records), "belay.kernels");
  table->setSection(kKernelSection);
  table->setAlignment(llvm::Align(alignof(abi::KernelRecord)));
  llvm::appendToCompilerUsed(module, {table});
}

}  // namespace belay::toolchain
