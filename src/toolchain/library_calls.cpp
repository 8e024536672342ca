// SPDX-License-Identifier: Apache-2.0
#include "toolchain/library_calls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>

#include <utility>

#include "toolchain/device_code.h"

namespace belay::toolchain {

LibraryCalls::LibraryCalls(llvm::Module& module, std::string headers)
    : headers_(std::move(headers)) {
  for (llvm::Function* function : DeviceFunctions(module)) {
    if (!function->getSubprogram()) continue;
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call || !call->getDebugLoc()) continue;
      const llvm::Function* callee = call->getCalledFunction();
      if (!callee || callee->isDeclaration() || callee->getSubprogram()) {
        continue;
      }
      places_.insert(PlaceOf(*call->getDebugLoc()));
    }
  }
}

bool LibraryCalls::Made(const llvm::Instruction& instruction) const {
  const llvm::DILocation* location = instruction.getDebugLoc();
  if (!location) return false;
  if (places_.contains(PlaceOf(*location))) return true;
  return !headers_.empty() && location->getFilename().starts_with(headers_);
}

}  // namespace belay::toolchain
