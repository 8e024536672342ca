// SPDX-License-Identifier: Apache-2.0
#include "toolchain/collect_backend_errors.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <string>
#include <utility>

#include "base/catalogue.h"
#include "toolchain/device_code.h"

namespace belay::toolchain {
namespace {

// The place of the assembly Clang gave this number.
SourceLocation FindAssembly(llvm::Module& module, uint64_t cookie) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const llvm::MDNode* mark = instruction.getMetadata("srcloc");
      if (!mark || mark->getNumOperands() == 0) continue;
      const auto* number =
          llvm::mdconst::dyn_extract<llvm::ConstantInt>(mark->getOperand(0));
      if (number && number->getZExtValue() == cookie)
        return LocationOf(instruction);
    }
  }
  return {};
}

}  // namespace

class BackendErrorCollector::Handler final : public llvm::DiagnosticHandler {
 public:
  Handler(llvm::Module& module, std::vector<Diagnostic>* sink)
      : module_(module), sink_(sink) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error) return true;
    Diagnostic diagnostic;
    diagnostic.code = code::kC101;
    if (const auto* assembly =
            llvm::dyn_cast<llvm::DiagnosticInfoSrcMgr>(&info)) {
      diagnostic.message = "invalid inline assembly: " +
                           assembly->getSMDiag().getMessage().str();
      diagnostic.location = FindAssembly(module_, assembly->getLocCookie());
    } else {
      llvm::raw_string_ostream text(diagnostic.message);
      llvm::DiagnosticPrinterRawOStream printer(text);
      info.print(printer);
    }
    sink_->push_back(std::move(diagnostic));
    return true;
  }

 private:
  llvm::Module& module_;
  std::vector<Diagnostic>* sink_;
};

BackendErrorCollector::BackendErrorCollector(llvm::Module& module,
                                             std::vector<Diagnostic>* sink)
    : context_(module.getContext()) {
  context_.setDiagnosticHandler(std::make_unique<Handler>(module, sink));
}

BackendErrorCollector::~BackendErrorCollector() {
  context_.setDiagnosticHandler(nullptr);
}

}  // namespace belay::toolchain
