// SPDX-License-Identifier: Apache-2.0
#include "toolchain/define_scalar_semantics.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
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

// The call touches no memory of the kernel: loads move past it as past the
// division itself.
llvm::FunctionCallee DeclareDivideByZero(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      "belay_divide_by_zero", Type::getVoidTy(context),
      Type::getInt64Ty(context), Type::getInt32Ty(context));
  if (auto* function = llvm::dyn_cast<Function>(callee.getCallee())) {
    function->setOnlyAccessesInaccessibleMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
  }
  return callee;
}

// Branches around the division, so that the way without a zero costs no more
// than the test.
void DefineDivisionByZero(BinaryOperator& division) {
  Value* divisor = division.getOperand(1);
  const auto* constant = llvm::dyn_cast<ConstantInt>(divisor);
  if (constant && !constant->isZero()) return;
  const auto opcode = division.getOpcode();
  const bool is_signed =
      opcode == Instruction::SDiv || opcode == Instruction::SRem;
  const bool is_remainder =
      opcode == Instruction::SRem || opcode == Instruction::URem;
  IRBuilder<> builder(&division);
  Value* is_zero = builder.CreateIsNull(divisor);
  Instruction* if_zero = nullptr;
  Instruction* if_not = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(
      is_zero, &division, &if_zero, &if_not,
      llvm::MDBuilder(division.getContext()).createUnlikelyBranchWeights());
  Value* dividend = division.getOperand(0);
  builder.SetInsertPoint(&division);
  llvm::PHINode* result = builder.CreatePHI(division.getType(), 2);
  division.replaceAllUsesWith(result);
  division.moveBefore(if_not);
  result->addIncoming(&division, if_not->getParent());
  result->addIncoming(
      is_remainder ? dividend : Constant::getNullValue(division.getType()),
      if_zero->getParent());

  builder.SetInsertPoint(if_zero);
  llvm::CallInst* call = builder.CreateCall(
      DeclareDivideByZero(*division.getModule()),
      {builder.CreateIntCast(dividend, builder.getInt64Ty(), is_signed),
       builder.getInt32(is_remainder)});
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
      DefineDivisionByZero(llvm::cast<BinaryOperator>(instruction));
      DefineOverflow(llvm::cast<BinaryOperator>(instruction));
      break;
    case Instruction::UDiv:
    case Instruction::URem:
      DefineDivisionByZero(llvm::cast<BinaryOperator>(instruction));
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
