// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_COLLECT_BACKEND_ERRORS_H_
#define BELAY_TOOLCHAIN_COLLECT_BACKEND_ERRORS_H_

// Errors LLVM finds after the front end, such as assembly it cannot read, as
// Belay's diagnostics.

#include <llvm/IR/Module.h>

#include <vector>

#include "base/diagnostic.h"

namespace belay::toolchain {

// While it lives, errors about the module are appended to `sink`.
class BackendErrorCollector {
 public:
  BackendErrorCollector(llvm::Module& module, std::vector<Diagnostic>* sink);
  ~BackendErrorCollector();
  BackendErrorCollector(const BackendErrorCollector&) = delete;
  BackendErrorCollector& operator=(const BackendErrorCollector&) = delete;

 private:
  class Handler;
  llvm::LLVMContext& context_;
};

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_COLLECT_BACKEND_ERRORS_H_
