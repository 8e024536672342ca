// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_OPERANDS_H_
#define BELAY_NPU_OPERANDS_H_

// Which memory a vector instruction touches, operand by operand.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "npu/lanes.h"

namespace belay::npu {

enum class Access : uint8_t { kRead, kWrite, kReadWrite };

// One tensor operand as an instruction uses it. All bytes it touches lie in
// [operand.address, operand.address + extent).
struct OperandUse {
  abi::Operand operand;
  std::string_view role;  // "dst", "src0", …
  Access access = Access::kRead;
  uint32_t alignment = 0;  // bytes the start address must be a multiple of
  bool by_lane = true;     // lanes and strides apply; else contiguous
  uint64_t extent = 0;     // bytes
};

struct OperandList {
  std::array<OperandUse, 5> use;
  int count = 0;
  const OperandUse* begin() const { return use.data(); }
  const OperandUse* end() const { return use.data() + count; }
};

// Operands of an instruction of a vector family. Reads no guest memory: what
// depends on data is listed with extent 0, see below.
OperandList ListOperands(const abi::Instruction& instruction,
                         const Lanes& lanes);

// Bytes of its table a Gather's offsets reach; reads the offsets, which must
// have been checked.
uint64_t GatherReach(const abi::Instruction& gather, const Lanes& lanes);

// The same for a Gatherb, and the first offset at which no 32-byte block
// starts, if there is one.
struct BlockReach {
  uint64_t bytes = 0;
  std::optional<uint32_t> misaligned;
};
BlockReach GatherbReach(const abi::Instruction& gatherb, const Lanes& lanes);

// Bytes a GatherMask or a MrgSort that may stop early writes; reads the bits
// or lists, which must have been checked.
uint64_t GatherMaskReach(const abi::Instruction& gather_mask,
                         const Lanes& lanes);
uint64_t MergeReach(const abi::Instruction& merge);

// Bytes a ReduceParts instruction writes per repeat, and the bytes from one
// repeat's results to the next.
struct PartResults {
  uint64_t bytes;
  uint64_t stride_bytes;
};
PartResults ResultsOf(const abi::Instruction& instruction,
                      uint32_t lanes_per_repeat);

}  // namespace belay::npu

#endif  // BELAY_NPU_OPERANDS_H_
