// SPDX-License-Identifier: Apache-2.0
#include "toolchain/device_code.h"

#include <llvm/IR/DebugInfoMetadata.h>

namespace belay::toolchain {

using llvm::DebugLoc;
using llvm::FunctionCallee;
using llvm::FunctionType;
using llvm::Instruction;
using llvm::Module;
using llvm::PointerType;
using llvm::Type;

std::vector<llvm::Function*> DeviceFunctions(Module& module) {
  std::vector<llvm::Function*> result;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.hasFnAttribute(kDeviceMark))
      result.push_back(&function);
  return result;
}

bool RunsOnCubeCores(llvm::StringRef kind) {
  return kind == "cube" ||
         (kind.starts_with("mix:") && !kind.starts_with("mix:0:"));
}

bool IsRuntimeName(llvm::StringRef name) { return name.starts_with("belay_"); }

FunctionCallee DeclareRead(Module& module) {
  Type* pointer = PointerType::getUnqual(module.getContext());
  Type* size = Type::getInt64Ty(module.getContext());
  return module.getOrInsertFunction("belay_read", pointer, pointer, size);
}

FunctionCallee DeclareWrite(Module& module) {
  Type* pointer = PointerType::getUnqual(module.getContext());
  Type* size = Type::getInt64Ty(module.getContext());
  return module.getOrInsertFunction("belay_write", pointer, pointer, size);
}

FunctionCallee DeclareLaunch(Module& module) {
  Type* none = Type::getVoidTy(module.getContext());
  Type* pointer = PointerType::getUnqual(module.getContext());
  Type* size = Type::getInt64Ty(module.getContext());
  return module.getOrInsertFunction("belay_launch", none, pointer, pointer,
                                    size);
}

FunctionCallee DeclareNoReturn(Module& module, const char* name) {
  FunctionCallee callee =
      module.getOrInsertFunction(name, Type::getVoidTy(module.getContext()));
  if (auto* function = llvm::dyn_cast<llvm::Function>(callee.getCallee()))
    function->setDoesNotReturn();
  return callee;
}

void KeepOwnPlace(llvm::CallBase& call) {
  call.addFnAttr(llvm::Attribute::NoMerge);
}

SourceLocation LocationOf(const Instruction& instruction) {
  const DebugLoc& place = instruction.getDebugLoc();
  if (!place) {
    const llvm::DISubprogram* function =
        instruction.getFunction()->getSubprogram();
    if (!function) return {};
    return {.file = function->getFilename().str(),
            .line = static_cast<int>(function->getLine()),
            .column = 0,
            .function = function->getName().str()};
  }
  const llvm::DILocation* location = place.get();
  return {.file = location->getFilename().str(),
          .line = static_cast<int>(location->getLine()),
          .column = static_cast<int>(location->getColumn()),
          .function = location->getScope()->getSubprogram()->getName().str()};
}

DebugLoc NearestDebugLoc(const Instruction& instruction) {
  const auto has_line = [](const Instruction* candidate) {
    return candidate->getDebugLoc() && candidate->getDebugLoc().getLine() != 0;
  };
  for (const Instruction* i = &instruction; i; i = i->getPrevNode())
    if (has_line(i)) return i->getDebugLoc();
  for (const Instruction* i = &instruction; i; i = i->getNextNode())
    if (has_line(i)) return i->getDebugLoc();
  llvm::DISubprogram* function = instruction.getFunction()->getSubprogram();
  if (!function) return {};
  return llvm::DILocation::get(function->getContext(), function->getLine(), 0,
                               function);
}

}  // namespace belay::toolchain
