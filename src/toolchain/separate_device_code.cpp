// SPDX-License-Identifier: Apache-2.0
#include "toolchain/separate_device_code.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "toolchain/device_code.h"

namespace belay::toolchain {
namespace {

using llvm::Constant;
using llvm::Function;
using llvm::GlobalVariable;
using llvm::Module;

bool IsVisibleElsewhere(const Function& function) {
  return !function.hasLocalLinkage() && !function.isDiscardableIfUnused() &&
         !function.hasAvailableExternallyLinkage();
}

// What device code refers to: functions, and the constants that hold
// addresses of functions (tables of virtual functions, jump tables).
class Reach {
 public:
  void Start(Function* function) { functions_.insert(function); }

  void Follow() {
    for (size_t i = 0; i < functions_.size(); ++i) {
      if (functions_[i]->isDeclaration()) continue;
      for (llvm::Instruction& instruction : llvm::instructions(*functions_[i]))
        for (llvm::Value* operand : instruction.operands())
          if (auto* constant = llvm::dyn_cast<Constant>(operand))
            Visit(constant);
    }
  }

  const llvm::SetVector<Function*>& functions() const { return functions_; }
  const llvm::SetVector<GlobalVariable*>& tables() const { return tables_; }

 private:
  // Whether the constant refers to a function, directly or not.
  bool Visit(Constant* constant) {
    if (auto* function = llvm::dyn_cast<Function>(constant)) {
      if (function->isIntrinsic()) return false;
      functions_.insert(function);
      return true;
    }
    if (!seen_.insert(constant).second) return false;
    if (auto* table = llvm::dyn_cast<GlobalVariable>(constant)) {
      if (!table->isConstant() || !table->hasInitializer()) return false;
      const bool has_functions = Visit(table->getInitializer());
      if (has_functions) tables_.insert(table);
      return has_functions;
    }
    bool has_functions = false;
    for (llvm::Value* operand : constant->operands())
      if (auto* inner = llvm::dyn_cast<Constant>(operand))
        has_functions |= Visit(inner);
    return has_functions;
  }

  llvm::SetVector<Function*> functions_;
  llvm::SetVector<GlobalVariable*> tables_;
  llvm::DenseSet<Constant*> seen_;
};

// Whether anything but device code refers to the value.
bool IsUsedByHost(const llvm::Value& value,
                  const llvm::SetVector<Function*>& device) {
  for (const llvm::User* user : value.users()) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
      if (!device.count(const_cast<Function*>(instruction->getFunction())))
        return true;
    } else if (llvm::isa<llvm::GlobalValue>(user)) {
      return true;
    } else if (IsUsedByHost(*user, device)) {
      return true;
    }
  }
  return false;
}

Function* CopyForDevice(Function& function, const char* suffix) {
  llvm::ValueToValueMapTy map;
  Function* copy = llvm::CloneFunction(&function, map);
  copy->setName(function.getName() + suffix);
  copy->setComdat(nullptr);
  copy->setLinkage(IsVisibleElsewhere(function) ? Function::ExternalLinkage
                                                : Function::InternalLinkage);
  return copy;
}

Function* DeclareDeviceVersion(Function& function, const char* suffix) {
  Function* declaration =
      Function::Create(function.getFunctionType(), Function::ExternalLinkage,
                       function.getName() + suffix, *function.getParent());
  declaration->copyAttributesFrom(&function);
  return declaration;
}

GlobalVariable* CopyTable(GlobalVariable& table, const char* suffix) {
  auto* copy =
      new GlobalVariable(*table.getParent(), table.getValueType(),
                         /*isConstant=*/true, GlobalVariable::InternalLinkage,
                         table.getInitializer(), table.getName() + suffix);
  copy->setAlignment(table.getAlign());
  return copy;
}

void MarkDevice(Function& function) {
  function.addFnAttr(kDeviceMark);
  // No call may appear that the source did not make.
  function.addFnAttr("no-builtins");
  function.addFnAttr("disable-tail-calls", "true");
  // Frames larger than a page must touch the guard page below the stack.
  function.addFnAttr("probe-stack", "inline-asm");
}

}  // namespace

bool SeparateDeviceCode(Module& module, const char* suffix) {
  Reach reach;
  for (Function& function : module) {
    if (function.isDeclaration()) continue;
    if (function.hasFnAttribute(kKernelMark) ||
        (function.hasFnAttribute(kAicoreMark) && IsVisibleElsewhere(function)))
      reach.Start(&function);
  }
  reach.Follow();

  llvm::ValueToValueMapTy map;
  std::vector<Function*> device;
  for (Function* function : reach.functions()) {
    if (function->isDeclaration()) {
      if (function->hasFnAttribute(kAicoreMark) &&
          !function->hasFnAttribute(kKernelMark))
        map[function] = DeclareDeviceVersion(*function, suffix);
    } else if (function->hasFnAttribute(kKernelMark)) {
      device.push_back(function);
    } else if (IsVisibleElsewhere(*function) ||
               IsUsedByHost(*function, reach.functions())) {
      Function* copy = CopyForDevice(*function, suffix);
      map[function] = copy;
      device.push_back(copy);
    } else {
      function->setComdat(nullptr);
      function->setLinkage(Function::InternalLinkage);
      device.push_back(function);
    }
  }
  for (GlobalVariable* table : reach.tables())
    map[table] = CopyTable(*table, suffix);
  for (GlobalVariable* table : reach.tables()) {
    auto* copy = llvm::cast<GlobalVariable>(map[table]);
    copy->setInitializer(
        llvm::MapValue(copy->getInitializer(), map, llvm::RF_None));
  }
  const auto flags =
      llvm::RF_IgnoreMissingLocals | llvm::RF_NoModuleLevelChanges;
  for (Function* function : device) {
    for (llvm::Instruction& instruction : llvm::instructions(*function))
      llvm::RemapInstruction(&instruction, map, flags);
    MarkDevice(*function);
  }
  return !device.empty();
}

}  // namespace belay::toolchain
