// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_KNOWN_MEMORY_H_
#define BELAY_TOOLCHAIN_KNOWN_MEMORY_H_

// What can be proved about the place a pointer of kernel code points to.

#include <llvm/IR/Value.h>

#include <cstdint>
#include <optional>

namespace belay::toolchain {

// A variable of the function's own frame, or a constant of the module.
struct KnownObject {
  llvm::Value* base;
  uint64_t bytes;
};

struct KnownMemory {
  // Every byte lies in an object kernel code may touch.
  bool is_safe = false;
  // Otherwise: the object the pointer is derived from, if there is just one.
  std::optional<KnownObject> object;
};

KnownMemory Classify(llvm::Value* pointer, uint64_t bytes, bool is_write);

// Whether the pointer is derived from a variable of the function's own frame.
bool IsInFrame(llvm::Value* pointer);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_KNOWN_MEMORY_H_
