// SPDX-License-Identifier: Apache-2.0
#include "toolchain/lower_launches.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "toolchain/device_code.h"

namespace belay::toolchain {
namespace {

using llvm::Align;
using llvm::Function;
using llvm::IRBuilder;
using llvm::Module;
using llvm::Type;
using llvm::Value;

// Where one argument lies among the packed ones.
struct Slot {
  Type* type;  // what is stored: a by-value struct itself, not its pointer
  uint64_t offset;
  bool by_value;
};

struct Packing {
  std::vector<Slot> slots;
  uint64_t bytes = 0;
};

Packing PackingOf(const Function& kernel) {
  const llvm::DataLayout& layout = kernel.getParent()->getDataLayout();
  Packing packing;
  for (const llvm::Argument& argument : kernel.args()) {
    const bool by_value = argument.hasByValAttr();
    Type* type = by_value ? argument.getParamByValType() : argument.getType();
    const uint64_t offset =
        alignTo(packing.bytes, layout.getABITypeAlign(type));
    packing.slots.push_back({type, offset, by_value});
    packing.bytes = offset + layout.getTypeAllocSize(type);
  }
  return packing;
}

Value* SlotAddress(IRBuilder<>& builder, Value* base, const Slot& slot) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base,
                                            slot.offset);
}

// The kernel's name as the user wrote it, without parameters.
std::string PlainName(const Function& kernel) {
  llvm::ItaniumPartialDemangler demangler;
  const std::string mangled = kernel.getName().str();
  if (demangler.partialDemangle(mangled.c_str())) return mangled;
  char* text = demangler.getFunctionName(nullptr, nullptr);
  if (!text) return mangled;
  std::string name = text;
  std::free(text);
  return name;
}

// Copies by-value structs to its own stack, so that they are aligned as the
// kernel expects however the packed arguments are.
Function* MakeEntry(Function& kernel, const Packing& packing) {
  Module& module = *kernel.getParent();
  llvm::LLVMContext& context = module.getContext();
  auto* type = llvm::FunctionType::get(
      Type::getVoidTy(context), {llvm::PointerType::getUnqual(context)}, false);
  const auto linkage = kernel.hasLocalLinkage() ? Function::InternalLinkage
                                                : Function::WeakODRLinkage;
  Function* entry =
      Function::Create(type, linkage, kernel.getName() + kEntrySuffix, module);
  entry->addFnAttr("frame-pointer", "all");
  for (const char* name : {"target-cpu", "target-features"})
    if (kernel.hasFnAttribute(name))
      entry->addFnAttr(kernel.getFnAttribute(name));
  entry->setUWTableKind(llvm::UWTableKind::Async);
  IRBuilder<> builder(llvm::BasicBlock::Create(context, "", entry));
  std::vector<Value*> values;
  for (const auto& [index, slot] : llvm::enumerate(packing.slots)) {
    Value* address = SlotAddress(builder, entry->getArg(0), slot);
    if (!slot.by_value) {
      values.push_back(builder.CreateAlignedLoad(slot.type, address, Align(1)));
      continue;
    }
    llvm::AllocaInst* copy = builder.CreateAlloca(slot.type);
    copy->setAlignment(kernel.getParamAlign(index).value_or(copy->getAlign()));
    builder.CreateMemCpy(
        copy, copy->getAlign(), address, Align(1),
        module.getDataLayout().getTypeAllocSize(slot.type).getFixedValue());
    values.push_back(copy);
  }
  llvm::CallInst* call = builder.CreateCall(&kernel, values);
  call->setCallingConv(kernel.getCallingConv());
  call->setAttributes(llvm::AttributeList::get(
      context, llvm::AttributeSet(), kernel.getAttributes().getRetAttrs(), [&] {
        std::vector<llvm::AttributeSet> sets;
        for (unsigned i = 0; i < kernel.arg_size(); ++i)
          sets.push_back(kernel.getAttributes().getParamAttrs(i));
        return sets;
      }()));
  builder.CreateRetVoid();
  return entry;
}

std::string KindOf(const Function& kernel) {
  const llvm::Attribute kind = kernel.getFnAttribute(kKindMark);
  return kind.isValid() ? kind.getValueAsString().str() : "aicore";
}

// As the source counts them; a structure may be several arguments here.
uint32_t ParametersOf(const Function& kernel) {
  uint32_t parameters = 0;
  kernel.getFnAttribute(kParametersMark)
      .getValueAsString()
      .getAsInteger(10, parameters);
  return parameters;
}

// Replaces one call of `kernel` in host code.
void LowerLaunch(llvm::CallBase& call, Function& kernel, Function* entry,
                 const Packing& packing) {
  Module& module = *kernel.getParent();
  const llvm::DataLayout& layout = module.getDataLayout();
  Function& caller = *call.getFunction();
  IRBuilder<> at_start(&caller.getEntryBlock(), caller.getEntryBlock().begin());
  llvm::AllocaInst* packed = at_start.CreateAlloca(llvm::ArrayType::get(
      at_start.getInt8Ty(), std::max<uint64_t>(packing.bytes, 1)));
  packed->setAlignment(Align(16));

  IRBuilder<> builder(&call);
  for (const auto& [index, slot] : llvm::enumerate(packing.slots)) {
    Value* address = SlotAddress(builder, packed, slot);
    Value* value = call.getArgOperand(index);
    if (slot.by_value) {
      builder.CreateMemCpy(address, Align(1), value, Align(1),
                           layout.getTypeAllocSize(slot.type).getFixedValue());
    } else {
      builder.CreateAlignedStore(value, address, Align(1));
    }
  }
  Value* arguments[] = {builder.CreateGlobalString(PlainName(kernel)),
                        builder.CreateGlobalString(KindOf(kernel)), entry,
                        packed, builder.getInt64(packing.bytes)};
  const llvm::FunctionCallee launch = DeclareLaunch(module);
  llvm::CallBase* replacement = nullptr;
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    replacement = builder.CreateInvoke(launch, invoke->getNormalDest(),
                                       invoke->getUnwindDest(), arguments);
  } else {
    replacement = builder.CreateCall(launch, arguments);
  }
  replacement->setDebugLoc(call.getDebugLoc());
  KeepOwnPlace(*replacement);
  call.eraseFromParent();
}

}  // namespace

std::vector<ExportedKernel> LowerLaunches(Module& module) {
  std::vector<ExportedKernel> defined;
  std::vector<Function*> kernels;
  for (Function& function : module)
    if (function.hasFnAttribute(kKernelMark)) kernels.push_back(&function);
  for (Function* kernel : kernels) {
    std::vector<llvm::CallBase*> launches;
    for (llvm::User* user : kernel->users()) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call && call->getCalledOperand() == kernel) launches.push_back(call);
    }
    if (kernel->isDeclaration() && launches.empty()) continue;
    const Packing packing = PackingOf(*kernel);
    Function* entry = MakeEntry(*kernel, packing);
    for (llvm::CallBase* launch : launches)
      LowerLaunch(*launch, *kernel, entry, packing);
    if (kernel->isDeclaration()) continue;
    defined.push_back({PlainName(*kernel), KindOf(*kernel), entry,
                       ParametersOf(*kernel),
                       static_cast<uint32_t>(packing.bytes)});
  }
  return defined;
}

}  // namespace belay::toolchain
