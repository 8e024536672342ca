// SPDX-License-Identifier: Apache-2.0
#include "npu/hidden_scratch.h"

#include <algorithm>

namespace belay::npu {
namespace {

// Whether SetCmpMask brought what the call would have to stage.
bool IsStagedByKernel(const abi::Instruction& select) {
  return static_cast<abi::Select>(select.mode) == abi::Select::kTensorScalar
             ? select.src1.dtype != abi::DType::kNone
             : select.src2.dtype == abi::DType::kNone;
}

}  // namespace

HiddenScratch HiddenScratchOf(const ChipSpec& spec,
                              const abi::Instruction& instruction,
                              const Lanes& lanes) {
  const uint64_t offset = spec.BytesOf(abi::Memory::kUb) - spec.scratch_bytes;
  if (instruction.op == abi::Op::kSelect) {
    const auto mode = static_cast<abi::Select>(instruction.mode);
    if (mode == abi::Select::kCmpMaskRegister ||
        IsStagedByKernel(instruction)) {
      return {};
    }
    return {offset, spec.select_scratch_bytes};
  }
  if (instruction.op == abi::Op::kAddDeqRelu) {
    const uint64_t elements = lanes.counter
                                  ? lanes.count
                                  : uint64_t{lanes.repeats} * lanes.per_repeat;
    return {offset,
            std::min(elements * sizeof(int32_t), uint64_t{spec.scratch_bytes})};
  }
  return {};
}

}  // namespace belay::npu
