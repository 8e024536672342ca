// SPDX-License-Identifier: Apache-2.0
#include "toolchain/define_scalar_semantics.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <vector>

#include "toolchain/device_code.h"

namespace belay::toolchain {
namespace {

using llvm::BinaryOperator;
using llvm::Constant;
using llvm::ConstantInt;
using llvm::Function;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

void GuardDivisor(BinaryOperator& division) {
  Value* divisor = division.getOperand(1);
  const auto* constant = llvm::dyn_cast<ConstantInt>(divisor);
  if (constant && !constant->isZero()) return;
  IRBuilder<> builder(&division);
  Value* is_zero = builder.CreateIsNull(divisor);
  Instruction* then =
      llvm::SplitBlockAndInsertIfThen(is_zero, &division, /*Unreachable=*/true);
  builder.SetInsertPoint(then);
  llvm::CallInst* call = builder.CreateCall(
      DeclareNoReturn(*division.getModule(), "belay_divide_by_zero"));
  call->setDebugLoc(NearestDebugLoc(division));
  KeepOwnPlace(*call);
}

// n / -1 is -n and n % -1 is 0, which wraps for the least integer.
void DefineOverflow(BinaryOperator& division) {
  Value* divisor = division.getOperand(1);
  const auto* constant = llvm::dyn_cast<ConstantInt>(divisor);
  if (constant && !constant->isMinusOne()) return;
  IRBuilder<> builder(&division);
  Type* type = division.getType();
  Value* is_minus_one =
      builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type));
  Value* dividend = division.getOperand(0);
  Value* special = division.getOpcode() == Instruction::SDiv
                       ? builder.CreateNeg(dividend)
                       : Constant::getNullValue(type);
  division.setOperand(1, builder.CreateSelect(
                             is_minus_one, ConstantInt::get(type, 1), divisor));
  builder.SetInsertPoint(division.getNextNode());
  Value* result = builder.CreateSelect(is_minus_one, special, &division);
  division.replaceUsesWithIf(
      result, [&](const llvm::Use& use) { return use.getUser() != result; });
}

void DefineShift(BinaryOperator& shift) {
  Value* amount = shift.getOperand(1);
  const unsigned width = shift.getType()->getScalarSizeInBits();
  const auto* constant = llvm::dyn_cast<ConstantInt>(amount);
  if (constant && constant->getValue().ult(width)) return;
  if (!llvm::isPowerOf2_32(width)) return;
  IRBuilder<> builder(&shift);
  shift.setOperand(
      1, builder.CreateAnd(amount,
                           ConstantInt::get(amount->getType(), width - 1)));
  shift.dropPoisonGeneratingFlags();
}

void Saturate(llvm::CastInst& cast) {
  const auto id = cast.getOpcode() == Instruction::FPToSI
                      ? llvm::Intrinsic::fptosi_sat
                      : llvm::Intrinsic::fptoui_sat;
  IRBuilder<> builder(&cast);
  Value* result = builder.CreateIntrinsic(id, {cast.getType(), cast.getSrcTy()},
                                          {cast.getOperand(0)});
  cast.replaceAllUsesWith(result);
  cast.eraseFromParent();
}

// Keeps the optimiser from dropping whatever leads to an unreachable place.
void MarkUnreachable(llvm::UnreachableInst& end) {
  const auto* before =
      llvm::dyn_cast_or_null<llvm::CallBase>(end.getPrevNonDebugInstruction());
  if (before && before->doesNotReturn()) return;
  IRBuilder<> builder(&end);
  llvm::CallInst* call = builder.CreateCall(
      DeclareNoReturn(*end.getModule(), "belay_unreachable"));
  call->setDebugLoc(NearestDebugLoc(end));
  KeepOwnPlace(*call);
}

void Define(Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case Instruction::SDiv:
    case Instruction::SRem:
      GuardDivisor(llvm::cast<BinaryOperator>(instruction));
      DefineOverflow(llvm::cast<BinaryOperator>(instruction));
      break;
    case Instruction::UDiv:
    case Instruction::URem:
      GuardDivisor(llvm::cast<BinaryOperator>(instruction));
      break;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      DefineShift(llvm::cast<BinaryOperator>(instruction));
      break;
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      Saturate(llvm::cast<llvm::CastInst>(instruction));
      break;
    case Instruction::Unreachable:
      MarkUnreachable(llvm::cast<llvm::UnreachableInst>(instruction));
      break;
    default:
      break;
  }
}

}  // namespace

void DefineScalarSemantics(llvm::Module& module) {
  for (Function* function : DeviceFunctions(module)) {
    std::vector<Instruction*> all;
    for (Instruction& instruction : llvm::instructions(*function))
      all.push_back(&instruction);
    for (Instruction* instruction : all) Define(*instruction);
  }
}

}  // namespace belay::toolchain
