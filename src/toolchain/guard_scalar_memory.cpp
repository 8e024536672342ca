// SPDX-License-Identifier: Apache-2.0
#include "toolchain/guard_scalar_memory.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>
#include <vector>

#include "toolchain/device_code.h"
#include "toolchain/known_memory.h"

namespace belay::toolchain {
namespace {

using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

enum class Access { kRead, kWrite };

Value* CallGuard(Instruction& before, Value* pointer, Value* bytes,
                 Access access) {
  IRBuilder<> builder(&before);
  llvm::Module& module = *before.getModule();
  llvm::CallInst* call = builder.CreateCall(
      access == Access::kRead ? DeclareRead(module) : DeclareWrite(module),
      {pointer, bytes});
  call->setDebugLoc(NearestDebugLoc(before));
  KeepOwnPlace(*call);
  return call;
}

// `pointer` itself inside the object, the runtime's answer outside.
Value* CallGuardWhenOutside(Instruction& before, Value* pointer, uint64_t bytes,
                            const KnownObject& object, Access access) {
  IRBuilder<> builder(&before);
  builder.SetCurrentDebugLocation(NearestDebugLoc(before));
  Type* size = builder.getInt64Ty();
  Value* offset = builder.CreateSub(builder.CreatePtrToInt(pointer, size),
                                    builder.CreatePtrToInt(object.base, size));
  Value* is_outside = object.bytes < bytes
                          ? builder.getTrue()
                          : builder.CreateICmpUGT(
                                offset, builder.getInt64(object.bytes - bytes));
  llvm::BasicBlock* head = before.getParent();
  Instruction* cold = llvm::SplitBlockAndInsertIfThen(is_outside, &before,
                                                      /*Unreachable=*/false);
  Value* answer = CallGuard(*cold, pointer, builder.getInt64(bytes), access);
  llvm::PHINode* place =
      llvm::PHINode::Create(pointer->getType(), 2, "", before.getIterator());
  place->addIncoming(pointer, head);
  place->addIncoming(answer, cold->getParent());
  return place;
}

// Where to make an access of a fixed size.
Value* Guard(Instruction& access, Value* pointer, uint64_t bytes, Access kind) {
  const KnownMemory known = Classify(pointer, bytes, kind == Access::kWrite);
  if (known.is_safe) return pointer;
  if (known.object)
    return CallGuardWhenOutside(access, pointer, bytes, *known.object, kind);
  return CallGuard(access, pointer, IRBuilder<>(&access).getInt64(bytes), kind);
}

void CallMemoryFunction(llvm::MemIntrinsic& intrinsic, const char* name,
                        Value* second) {
  IRBuilder<> builder(&intrinsic);
  const llvm::FunctionCallee function =
      intrinsic.getModule()->getOrInsertFunction(
          name, builder.getVoidTy(), builder.getPtrTy(), second->getType(),
          builder.getInt64Ty());
  llvm::CallInst* call = builder.CreateCall(
      function,
      {intrinsic.getDest(), second,
       builder.CreateZExtOrTrunc(intrinsic.getLength(), builder.getInt64Ty())});
  call->setDebugLoc(NearestDebugLoc(intrinsic));
  KeepOwnPlace(*call);
  intrinsic.eraseFromParent();
}

std::optional<uint64_t> ConstantLength(const llvm::MemIntrinsic& intrinsic) {
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(intrinsic.getLength());
  if (!length) return std::nullopt;
  return length->getZExtValue();
}

bool IsSafe(Value* pointer, std::optional<uint64_t> bytes, Access kind) {
  return bytes && Classify(pointer, *bytes, kind == Access::kWrite).is_safe;
}

void GuardMemorySet(llvm::MemSetInst& set) {
  if (IsSafe(set.getDest(), ConstantLength(set), Access::kWrite)) return;
  IRBuilder<> builder(&set);
  CallMemoryFunction(set, "belay_memset",
                     builder.CreateZExt(set.getValue(), builder.getInt32Ty()));
}

// The runtime knows the frames of kernel code but not the module's constants,
// so a copy from a constant is asked for on its other side only.
void GuardMemoryTransfer(llvm::MemTransferInst& transfer) {
  const std::optional<uint64_t> bytes = ConstantLength(transfer);
  const bool is_source_safe =
      IsSafe(transfer.getSource(), bytes, Access::kRead);
  if (is_source_safe && IsSafe(transfer.getDest(), bytes, Access::kWrite))
    return;
  if (is_source_safe && !IsInFrame(transfer.getSource())) {
    transfer.setDest(CallGuard(transfer, transfer.getDest(),
                               transfer.getLength(), Access::kWrite));
    return;
  }
  CallMemoryFunction(
      transfer,
      llvm::isa<llvm::MemMoveInst>(transfer) ? "belay_memmove" : "belay_memcpy",
      transfer.getSource());
}

// A struct passed by value is read by the call itself, and a struct it returns
// is written by the callee without asking.
void GuardStructs(llvm::CallBase& call) {
  const llvm::DataLayout& layout = call.getModule()->getDataLayout();
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    Type* type = call.getParamByValType(i);
    const Access kind = type ? Access::kRead : Access::kWrite;
    if (!type) type = call.getParamStructRetType(i);
    if (!type) continue;
    const uint64_t bytes = layout.getTypeStoreSize(type).getFixedValue();
    call.setArgOperand(i, Guard(call, call.getArgOperand(i), bytes, kind));
  }
}

void GuardInstruction(Instruction& instruction) {
  const llvm::DataLayout& layout = instruction.getModule()->getDataLayout();
  const auto bytes_of = [&](Type* type) {
    return layout.getTypeStoreSize(type).getFixedValue();
  };
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    load->setOperand(0, Guard(*load, load->getPointerOperand(),
                              bytes_of(load->getType()), Access::kRead));
  } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    store->setOperand(1, Guard(*store, store->getPointerOperand(),
                               bytes_of(store->getValueOperand()->getType()),
                               Access::kWrite));
  } else if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    atomic->setOperand(0, Guard(*atomic, atomic->getPointerOperand(),
                                bytes_of(atomic->getType()), Access::kWrite));
  } else if (auto* swap =
                 llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    swap->setOperand(0, Guard(*swap, swap->getPointerOperand(),
                              bytes_of(swap->getNewValOperand()->getType()),
                              Access::kWrite));
  } else if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&instruction)) {
    GuardMemorySet(*set);
  } else if (auto* transfer =
                 llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
    GuardMemoryTransfer(*transfer);
  } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    GuardStructs(*call);
  }
}

}  // namespace

void GuardScalarMemory(llvm::Module& module) {
  for (llvm::Function* function : DeviceFunctions(module)) {
    std::vector<Instruction*> all;
    for (Instruction& instruction : llvm::instructions(*function))
      if (instruction.mayReadOrWriteMemory()) all.push_back(&instruction);
    for (Instruction* instruction : all) GuardInstruction(*instruction);
  }
}

}  // namespace belay::toolchain
