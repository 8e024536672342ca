// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_CUBE_DESCRIBE_H_
#define BELAY_NPU_CUBE_DESCRIBE_H_

// The sizes of a cube instruction in words, for traces.

#include <string>

#include "belay/instruction.h"

namespace belay::npu {

// " m=128 n=256 k=64 init=zero"; empty for registers without fields.
std::string DescribeCube(const abi::Instruction& instruction);

}  // namespace belay::npu

#endif  // BELAY_NPU_CUBE_DESCRIBE_H_
