// SPDX-License-Identifier: Apache-2.0
#include "toolchain/export_kernels.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "belay/guest_abi.h"
#include "toolchain/device_code.h"

namespace belay::toolchain {
namespace {

using llvm::Constant;
using llvm::GlobalVariable;

llvm::StructType* RecordType(llvm::LLVMContext& context) {
  auto* pointer = llvm::PointerType::getUnqual(context);
  auto* word = llvm::Type::getInt32Ty(context);
  static_assert(sizeof(abi::KernelRecord) == 48);
  return llvm::StructType::get(
      context, {pointer, pointer, pointer, pointer, pointer, word, word},
      /*isPacked=*/false);
}

Constant* Text(llvm::Module& module, const std::string& value) {
  llvm::IRBuilder<> builder(module.getContext());
  return builder.CreateGlobalString(value, "belay.kernel", 0, &module);
}

// An array of abi::KeyKind, or null.
Constant* KeyKinds(llvm::Module& module, const std::vector<KeyedKind>& kinds) {
  llvm::LLVMContext& context = module.getContext();
  auto* pointer = llvm::PointerType::getUnqual(context);
  if (kinds.empty()) return llvm::ConstantPointerNull::get(pointer);
  auto* word = llvm::Type::getInt64Ty(context);
  auto* type = llvm::StructType::get(context, {word, pointer}, false);
  static_assert(sizeof(abi::KeyKind) == 16);
  std::vector<Constant*> list;
  for (const KeyedKind& kind : kinds) {
    list.push_back(llvm::ConstantStruct::get(
        type,
        {llvm::ConstantInt::get(word, kind.key), Text(module, kind.kind)}));
  }
  list.push_back(llvm::ConstantAggregateZero::get(type));
  auto* array = llvm::ArrayType::get(type, list.size());
  return new GlobalVariable(
      module, array, /*isConstant=*/true, GlobalVariable::InternalLinkage,
      llvm::ConstantArray::get(array, list), "belay.key_kinds");
}

// Into the section of all records, used or not.
void Place(GlobalVariable& record) {
  record.setSection(kKernelSection);
  record.setAlignment(llvm::Align(alignof(abi::KernelRecord)));
  llvm::appendToCompilerUsed(*record.getParent(), {&record});
}

}  // namespace

GlobalVariable* DeclareRecord(llvm::Function& kernel) {
  // Not constant, so that the section has the same flags in every object.
  return new GlobalVariable(
      *kernel.getParent(), RecordType(kernel.getContext()),
      /*isConstant=*/false, GlobalVariable::ExternalLinkage, nullptr,
      kernel.getName() + kRecordSuffix);
}

void DefineRecord(GlobalVariable& record, const llvm::Function& kernel,
                  const ExportedKernel& value) {
  llvm::Module& module = *record.getParent();
  llvm::LLVMContext& context = module.getContext();
  auto* word = llvm::Type::getInt32Ty(context);
  Constant* cube_entry = value.cube_entry;
  if (!cube_entry) {
    cube_entry =
        llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context));
  }
  record.setInitializer(llvm::ConstantStruct::get(
      RecordType(context),
      {Text(module, value.name), Text(module, value.kind), value.entry,
       cube_entry, KeyKinds(module, value.key_kinds),
       llvm::ConstantInt::get(word, value.parameters),
       llvm::ConstantInt::get(word, value.bytes)}));
  record.setLinkage(kernel.hasLocalLinkage() ? GlobalVariable::InternalLinkage
                                             : GlobalVariable::WeakAnyLinkage);
  Place(record);
}

void EndTable(llvm::Module& module) {
  llvm::StructType* type = RecordType(module.getContext());
  Place(*new GlobalVariable(
      module, type, /*isConstant=*/false, GlobalVariable::InternalLinkage,
      llvm::ConstantAggregateZero::get(type), "belay.end_of_kernels"));
}

}  // namespace belay::toolchain
