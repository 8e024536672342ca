// SPDX-License-Identifier: Apache-2.0
#include "toolchain/emit_object.h"

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetOptions.h>

#include "base/error.h"

extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
void LLVMInitializeX86AsmParser();
}

namespace belay::toolchain {

std::unique_ptr<llvm::TargetMachine> MakeTargetMachine(
    const llvm::Module& module) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser();
  std::string error;
  const llvm::Target* target =
      llvm::TargetRegistry::lookupTarget(module.getTargetTriple(), error);
  if (!target) throw InternalError("[toolchain] " + error);
  llvm::TargetOptions options;
  options.UseInitArray = true;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      module.getTargetTriple(), "x86-64", "", options, llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::None));
}

void EmitObject(llvm::Module& module, llvm::TargetMachine& machine,
                const std::string& path) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error, llvm::sys::fs::OF_None);
  if (error) {
    throw UserError("[compile] cannot write '" + path +
                    "': " + error.message());
  }
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, file, nullptr,
                                  llvm::CodeGenFileType::ObjectFile)) {
    throw InternalError("[toolchain] the target cannot write object files");
  }
  passes.run(module);
}

}  // namespace belay::toolchain
