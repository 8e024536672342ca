// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_DEVICE_CODE_H_
#define BELAY_TOOLCHAIN_DEVICE_CODE_H_

// What the passes over a module share: which functions are kernel code, the
// runtime functions they call, and places in the source.

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace belay::toolchain {

// Attributes of LLVM functions that carry what the source said, and what
// SeparateDeviceCode found.
inline constexpr char kKernelMark[] = "belay-kernel";
inline constexpr char kAicoreMark[] = "belay-aicore";
inline constexpr char kKindMark[] = "belay-kind";
inline constexpr char kInferredMark[] = "belay-inferred-kind";
inline constexpr char kVectorCallsMark[] = "belay-vector-calls";
inline constexpr char kKeyKindsMark[] = "belay-key-kinds";
inline constexpr char kParametersMark[] = "belay-parameters";
inline constexpr char kDeviceMark[] = "belay-device";

// Suffixes of generated symbols: the record of a kernel (abi::KernelRecord),
// its entry, and the copy of a function that kernels call; the last two once
// for vector and once for cube cores.
inline constexpr char kRecordSuffix[] = ".belay_kernel";
inline constexpr char kEntrySuffix[] = ".belay_entry";
inline constexpr char kCubeEntrySuffix[] = ".belay_cube_entry";
inline constexpr char kDeviceSuffix[] = ".belay_device";
inline constexpr char kCubeDeviceSuffix[] = ".belay_cube_device";

// Whether kernels of this kind (abi::KernelRecord) run on cube cores, too or
// only.
bool RunsOnCubeCores(llvm::StringRef kind);

// Functions with a body that run on the NPU.
std::vector<llvm::Function*> DeviceFunctions(llvm::Module& module);

// Whether a symbol belongs to Belay's guest interface.
bool IsRuntimeName(llvm::StringRef name);

// Declarations of guest_abi.h.
llvm::FunctionCallee DeclareRead(llvm::Module& module);
llvm::FunctionCallee DeclareWrite(llvm::Module& module);
llvm::FunctionCallee DeclareLaunch(llvm::Module& module);
llvm::FunctionCallee DeclareNoReturn(llvm::Module& module, const char* name);

// Marks a call so that no optimisation merges it with another: its return
// address tells the source line.
void KeepOwnPlace(llvm::CallBase& call);

// Where the instruction stands in the user's source, by the innermost frame.
SourceLocation LocationOf(const llvm::Instruction& instruction);

// A location for code inserted at `instruction`: its own, or the nearest one
// before or after it in the block, or the function's line.
llvm::DebugLoc NearestDebugLoc(const llvm::Instruction& instruction);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_DEVICE_CODE_H_
