// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_NAMES_H_
#define BELAY_NPU_NAMES_H_

// Operations, families, pipes and memories by name.

#include <string>
#include <string_view>

#include "belay/instruction.h"

namespace belay::npu {

enum class Family : uint8_t {
  kNone,
  kUnary,
  kBinary,
  kFused,
  kScalar,
  kCast,
  kCompare,
  kCmpMask,
  kSelect,
  kReduce,
  kReduceParts,
  kDuplicate,
  kIndex,
  kCopy,
  kGather,
  kGatherb,
  kGatherMask,
  kBrcb,
  kSort,
  kMerge,
  kTranspose,
  kTransposeLists,
  kRegister,
  kTransfer,
  kLoad2D,
  kLoad3D,
  kNd2Nz,
  kFill,
  kMmad,
  kFixpipe,
  kCubeRegister,
  kCache,
  kSync,
  kQueue,
};

inline constexpr Family kFamilies[] = {
    Family::kNone,  // kInvalid
#define BELAY_OPERATION(name, family) Family::k##family,
#include "belay/operations.def"
#undef BELAY_OPERATION
};

constexpr Family FamilyOf(abi::Op op) {
  return op < abi::Op::kCount ? kFamilies[static_cast<int>(op)] : Family::kNone;
}

// Whether the family runs on the vector pipe over lanes.
constexpr bool IsVector(Family family) {
  return family >= Family::kUnary && family <= Family::kTransposeLists;
}

// Whether the family belongs to the cube core alone.
constexpr bool IsCube(Family family) {
  return family >= Family::kLoad2D && family <= Family::kCubeRegister;
}

std::string_view NameOf(abi::Op op);
std::string_view NameOf(abi::Pipe pipe);
std::string_view NameOf(abi::Memory memory);

// The pipe an instruction runs on.
abi::Pipe PipeOf(const abi::Instruction& instruction);

// A flag's pair as AscendC spells it: "MTE2_V".
std::string EventName(const abi::Sync& sync);

}  // namespace belay::npu

#endif  // BELAY_NPU_NAMES_H_
