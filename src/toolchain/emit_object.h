// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_EMIT_OBJECT_H_
#define BELAY_TOOLCHAIN_EMIT_OBJECT_H_

// Machine code of this machine from a module.

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

namespace belay::toolchain {

// Position-independent x86-64.
std::unique_ptr<llvm::TargetMachine> MakeTargetMachine(
    const llvm::Module& module);

// Writes an object file. Throws UserError when the file cannot be written.
void EmitObject(llvm::Module& module, llvm::TargetMachine& machine,
                const std::string& path);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_EMIT_OBJECT_H_
