// SPDX-License-Identifier: Apache-2.0
#include "toolchain/confine_kernels.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/GlobalIFunc.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <string>

#include "base/catalogue.h"
#include "runtime/fiber.h"
#include "toolchain/device_code.h"
#include "toolchain/drop_host_code.h"

namespace belay::toolchain {
namespace {

using llvm::CallBase;
using llvm::Function;
using llvm::GlobalVariable;
using llvm::Instruction;
using llvm::Module;

Diagnostic Refusal(const std::string& what, SourceLocation place = {}) {
  Diagnostic diagnostic;
  diagnostic.code = code::kC108;
  diagnostic.message = what + ", which a judged kernel must not have";
  diagnostic.location = std::move(place);
  diagnostic.fix = "write it with the AscendC API and plain C++";
  return diagnostic;
}

SourceLocation PlaceOf(const llvm::GlobalObject& object) {
  const auto* function = llvm::dyn_cast<Function>(&object);
  if (!function || !function->getSubprogram()) return {};
  SourceLocation place;
  place.file = function->getSubprogram()->getFilename().str();
  place.line = static_cast<int>(function->getSubprogram()->getLine());
  return place;
}

bool IsEntry(const Function& function) {
  return function.getName().contains(kEntrySuffix) ||
         function.getName().contains(kCubeEntrySuffix);
}

// Functions that another one may be called as: their address is taken.
std::vector<Function*> TakenFunctions(Module& module) {
  std::vector<Function*> taken;
  for (Function* function : DeviceFunctions(module))
    if (function->hasAddressTaken()) taken.push_back(function);
  return taken;
}

void CheckTarget(CallBase& call, const std::vector<Function*>& taken) {
  llvm::IRBuilder<> builder(&call);
  builder.SetCurrentDebugLocation(NearestDebugLoc(call));
  llvm::Value* target = call.getCalledOperand();
  llvm::Value* known = builder.getFalse();
  for (Function* function : taken) {
    if (function->getFunctionType() != call.getFunctionType() ||
        function->getCallingConv() != call.getCallingConv())
      continue;
    known = builder.CreateOr(known, builder.CreateICmpEQ(target, function));
  }
  Instruction* stop = llvm::SplitBlockAndInsertIfThen(
      builder.CreateNot(known), &call, /*Unreachable=*/true);
  builder.SetInsertPoint(stop);
  llvm::CallInst* trap =
      builder.CreateCall(DeclareNoReturn(*call.getModule(), "belay_trap"));
  KeepOwnPlace(*trap);
}

// Those that compute, or whose pointers GuardScalarMemory has guarded.
bool IsHarmless(const llvm::Function& intrinsic) {
  switch (intrinsic.getIntrinsicID()) {
    case llvm::Intrinsic::abs:
    case llvm::Intrinsic::annotation:
    case llvm::Intrinsic::arithmetic_fence:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::bitreverse:
    case llvm::Intrinsic::bswap:
    case llvm::Intrinsic::canonicalize:
    case llvm::Intrinsic::convert_from_fp16:
    case llvm::Intrinsic::convert_to_fp16:
    case llvm::Intrinsic::copysign:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::ctpop:
    case llvm::Intrinsic::cttz:
    case llvm::Intrinsic::dbg_assign:
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::dbg_label:
    case llvm::Intrinsic::dbg_value:
    case llvm::Intrinsic::donothing:
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::expect_with_probability:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::fabs:
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd:
    case llvm::Intrinsic::fptosi_sat:
    case llvm::Intrinsic::fptoui_sat:
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
    case llvm::Intrinsic::invariant_end:
    case llvm::Intrinsic::invariant_start:
    case llvm::Intrinsic::is_constant:
    case llvm::Intrinsic::is_fpclass:
    case llvm::Intrinsic::launder_invariant_group:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::maximum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memcpy_inline:
    case llvm::Intrinsic::memmove:
    case llvm::Intrinsic::memset:
    case llvm::Intrinsic::memset_inline:
    case llvm::Intrinsic::minimum:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::objectsize:
    case llvm::Intrinsic::prefetch:
    case llvm::Intrinsic::ptr_annotation:
    case llvm::Intrinsic::ptrmask:
    case llvm::Intrinsic::sadd_sat:
    case llvm::Intrinsic::sadd_with_overflow:
    case llvm::Intrinsic::scmp:
    case llvm::Intrinsic::sideeffect:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smul_with_overflow:
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::ssub_sat:
    case llvm::Intrinsic::ssub_with_overflow:
    case llvm::Intrinsic::sshl_sat:
    case llvm::Intrinsic::stackrestore:
    case llvm::Intrinsic::stacksave:
    case llvm::Intrinsic::strip_invariant_group:
    case llvm::Intrinsic::threadlocal_address:
    case llvm::Intrinsic::uadd_sat:
    case llvm::Intrinsic::uadd_with_overflow:
    case llvm::Intrinsic::ucmp:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umul_with_overflow:
    case llvm::Intrinsic::ushl_sat:
    case llvm::Intrinsic::usub_sat:
    case llvm::Intrinsic::usub_with_overflow:
    case llvm::Intrinsic::var_annotation:
      return true;
    default:
      return intrinsic.getName().starts_with("llvm.vector.");
  }
}

// What the loader and host code alone may ask of the runtime.
bool IsHosts(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("belay_launch", "belay_set_tiling_key", "belay_guest_main", true)
      .Default(false);
}

// "" where the call stays inside.
std::string EscapeOf(const CallBase& call) {
  if (call.isInlineAsm()) return "kernel code holds inline assembly";
  const Function* callee = call.getCalledFunction();
  if (!callee) return {};  // checked when it is made
  if (callee->isIntrinsic()) {
    return IsHarmless(*callee) ? ""
                               : "kernel code uses the built-in '" +
                                     callee->getName().str() + "'";
  }
  if (!callee->isDeclaration()) return {};
  const llvm::StringRef name = callee->getName();
  if (IsRuntimeName(name)) {
    return IsHosts(name) ? "kernel code calls '" + name.str() + "'" : "";
  }
  const bool inside = name.ends_with(kDeviceSuffix) ||
                      name.ends_with(kCubeDeviceSuffix) ||
                      llvm::StringSwitch<bool>(name)
                          .Cases("sqrt", "fabs", "fabsf", "abs", "labs", true)
                          .Default(false);
  return inside ? "" : "kernel code calls '" + name.str() + "'";
}

// Frames must not be able to step over the guard below a stack.
constexpr uint64_t kMostVariableBytes = 256 << 10;
constexpr uint64_t kMostAlignment = 4096;

std::string EscapeOf(const llvm::AllocaInst& variable) {
  const auto size =
      variable.getAllocationSize(variable.getModule()->getDataLayout());
  if (!variable.isStaticAlloca() || !size)
    return "kernel code takes a variable amount of stack";
  if (size->getFixedValue() > kMostVariableBytes ||
      variable.getAlign().value() > kMostAlignment)
    return "a variable of kernel code takes " +
           std::to_string(size->getFixedValue()) + " bytes of stack";
  return {};
}

std::string EscapeOf(const Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<CallBase>(&instruction))
    return EscapeOf(*call);
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return EscapeOf(*variable);
  switch (instruction.getOpcode()) {
    case Instruction::IndirectBr:
      return "kernel code holds a computed goto";
    case Instruction::VAArg:
      return "kernel code takes a variable list of arguments";
    case Instruction::CallBr:
    case Instruction::CatchPad:
    case Instruction::CatchSwitch:
    case Instruction::CleanupPad:
    case Instruction::Invoke:
    case Instruction::LandingPad:
    case Instruction::Resume:
      return "kernel code handles exceptions";
    default:
      return {};
  }
}

}  // namespace

