// SPDX-License-Identifier: Apache-2.0
#include "toolchain/lower_device_calls.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include <utility>
#include <vector>

#include "base/catalogue.h"
#include "toolchain/device_code.h"
#include "toolchain/forbidden_calls.h"

namespace belay::toolchain {
namespace {

using llvm::CallInst;
using llvm::Function;
using llvm::IRBuilder;
using llvm::Module;
using llvm::Type;
using llvm::Value;

// Kernel code does not unwind: when a block is ended, its frames are dropped,
// and no destructor may issue instructions on the way.
void RemoveUnwinding(Function& function) {
  bool changed = false;
  for (llvm::BasicBlock& block : llvm::make_early_inc_range(function)) {
    if (!llvm::isa<llvm::InvokeInst>(block.getTerminator())) continue;
    llvm::removeUnwindEdge(&block);
    changed = true;
  }
  if (changed) llvm::removeUnreachableBlocks(function);
  function.setPersonalityFn(nullptr);
}

// Erases device functions that only unwinding led to.
void EraseUnused(Module& module) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (Function* function : DeviceFunctions(module)) {
      if (!function->hasLocalLinkage() || !function->use_empty()) continue;
      function->eraseFromParent();
      changed = true;
    }
  }
}

void Replace(CallInst& call, Value* replacement) {
  auto* made = llvm::cast<CallInst>(replacement);
  made->setDebugLoc(call.getDebugLoc());
  KeepOwnPlace(*made);
  if (!call.getType()->isVoidTy()) {
    IRBuilder<> builder(&call);
    Value* result = made;
    if (result->getType()->isVoidTy()) {
      result = llvm::PoisonValue::get(call.getType());
    } else if (result->getType() != call.getType()) {
      result = builder.CreateIntCast(result, call.getType(), true);
    }
    call.replaceAllUsesWith(result);
  }
  call.eraseFromParent();
}

// Passes half, bfloat16 and float as the double that a variable argument is.
Value* Promote(IRBuilder<>& builder, Value* value) {
  Type* type = value->getType();
  if (type->isHalfTy() || type->isBFloatTy() || type->isFloatTy())
    return builder.CreateFPExt(value, builder.getDoubleTy());
  return value;
}

void LowerPrint(CallInst& call, const char* format) {
  IRBuilder<> builder(&call);
  std::vector<Value*> arguments;
  if (format) arguments.push_back(builder.CreateGlobalString(format));
  for (Value* argument : call.args())
    arguments.push_back(Promote(builder, argument));
  auto* type =
      llvm::FunctionType::get(builder.getInt32Ty(), {builder.getPtrTy()}, true);
  Replace(call, builder.CreateCall(
                    call.getModule()->getOrInsertFunction("belay_printf", type),
                    arguments));
}

void LowerAssert(CallInst& call) {
  IRBuilder<> builder(&call);
  llvm::FunctionCallee fail = call.getModule()->getOrInsertFunction(
      "belay_assert_fail", builder.getVoidTy(), builder.getPtrTy(),
      builder.getPtrTy(), builder.getInt32Ty(), builder.getPtrTy());
  llvm::cast<Function>(fail.getCallee())->setDoesNotReturn();
  std::vector<Value*> arguments(call.args().begin(), call.args().end());
  Replace(call, builder.CreateCall(fail, arguments));
}

void LowerTrap(CallInst& call) {
  IRBuilder<> builder(&call);
  Replace(call,
          builder.CreateCall(DeclareNoReturn(*call.getModule(), "belay_trap")));
}

// memcpy and its like by name become the intrinsics, which GuardScalarMemory
// knows. Their result is their first argument.
void LowerMemory(CallInst& call, llvm::StringRef name) {
  IRBuilder<> builder(&call);
  Value* to = call.getArgOperand(0);
  Value* second = call.getArgOperand(1);
  Value* bytes = call.getArgOperand(2);
  const llvm::MaybeAlign any;
  CallInst* made = nullptr;
  if (name == "memset") {
    made = builder.CreateMemSet(
        to, builder.CreateTrunc(second, builder.getInt8Ty()), bytes, any);
  } else if (name == "memcpy") {
    made = builder.CreateMemCpy(to, any, second, any, bytes);
  } else {
    made = builder.CreateMemMove(to, any, second, any, bytes);
  }
  made->setDebugLoc(call.getDebugLoc());
  call.replaceAllUsesWith(to);
  call.eraseFromParent();
}

// Whether the call was one of those that have a counterpart.
bool LowerKnown(CallInst& call, const Function& callee) {
  switch (callee.getIntrinsicID()) {
    case llvm::Intrinsic::trap:
    case llvm::Intrinsic::ubsantrap:
    case llvm::Intrinsic::debugtrap:
      LowerTrap(call);
      return true;
    case llvm::Intrinsic::not_intrinsic:
      break;
    default:
      return false;
  }
  const llvm::StringRef name = callee.getName();
  if (name == "printf") {
    LowerPrint(call, nullptr);
  } else if (name == "puts") {
    LowerPrint(call, "%s\n");
  } else if (name == "putchar") {
    LowerPrint(call, "%c");
  } else if (name == "__assert_fail") {
    LowerAssert(call);
  } else if (name == "abort") {
    LowerTrap(call);
  } else if (name == "memcpy" || name == "memmove" || name == "memset") {
    LowerMemory(call, name);
  } else {
    return false;
  }
  return true;
}

Diagnostic InlineAssembly(const CallInst& call) {
  Diagnostic diagnostic;
  diagnostic.code = code::kC104;
  diagnostic.message =
      "kernel code holds inline assembly, which the NPU "
      "cannot run";
  diagnostic.location = LocationOf(call);
  diagnostic.fix = "write it in C++ or with the AscendC API";
  return diagnostic;
}

// One finding per place: a template gives the same one for each instance, and
// a call into the C++ library one for each thing that does.
void AddOnce(std::vector<Diagnostic>& diagnostics, Diagnostic diagnostic) {
  for (const Diagnostic& known : diagnostics) {
    if (known.severity == Severity::kError &&
        known.location.file == diagnostic.location.file &&
        known.location.line == diagnostic.location.line &&
        known.location.column == diagnostic.location.column)
      return;
  }
  diagnostics.push_back(std::move(diagnostic));
}

}  // namespace

void LowerDeviceCalls(Module& module, std::vector<Diagnostic>& diagnostics) {
  for (Function* function : DeviceFunctions(module)) RemoveUnwinding(*function);
  EraseUnused(module);
  for (Function* function : DeviceFunctions(module)) {
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::instructions(*function))) {
      auto* call = llvm::dyn_cast<CallInst>(&instruction);
      if (!call) continue;
      if (call->isInlineAsm()) {
        AddOnce(diagnostics, InlineAssembly(*call));
        continue;
      }
      const Function* callee = call->getCalledFunction();
      if (!callee || !callee->isDeclaration()) continue;
      if (IsRuntimeName(callee->getName())) {
        KeepOwnPlace(*call);
      } else if (!LowerKnown(*call, *callee) && IsForbidden(*callee)) {
        for (Diagnostic& found : ForbiddenCall(*call, *callee))
          AddOnce(diagnostics, std::move(found));
      }
    }
  }
}

}  // namespace belay::toolchain
