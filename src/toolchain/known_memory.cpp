// SPDX-License-Identifier: Apache-2.0
#include "toolchain/known_memory.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "toolchain/device_code.h"

namespace belay::toolchain {
namespace {

using llvm::Value;

// By-value parameters and the place of a struct result are frame memory that
// the caller laid out.
std::optional<KnownObject> FrameArgument(llvm::Argument& argument,
                                         const llvm::DataLayout& layout) {
  llvm::Type* type = nullptr;
  if (argument.hasByValAttr()) type = argument.getParamByValType();
  if (argument.hasStructRetAttr()) type = argument.getParamStructRetType();
  if (!type) return std::nullopt;
  return KnownObject{&argument, layout.getTypeAllocSize(type)};
}

std::optional<KnownObject> FrameVariable(llvm::AllocaInst& variable,
                                         const llvm::DataLayout& layout) {
  const std::optional<llvm::TypeSize> size = variable.getAllocationSize(layout);
  if (!size) return std::nullopt;
  return KnownObject{&variable, size->getFixedValue()};
}

// The place an accessor of our headers was given: it has been checked for the
// bytes asked for.
std::optional<KnownObject> CheckedPlace(llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  static constexpr llvm::StringRef kAccessors[] = {
      "belay_get_value", "belay_read_direct", "belay_set_value",
      "belay_write_direct"};
  if (!callee || !llvm::is_contained(kAccessors, callee->getName()))
    return std::nullopt;
  auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
  if (!bytes) return std::nullopt;
  return KnownObject{&call, bytes->getZExtValue()};
}

const llvm::DataLayout* LayoutOf(Value* base) {
  if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(base))
    return &instruction->getModule()->getDataLayout();
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(base))
    return &argument->getParent()->getParent()->getDataLayout();
  if (auto* global = llvm::dyn_cast<llvm::GlobalValue>(base))
    return &global->getParent()->getDataLayout();
  return nullptr;
}

std::optional<KnownObject> ObjectOf(Value* base, bool is_write,
                                    const llvm::DataLayout& layout) {
  if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(base))
    return FrameVariable(*variable, layout);
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(base))
    return FrameArgument(*argument, layout);
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(base))
    return CheckedPlace(*call);
  if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base)) {
    const bool is_readable = global->isConstant() && !is_write;
    if (is_readable || IsRuntimeName(global->getName()))
      return KnownObject{global,
                         layout.getTypeAllocSize(global->getValueType())};
  }
  return std::nullopt;
}

}  // namespace

KnownMemory Classify(Value* pointer, uint64_t bytes, bool is_write) {
  Value* base = llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0);
  const llvm::DataLayout* layout = LayoutOf(base);
  if (!layout) return {};
  const std::optional<KnownObject> object = ObjectOf(base, is_write, *layout);
  if (!object) return {};
  llvm::APInt offset(64, 0);
  const Value* start = pointer->stripAndAccumulateConstantOffsets(
      *layout, offset, /*AllowNonInbounds=*/true);
  if (start != base) return {.is_safe = false, .object = object};
  const bool is_inside =
      bytes <= object->bytes && offset.ule(object->bytes - bytes);
  return {.is_safe = is_inside, .object = object};
}

bool IsInFrame(Value* pointer) {
  Value* base = llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0);
  return llvm::isa<llvm::AllocaInst, llvm::Argument>(base);
}

}  // namespace belay::toolchain
