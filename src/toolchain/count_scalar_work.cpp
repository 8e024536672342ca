// SPDX-License-Identifier: Apache-2.0
#include "toolchain/count_scalar_work.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <array>
#include <numeric>
#include <vector>

#include "belay/scalar_work.h"
#include "toolchain/device_code.h"

namespace belay::toolchain {
namespace {

using llvm::BasicBlock;
using llvm::CallBase;
using llvm::Function;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

bool IsRuntimeCall(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<CallBase>(&instruction);
  return call && call->getCalledFunction() &&
         IsRuntimeName(call->getCalledFunction()->getName());
}

// Local variables whose address a runtime call takes: the records headers fill.
llvm::DenseSet<const Value*> RecordsOf(Function& function) {
  llvm::DenseSet<const Value*> records;
  for (Instruction& instruction : llvm::instructions(function)) {
    if (!IsRuntimeCall(instruction)) continue;
    for (const Value* argument : llvm::cast<CallBase>(instruction).args()) {
      if (!argument->getType()->isPointerTy()) continue;
      const Value* base = llvm::getUnderlyingObject(argument);
      if (llvm::isa<llvm::AllocaInst>(base)) records.insert(base);
    }
  }
  return records;
}

// A block that asks the runtime about an access or reports a fault; it may
// convert what it passes.
bool IsCheckBlock(const BasicBlock& block) {
  bool asks = false;
  for (const Instruction& instruction : block) {
    if (instruction.isTerminator() || instruction.isDebugOrPseudoInst() ||
        llvm::isa<llvm::CastInst>(instruction))
      continue;
    if (!IsRuntimeCall(instruction)) return false;
    const llvm::StringRef name =
        llvm::cast<CallBase>(instruction).getCalledFunction()->getName();
    if (name != "belay_read" && name != "belay_write" &&
        name != "belay_divide_by_zero" && name != "belay_unreachable")
      return false;
    asks = true;
  }
  return asks;
}

// The branches into such blocks, and what nothing but them needs.
llvm::DenseSet<const Value*> ChecksOf(Function& function) {
  llvm::DenseSet<const Value*> checks;
  for (BasicBlock& block : function) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional()) continue;
    if (!IsCheckBlock(*branch->getSuccessor(0)) &&
        !IsCheckBlock(*branch->getSuccessor(1)))
      continue;
    checks.insert(branch);
    const auto* needed = llvm::dyn_cast<Instruction>(branch->getCondition());
    while (needed && needed->hasOneUse() &&
           (llvm::isa<llvm::CmpInst, llvm::PtrToIntInst>(needed) ||
            needed->getOpcode() == Instruction::Sub)) {
      checks.insert(needed);
      needed = llvm::dyn_cast<Instruction>(needed->getOperand(0));
    }
  }
  return checks;
}

// What is not counted in a function.
struct Plumbing {
  llvm::DenseSet<const Value*> records;
  llvm::DenseSet<const Value*> checks;
  const LibraryCalls& library;
};

bool IsFree(const Instruction& instruction, const Plumbing& plumbing) {
  if (llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::UnreachableInst>(
          instruction) ||
      instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd())
    return true;
  if (IsRuntimeCall(instruction) || plumbing.checks.count(&instruction))
    return true;
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    if (cast->isNoopCast(instruction.getModule()->getDataLayout())) return true;
  }
  if (const auto* address =
          llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return address->hasAllConstantIndices();
  const Value* written = nullptr;
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    written = store->getPointerOperand();
  if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
    written = memory->getDest();
  return written && plumbing.records.count(llvm::getUnderlyingObject(written));
}

bool IsElement(const Value* place) {
  const auto* call = llvm::dyn_cast<CallBase>(place);
  if (!call || !call->getCalledFunction()) return false;
  const llvm::StringRef name = call->getCalledFunction()->getName();
  return name == "belay_get_value" || name == "belay_set_value" ||
         name == "belay_read_direct" || name == "belay_write_direct";
}

// Loads and stores at a place that the runtime gave for an element of a
// tensor, or at one of several, by the way the code came: it counts them
// itself. Those through pointers it counts as well, but compiled code cannot
// tell them from those of the kernel's own variables: they are counted here,
// too, and taken off later.
bool IsElementAccess(const Value& pointer) {
  llvm::SmallVector<const Value*> places;
  llvm::getUnderlyingObjects(&pointer, places);
  return llvm::all_of(places, IsElement);
}

// How often each class occurs in a block.
using Work = std::array<uint64_t, abi::kScalarClasses + 1>;

// The scalar unit computes in float: 16-bit operands are converted before, the
// result behind.
uint64_t FloatSteps(const Instruction& instruction) {
  const llvm::Type* type = instruction.getOperand(0)->getType();
  if (!type->isHalfTy() && !type->isBFloatTy()) return 1;
  if (instruction.isBinaryOp()) return 4;
  return llvm::isa<llvm::FCmpInst>(instruction) ? 3 : 1;
}

