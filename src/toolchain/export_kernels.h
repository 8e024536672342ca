// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_EXPORT_KERNELS_H_
#define BELAY_TOOLCHAIN_EXPORT_KERNELS_H_

// The records of kernels (abi::KernelRecord): each is a symbol that launches
// refer to, and all of them lie in one section, from which the linker makes the
// table `belay_kernel_table` (see belay/guest_abi.h).

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace belay::toolchain {

// Parts of several sources lie one after another here, in the linker's order.
inline constexpr char kKernelSection[] = "belay_kernels";

struct KeyedKind {
  uint64_t key = 0;
  std::string kind;
};

struct ExportedKernel {
  std::string name;
  std::string kind;
  llvm::Function* entry = nullptr;
  llvm::Function* cube_entry = nullptr;  // or none
  std::vector<KeyedKind> key_kinds;
  uint32_t parameters = 0;
  uint32_t bytes = 0;
};

// The symbol of a kernel's record: defined by DefineRecord, here or in another
// source.
llvm::GlobalVariable* DeclareRecord(llvm::Function& kernel);

// Gives the record its value.
void DefineRecord(llvm::GlobalVariable& record, const llvm::Function& kernel,
                  const ExportedKernel& value);

// The record that ends the table; for the last module that is linked, after all
// its other records.
void EndTable(llvm::Module& module);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_EXPORT_KERNELS_H_
