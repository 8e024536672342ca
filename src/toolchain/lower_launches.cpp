// SPDX-License-Identifier: Apache-2.0
#include "toolchain/lower_launches.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "toolchain/device_code.h"
#include "toolchain/export_kernels.h"

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

llvm::FunctionType* EntryType(llvm::LLVMContext& context) {
  return llvm::FunctionType::get(
      Type::getVoidTy(context), {llvm::PointerType::getUnqual(context)}, false);
}

// Static kernels of several sources may have the same name.
std::string CubeEntryName(const Function& kernel, const std::string& source) {
  std::string name = kernel.getName().str() + kCubeEntrySuffix;
  if (kernel.hasLocalLinkage()) name += "." + source;
  return name;
}

// Copies by-value structs to its own stack, so that they are aligned as the
// kernel expects however the packed arguments are.
Function* MakeEntry(Function& kernel, const Packing& packing,
                    const llvm::Twine& name, Function::LinkageTypes linkage) {
  Module& module = *kernel.getParent();
  llvm::LLVMContext& context = module.getContext();
  Function* entry = Function::Create(EntryType(context), linkage, name, module);
  entry->addFnAttr("frame-pointer", "all");
  for (const char* attribute : {"target-cpu", "target-features"})
    if (kernel.hasFnAttribute(attribute))
      entry->addFnAttr(kernel.getFnAttribute(attribute));
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

// As ReadTaskTypes wrote them.
std::vector<KeyedKind> KeyKindsOf(const Function& kernel) {
  std::vector<KeyedKind> kinds;
  llvm::StringRef list =
      kernel.getFnAttribute(kKeyKindsMark).getValueAsString();
  while (!list.empty()) {
    const auto [item, rest] = list.split(';');
    const auto [key, kind] = item.split('=');
    KeyedKind keyed;
    key.getAsInteger(10, keyed.key);
    keyed.kind = kind.str();
    kinds.push_back(std::move(keyed));
    list = rest;
  }
  return kinds;
}

bool RunsOnCubeCores(const Function& kernel) {
  for (const KeyedKind& keyed : KeyKindsOf(kernel))
    if (toolchain::RunsOnCubeCores(keyed.kind)) return true;
  return toolchain::RunsOnCubeCores(KindOf(kernel));
}

std::vector<Function*> KernelsOf(Module& module) {
  std::vector<Function*> kernels;
  for (Function& function : module)
    if (function.hasFnAttribute(kKernelMark)) kernels.push_back(&function);
  return kernels;
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
void LowerLaunch(llvm::CallBase& call, llvm::GlobalVariable* record,
                 const Packing& packing) {
  Module& module = *record->getParent();
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
  Value* arguments[] = {record, packed, builder.getInt64(packing.bytes)};
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

bool LowerLaunches(Module& module, const std::string& source,
                   bool has_cube_module) {
  bool any_on_cube_cores = false;
  for (Function* kernel : KernelsOf(module)) {
    std::vector<llvm::CallBase*> launches;
    for (llvm::User* user : kernel->users()) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call && call->getCalledOperand() == kernel) launches.push_back(call);
    }
    if (kernel->isDeclaration() && launches.empty()) continue;
    const Packing packing = PackingOf(*kernel);
    llvm::GlobalVariable* record = DeclareRecord(*kernel);
    for (llvm::CallBase* launch : launches)
      LowerLaunch(*launch, record, packing);
    if (kernel->isDeclaration()) continue;
    ExportedKernel exported;
    exported.name = PlainName(*kernel);
    exported.kind = KindOf(*kernel);
    exported.entry =
        MakeEntry(*kernel, packing, kernel->getName() + kEntrySuffix,
                  kernel->hasLocalLinkage() ? Function::InternalLinkage
                                            : Function::WeakODRLinkage);
    if (has_cube_module && RunsOnCubeCores(*kernel)) {
      any_on_cube_cores = true;
      exported.cube_entry = Function::Create(
          EntryType(module.getContext()), Function::ExternalLinkage,
          CubeEntryName(*kernel, source), module);
    }
    exported.key_kinds = KeyKindsOf(*kernel);
    exported.parameters = ParametersOf(*kernel);
    exported.bytes = static_cast<uint32_t>(packing.bytes);
    DefineRecord(*record, *kernel, exported);
  }
  return any_on_cube_cores;
}

void MakeCubeEntries(Module& module, const std::string& source) {
  for (Function* kernel : KernelsOf(module)) {
    if (kernel->isDeclaration()) continue;
    MakeEntry(*kernel, PackingOf(*kernel), CubeEntryName(*kernel, source),
              kernel->hasLocalLinkage() ? Function::ExternalLinkage
                                        : Function::WeakODRLinkage);
    kernel->setComdat(nullptr);
    kernel->setLinkage(Function::InternalLinkage);
  }
}

}  // namespace belay::toolchain