// `library`: of what Belay's headers do, only arithmetic on floats is the
// kernel's own. The rest packs instructions, where the chip has registers.
void Count(const Instruction& instruction, bool library, Work& work) {
  const auto add = [&](abi::ScalarClass which, uint64_t count = 1) {
    work[static_cast<int>(which)] += count;
  };
  const bool floating =
      instruction.getType()->isFPOrFPVectorTy() ||
      (instruction.getNumOperands() > 0 &&
       instruction.getOperand(0)->getType()->isFPOrFPVectorTy());
  const bool is_call = llvm::isa<CallBase>(instruction) &&
                       !llvm::isa<llvm::IntrinsicInst>(instruction);
  if (floating && !is_call &&
      !llvm::isa<llvm::LoadInst, llvm::SelectInst, llvm::StoreInst>(
          instruction)) {
    return add(abi::ScalarClass::kFloating, FloatSteps(instruction));
  }
  if (library) return;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (!IsElementAccess(*load->getPointerOperand())) {
      add(abi::ScalarClass::kStackLoad);
    }
    return;
  }
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (!IsElementAccess(*store->getPointerOperand())) {
      add(abi::ScalarClass::kStackStore);
    }
    return;
  }
  switch (instruction.getOpcode()) {
    case Instruction::Mul:
      return add(abi::ScalarClass::kMultiply);
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
      return add(abi::ScalarClass::kDivide);
    case Instruction::Call:
    case Instruction::Invoke:
      return add(abi::ScalarClass::kSimple, is_call ? 2 : 1);
    case Instruction::Br:
      // Code that follows needs no jump.
      if (llvm::cast<llvm::BranchInst>(instruction).isUnconditional()) return;
      return add(abi::ScalarClass::kSimple);
    default:
      return add(abi::ScalarClass::kSimple);
  }
}

Work WorkOf(const BasicBlock& block, const Plumbing& plumbing) {
  Work work{};
  for (const Instruction& instruction : block) {
    if (IsFree(instruction, plumbing)) continue;
    Count(instruction, plumbing.library.Made(instruction), work);
  }
  return work;
}

// Adds what is not simple to the counters.
void InsertWork(IRBuilder<>& builder, const Work& work) {
  uint64_t words[2] = {0, 0};
  for (int i = 0; i < abi::kScalarClasses; ++i) {
    const auto which = static_cast<abi::ScalarClass>(i);
    words[abi::ScalarWordOf(which)] += work[i] << abi::ScalarShiftOf(which);
  }
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  llvm::Type* word = builder.getInt64Ty();
  llvm::Type* counters = llvm::ArrayType::get(word, 2);
  llvm::Constant* all = module.getOrInsertGlobal("belay_scalar_work", counters);
  for (int i = 0; i < 2; ++i) {
    if (words[i] == 0) continue;
    Value* place = builder.CreateConstInBoundsGEP2_64(counters, all, 0, i);
    builder.CreateStore(builder.CreateAdd(builder.CreateLoad(word, place),
                                          builder.getInt64(words[i])),
                        place);
  }
}

void InsertCounter(BasicBlock& block, const Work& work, int64_t cost,
                   bool may_tick) {
  Instruction* first = &*block.getFirstInsertionPt();
  while (llvm::isa<llvm::AllocaInst>(first)) first = first->getNextNode();
  llvm::Module& module = *block.getModule();
  IRBuilder<> builder(first);
  builder.SetCurrentDebugLocation(NearestDebugLoc(*first));
  InsertWork(builder, work);
  llvm::Type* type = builder.getInt64Ty();
  llvm::Constant* budget = module.getOrInsertGlobal("belay_budget", type);
  Value* left = builder.CreateSub(builder.CreateLoad(type, budget),
                                  builder.getInt64(cost));
  builder.CreateStore(left, budget);
  if (!may_tick) return;
  Value* is_spent = builder.CreateICmpSLT(left, builder.getInt64(0));
  Instruction* then = llvm::SplitBlockAndInsertIfThen(
      is_spent, first, /*Unreachable=*/false,
      llvm::MDBuilder(module.getContext()).createUnlikelyBranchWeights());
  builder.SetInsertPoint(then);
  llvm::CallInst* tick = builder.CreateCall(
      module.getOrInsertFunction("belay_tick", builder.getVoidTy()));
  KeepOwnPlace(*tick);
}

void CountIn(Function& function, const LibraryCalls& library) {
  const Plumbing plumbing = {RecordsOf(function), ChecksOf(function), library};
  llvm::SmallVector<std::pair<const BasicBlock*, const BasicBlock*>> edges;
  llvm::FindFunctionBackedges(function, edges);
  llvm::DenseSet<const BasicBlock*> ticking = {&function.getEntryBlock()};
  for (const auto& [from, to] : edges) ticking.insert(to);
  std::vector<BasicBlock*> blocks;
  for (BasicBlock& block : function) blocks.push_back(&block);
  for (BasicBlock* block : blocks) {
    Work work = WorkOf(*block, plumbing);
    auto all = std::accumulate(work.begin(), work.end(), int64_t{0});
    const bool may_tick = ticking.contains(block);
    // A loop without any work must run out of budget all the same.
    if (all == 0 && may_tick) {
      work[static_cast<int>(abi::ScalarClass::kIdle)] = all = 1;
    }
    if (all > 0) InsertCounter(*block, work, all, may_tick);
  }
}

}  // namespace

void CountScalarWork(llvm::Module& module, const LibraryCalls& library) {
  for (Function* function : DeviceFunctions(module)) {
    CountIn(*function, library);
  }
}

}  // namespace belay::toolchain
