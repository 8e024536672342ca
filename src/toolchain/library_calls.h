// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_LIBRARY_CALLS_H_
#define BELAY_TOOLCHAIN_LIBRARY_CALLS_H_

// Which of a kernel's instructions come out of Belay's headers. Functions there
// have no debug information, so what is inlined of them bears the place of the
// call; those that the compiler makes for their classes lie in the headers.

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Module.h>

#include <string>
#include <tuple>

namespace belay::toolchain {

class LibraryCalls {
 public:
  // Call before functions are inlined. `headers` is the folder they are in.
  LibraryCalls(llvm::Module& module, std::string headers);

  // Whether the instruction came out of a function of the headers.
  bool Made(const llvm::Instruction& instruction) const;

 private:
  // Scope, line and column.
  using Place = std::tuple<const llvm::Metadata*, unsigned, unsigned>;
  static Place PlaceOf(const llvm::DILocation& location) {
    return {location.getScope(), location.getLine(), location.getColumn()};
  }

  std::string headers_;
  llvm::DenseSet<Place> places_;
};

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_LIBRARY_CALLS_H_
