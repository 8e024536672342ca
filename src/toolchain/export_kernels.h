// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_EXPORT_KERNELS_H_
#define BELAY_TOOLCHAIN_EXPORT_KERNELS_H_

// Pass: writes the kernels a module defines into the section from which the
// linker makes the table `belay_kernel_table` (see belay/guest_abi.h).

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace belay::toolchain {

// Parts of several sources lie one after another here, in the linker's order.
inline constexpr char kKernelSection[] = "belay_kernels";

struct ExportedKernel {
  std::string name;
  std::string kind;
  llvm::Function* entry = nullptr;
  uint32_t parameters = 0;
  uint32_t bytes = 0;
};

// `ends_table`: this module is the last one linked, so the record that ends
// the table follows.
void ExportKernels(llvm::Module& module,
                   const std::vector<ExportedKernel>& kernels, bool ends_table);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_EXPORT_KERNELS_H_
