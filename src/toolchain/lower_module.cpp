// SPDX-License-Identifier: Apache-2.0
#include "toolchain/lower_module.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>

#include <utility>

#include "base/catalogue.h"
#include "toolchain/confine_kernels.h"
#include "toolchain/define_scalar_semantics.h"
#include "toolchain/device_code.h"
#include "toolchain/drop_host_code.h"
#include "toolchain/export_kernels.h"
#include "toolchain/lower_device_calls.h"
#include "toolchain/lower_launches.h"
#include "toolchain/place_ub_variables.h"
#include "toolchain/read_annotations.h"
#include "toolchain/read_task_types.h"
#include "toolchain/separate_device_code.h"

namespace belay::toolchain {
namespace {

// The loader calls the user's main under a name of its own.
void RenameMain(llvm::Module& module) {
  llvm::Function* main = module.getFunction("main");
  if (main && !main->isDeclaration()) main->setName("belay_guest_main");
}

// Guest code must not stand in for the runtime it calls.
void RefuseReservedNames(const llvm::Module& module,
                         std::vector<Diagnostic>& diagnostics) {
  for (const llvm::GlobalObject& object : module.global_objects()) {
    if (object.isDeclaration() || !IsRuntimeName(object.getName())) continue;
    Diagnostic diagnostic;
    diagnostic.code = code::kC101;
    diagnostic.message = "'" + object.getName().str() +
                         "' is defined here, but names that begin with "
                         "'belay_' belong to the runtime";
    const auto* function = llvm::dyn_cast<llvm::Function>(&object);
    if (function && function->getSubprogram()) {
      const llvm::DISubprogram* place = function->getSubprogram();
      diagnostic.location.file = place->getFilename().str();
      diagnostic.location.line = static_cast<int>(place->getLine());
    }
    diagnostic.fix = "choose another name";
    diagnostics.push_back(std::move(diagnostic));
  }
}

void LowerDeviceCode(llvm::Module& module,
                     std::vector<Diagnostic>& diagnostics) {
  PlaceUbVariables(module);
  LowerDeviceCalls(module, diagnostics);
  DefineScalarSemantics(module);
}

}  // namespace

LoweredModule LowerModule(llvm::Module& module, const ModuleRole& role,
                          std::vector<Diagnostic>& diagnostics) {
  LoweredModule lowered;
  if (role.untrusted) RefuseEscapes(module, diagnostics);
  RefuseReservedNames(module, diagnostics);
  RenameMain(module);
  ReadAnnotations(module);
  ReadTaskTypes(module);
  lowered.wants_cube_module =
      LowerLaunches(module, role.source, role.may_have_cube_module);
  if (role.is_last) EndTable(module);
  lowered.has_device_code = SeparateDeviceCode(module, kDeviceSuffix);
  if (role.untrusted) KeepKernelsOnly(module);
  LowerDeviceCode(module, diagnostics);
  return lowered;
}

void LowerCubeModule(llvm::Module& module, const ModuleRole& role,
                     std::vector<Diagnostic>& diagnostics) {
  if (role.untrusted) RefuseEscapes(module, diagnostics);
  ReadAnnotations(module);
  ReadTaskTypes(module);
  MakeCubeEntries(module, role.source);
  SeparateDeviceCode(module, kCubeDeviceSuffix);
  DropHostCode(module);
  LowerDeviceCode(module, diagnostics);
}

std::map<std::string, SourceLocation> FirstUsesOfUndefined(
    const llvm::Module& module) {
  std::map<std::string, SourceLocation> uses;
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (!instruction.getDebugLoc()) continue;
      for (const llvm::Value* operand : instruction.operands()) {
        const auto* global = llvm::dyn_cast<llvm::GlobalValue>(operand);
        if (!global || !global->isDeclaration()) continue;
        uses.emplace(global->getName().str(), LocationOf(instruction));
      }
    }
  }
  return uses;
}

}  // namespace belay::toolchain