void RefuseEscapes(Module& module, std::vector<Diagnostic>& diagnostics) {
  if (!module.getModuleInlineAsm().empty())
    diagnostics.push_back(Refusal("the file holds assembly"));
  module.setModuleInlineAsm("");
  for (const llvm::GlobalIFunc& function : module.ifuncs()) {
    diagnostics.push_back(Refusal("'" + function.getName().str() +
                                  "' is chosen when the module is loaded"));
  }
  for (llvm::GlobalAlias& alias :
       llvm::make_early_inc_range(module.aliases())) {
    alias.replaceAllUsesWith(alias.getAliasee());
    alias.eraseFromParent();
  }
  for (const char* name : {"llvm.global_ctors", "llvm.global_dtors",
                           "llvm.used", "llvm.compiler.used"}) {
    if (GlobalVariable* list = module.getNamedGlobal(name))
      list->eraseFromParent();
  }
  for (llvm::GlobalObject& object : module.global_objects()) {
    // The front end's own: static initialisers, which are gone, and
    // annotations, which are never written.
    if (!object.hasSection() || object.getSection() == ".text.startup" ||
        object.getSection() == "llvm.metadata")
      continue;
    diagnostics.push_back(
        Refusal("'" + object.getName().str() + "' has a section of its own",
                PlaceOf(object)));
    object.setSection("");
  }
}

