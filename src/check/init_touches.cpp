// SPDX-License-Identifier: Apache-2.0
#include "check/init_touches.h"

#include <algorithm>

#include "base/dtype.h"
#include "npu/names.h"
#include "npu/operands.h"
#include "npu/vector/dequant.h"
#include "npu/vector/transpose.h"

namespace belay::check {
namespace {

using npu::Family;
using npu::kBlockBytes;

bool AllLanesActive(const npu::Lanes& lanes) {
  if (lanes.counter) {
    return lanes.count == uint64_t{lanes.repeats} * lanes.per_repeat;
  }
  uint64_t full[2];
  npu::SetLeadingLanes(lanes.per_repeat, full);
  return lanes.mask[0] == full[0] && lanes.mask[1] == full[1];
}

// Active lanes lie side by side, without a gap.
bool IsDense(const abi::Operand& operand, const npu::Lanes& lanes) {
  if (!lanes.counter && !AllLanesActive(lanes)) return false;
  const int bits = BitsOf(operand.dtype);
  if (bits < 8) return false;
  const uint32_t per_block = kBlockBytes * 8 / bits;
  const uint32_t blocks = (lanes.per_repeat + per_block - 1) / per_block;
  return operand.block_stride == 1 &&
         (lanes.repeats <= 1 || (operand.repeat_stride == blocks &&
                                 lanes.per_repeat % per_block == 0));
}

bool IsDensePart(const abi::Instruction& instruction, const npu::Lanes& lanes) {
  if (instruction.dst.repeat_stride != 1) return false;
  switch (instruction.op) {
    case abi::Op::kWholeReduceMax:
    case abi::Op::kWholeReduceMin:
    case abi::Op::kWholeReduceSum:
      // Every repeat has an active lane, or none has.
      return lanes.counter || (lanes.mask[0] | lanes.mask[1]) != 0;
    default:
      return AllLanesActive(lanes);
  }
}

bool AreBlocksDense(const abi::Operand& dst, const npu::Lanes& lanes) {
  return dst.block_stride <= 1 &&
         (dst.repeat_stride == 8 || lanes.repeats <= 1);
}

bool WritesDense(const abi::Instruction& instruction, const npu::Lanes& lanes) {
  switch (npu::FamilyOf(instruction.op)) {
    case Family::kCompare:
    case Family::kCmpMask:
    case Family::kGatherMask:
    case Family::kMerge:
    case Family::kTranspose:
      return true;
    case Family::kReduceParts:
      return IsDensePart(instruction, lanes);
    case Family::kBrcb:
    case Family::kGatherb:
      return AreBlocksDense(instruction.dst, lanes);
    case Family::kSort:
      return instruction.dst.repeat_stride == 8 || lanes.repeats <= 1;
    case Family::kTransposeLists:
      return false;
    case Family::kCast:
      // CastDequant to 8 bits fills halves of blocks.
      if (instruction.op == abi::Op::kCastDequant) return false;
      [[fallthrough]];
    default:
      return IsDense(instruction.dst, lanes);
  }
}

void AddRows(const abi::Instruction& instruction, const npu::Lanes& lanes,
             Touches& touches) {
  if (lanes.repeats == 0) return;
  const npu::TransposeRows rows = npu::ReadTransposeRows(instruction);
  const auto bytes_of = [&](const abi::Operand& operand) {
    return (uint64_t{lanes.repeats - 1} * operand.repeat_stride + 1) *
           kBlockBytes;
  };
  for (uint32_t row = 0; row < npu::kTransposeRows; ++row) {
    touches.reads.Add(rows.sources[row], bytes_of(instruction.src0));
    touches.writes.Add(rows.destinations[row], bytes_of(instruction.dst));
  }
}

}  // namespace

Touches TouchesOf(const npu::InstructionEvent& event) {
  const abi::Instruction& instruction = event.instruction;
  const npu::Lanes& lanes = *event.lanes;
  Touches touches;
  for (const npu::OperandUse& use : npu::ListOperands(instruction, lanes)) {
    if (use.access != npu::Access::kWrite) {
      touches.reads.Add(use.operand.address, use.extent);
    }
    if (use.access != npu::Access::kRead) {
      touches.writes.Add(use.operand.address, use.extent);
    }
  }
  switch (instruction.op) {
    case abi::Op::kGather:
      touches.reads.Add(instruction.src0.address,
                        npu::GatherReach(instruction, lanes));
      break;
    case abi::Op::kGatherb:
      touches.reads.Add(instruction.src0.address,
                        npu::GatherbReach(instruction, lanes).bytes);
      break;
    case abi::Op::kGatherMask:
      touches.writes.Add(instruction.dst.address,
                         npu::GatherMaskReach(instruction, lanes));
      break;
    case abi::Op::kMrgSort:
      if (instruction.merge.stop_when_exhausted != 0 && lanes.repeats != 0) {
        touches.writes.Add(instruction.dst.address,
                           npu::MergeReach(instruction));
      }
      break;
    case abi::Op::kTransDataTo5HD:
      AddRows(instruction, lanes, touches);
      break;
    case abi::Op::kCastDequant:
      if (npu::HasDequantTensor(instruction)) {
        touches.reads.Add(event.core.vector.dequant,
                          npu::kDequantWords * sizeof(uint64_t));
      }
      break;
    default:
      break;
  }
  touches.dense = WritesDense(instruction, lanes);
  return touches;
}

uint64_t ReduceWorkBytes(const npu::InstructionEvent& event) {
  const abi::Instruction& instruction = event.instruction;
  const npu::Lanes& lanes = *event.lanes;
  if (instruction.src1.address == 0 || lanes.repeats <= 1) return 0;
  const bool sum = instruction.op == abi::Op::kReduceSum;
  if (sum && lanes.counter) return 0;
  const uint64_t element = BytesOf(instruction.dst.dtype);
  // Elements of one round's results, rounded up to whole blocks.
  const auto room = [&](uint64_t elements) {
    const uint64_t bytes = elements * element;
    return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
  };
  const uint64_t per_repeat = lanes.per_repeat;
  const auto next = [&](uint64_t elements) {
    return (elements + per_repeat - 1) / per_repeat * 2;
  };
  uint64_t results = lanes.repeats * (sum ? 1 : 2);
  uint64_t bytes = room(results);
  // Without an index later rounds use the same room again.
  while (instruction.mode != 0 && results > 2) {
    results = next(results);
    bytes += room(results);
  }
  return bytes;
}

}  // namespace belay::check
