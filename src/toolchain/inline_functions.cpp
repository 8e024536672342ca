// SPDX-License-Identifier: Apache-2.0
#include "toolchain/inline_functions.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <vector>

#include "toolchain/device_code.h"

namespace belay::toolchain {
namespace {

using llvm::CallBase;
using llvm::Function;

// Instructions a function may have to be inlined wherever it is called.
constexpr unsigned kSmall = 40;

bool IsRequired(const CallBase& call, const Function& callee) {
  return call.hasFnAttr(llvm::Attribute::AlwaysInline) ||
         callee.hasFnAttribute(llvm::Attribute::AlwaysInline);
}

bool IsUseful(const CallBase& call, const Function& callee) {
  if (call.isNoInline() || callee.isInterposable() ||
      callee.hasFnAttribute(llvm::Attribute::NoInline) ||
      call.getFunction()->hasOptNone())
    return false;
  const bool is_called_once = callee.hasLocalLinkage() && callee.hasOneUse();
  return is_called_once || callee.getInstructionCount() <= kSmall;
}

class Inliner {
 public:
  Inliner(llvm::FunctionAnalysisManager& analyses,
          llvm::FunctionPassManager& simplify, Inlining inlining)
      : analyses_(analyses), simplify_(simplify), inlining_(inlining) {}

  // `cycle` holds the functions that call each other, `caller` among them.
  void Visit(Function& caller, const llvm::DenseSet<Function*>& cycle) {
    std::vector<CallBase*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(caller)) {
      auto* call = llvm::dyn_cast<CallBase>(&instruction);
      Function* callee = call ? call->getCalledFunction() : nullptr;
      if (callee && !callee->isDeclaration() && !cycle.contains(callee))
        calls.push_back(call);
    }
    bool changed = false;
    for (CallBase* call : calls) changed |= Inline(*call);
    if (changed) analyses_.invalidate(caller, llvm::PreservedAnalyses::none());
    simplify_.run(caller, analyses_);
  }

 private:
  bool Inline(CallBase& call) {
    Function& callee = *call.getCalledFunction();
    // Host code must stay host code: later passes change device code only.
    if (callee.hasFnAttribute(kDeviceMark) !=
        call.getFunction()->hasFnAttribute(kDeviceMark))
      return false;
    const bool wanted =
        IsRequired(call, callee) ||
        (inlining_ == Inlining::kUseful && IsUseful(call, callee));
    if (!wanted || !llvm::isInlineViable(callee).isSuccess()) return false;
    llvm::InlineFunctionInfo info;
    if (!llvm::InlineFunction(call, info, /*MergeAttributes=*/true,
                              /*CalleeAAR=*/nullptr, /*InsertLifetime=*/false)
             .isSuccess())
      return false;
    if (callee.isDefTriviallyDead()) {
      analyses_.clear(callee, callee.getName());
      callee.deleteBody();
      callee.setComdat(nullptr);
    }
    return true;
  }

  llvm::FunctionAnalysisManager& analyses_;
  llvm::FunctionPassManager& simplify_;
  Inlining inlining_;
};

}  // namespace

void InlineFunctions(llvm::Module& module,
                     llvm::FunctionAnalysisManager& analyses,
                     llvm::FunctionPassManager& simplify, Inlining inlining) {
  // The order is fixed before the graph changes: callees first.
  std::vector<std::vector<Function*>> order;
  {
    llvm::CallGraph graph(module);
    for (auto it = llvm::scc_begin(&graph); !it.isAtEnd(); ++it) {
      std::vector<Function*> cycle;
      for (llvm::CallGraphNode* node : *it)
        if (node->getFunction() && !node->getFunction()->isDeclaration())
          cycle.push_back(node->getFunction());
      order.push_back(std::move(cycle));
    }
  }
  Inliner inliner(analyses, simplify, inlining);
  for (const std::vector<Function*>& functions : order) {
    const llvm::DenseSet<Function*> cycle(functions.begin(), functions.end());
    for (Function* function : functions) inliner.Visit(*function, cycle);
  }
  for (Function& function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
}

}  // namespace belay::toolchain