void KeepKernelsOnly(Module& module) {
  for (Function& function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(kDeviceMark) ||
        IsEntry(function))
      continue;
    function.deleteBody();
    function.setComdat(nullptr);
  }
  // Nobody else sees variables; what only host code used goes.
  for (GlobalVariable& variable : module.globals()) {
    if (variable.isDeclaration() || variable.hasLocalLinkage() ||
        variable.getName().starts_with("llvm.") ||
        variable.getName().ends_with(kRecordSuffix))
      continue;
    variable.setComdat(nullptr);
    variable.setLinkage(GlobalVariable::InternalLinkage);
  }
  RemoveUnused(module);
}

void CheckIndirectCalls(Module& module) {
  std::vector<CallBase*> calls;
  for (Function* function : DeviceFunctions(module)) {
    for (Instruction& instruction : llvm::instructions(*function)) {
      auto* call = llvm::dyn_cast<CallBase>(&instruction);
      if (call && !call->isInlineAsm() && !call->getCalledFunction())
        calls.push_back(call);
    }
  }
  if (calls.empty()) return;
  const std::vector<Function*> taken = TakenFunctions(module);
  for (CallBase* call : calls) CheckTarget(*call, taken);
}

void RequireConfined(Module& module, std::vector<Diagnostic>& diagnostics) {
  llvm::DenseSet<const void*> told;
  for (Function& function : module) {
    if (function.hasFnAttribute(llvm::Attribute::Naked)) {
      diagnostics.push_back(Refusal("a function is naked", PlaceOf(function)));
    }
    for (const Instruction& instruction : llvm::instructions(function)) {
      const std::string escape = EscapeOf(instruction);
      if (escape.empty()) continue;
      const void* line = instruction.getDebugLoc().get();
      if (line && !told.insert(line).second) continue;
      diagnostics.push_back(Refusal(escape, LocationOf(instruction)));
    }
  }
}

void SeparateVariables(Module& module) {
  for (Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr(llvm::Attribute::SafeStack);
    llvm::BasicBlock& entry = function.getEntryBlock();
    std::vector<llvm::AllocaInst*> variables;
    for (Instruction& instruction : entry)
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        variables.push_back(variable);
    if (variables.empty()) continue;
    llvm::IRBuilder<> builder(variables.back()->getNextNode());
    builder.SetCurrentDebugLocation(
        NearestDebugLoc(*variables.back()->getNextNode()));
    for (llvm::AllocaInst* variable : variables)
      builder.CreateStore(builder.getInt8(0), variable, /*isVolatile=*/true);
  }
  auto* byte = llvm::Type::getInt8Ty(module.getContext());
  new GlobalVariable(
      module, byte, /*isConstant=*/true, GlobalVariable::WeakAnyLinkage,
      llvm::ConstantInt::get(byte, 1), runtime::kSeparateVariablesSymbol);
}

}  // namespace belay::toolchain
