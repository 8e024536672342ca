// SPDX-License-Identifier: Apache-2.0
// Instructions that only move elements, on the shadow: the chip's own code
// moves the shadow as it moves the data, steered by the real offsets and bits.

#include <algorithm>
#include <cstring>

#include "check/init_lanes.h"
#include "npu/execute.h"
#include "npu/names.h"
#include "npu/vector/lane_access.h"
#include "npu/vector/transpose.h"

namespace belay::check {
namespace {

using npu::ActiveLanes;
using npu::Family;
using npu::kBlockBytes;

constexpr uint32_t kBlocksPerRepeat = npu::kRepeatBytes / kBlockBytes;

// The instruction with the shadows of `dst` and `src0` in their place.
void MoveShadow(LaneWork& work, abi::Instruction moved) {
  npu::VectorState state = work.event.core.vector;
  npu::ExecuteVector(moved, work.lanes(), state);
}

abi::Instruction OnShadow(const LaneWork& work) {
  abi::Instruction moved = work.instruction();
  moved.dst = ShadowOperand(work, moved.dst);
  moved.src0 = ShadowOperand(work, moved.src0);
  return moved;
}

// The shadow of what an offset at `offset_at` brings, `bytes` bytes at `from`;
// an undefined offset is noted, or brings undefined bytes.
void GatherOne(LaneWork& work, uint64_t offset_at, uint64_t from,
               uint32_t bytes, uint8_t* to) {
  if (!AnySet(work.shadow.ShadowOf(offset_at), sizeof(uint32_t))) {
    std::memcpy(to, work.shadow.ShadowOf(from), bytes);
    return;
  }
  std::memset(to, work.judges ? 0 : 0xff, bytes);
  if (work.judges) {
    work.reached.Note(Sink::kIndex, offset_at, sizeof(uint32_t));
  }
}

uint32_t OffsetAt(uint64_t address) {
  uint32_t offset;
  std::memcpy(&offset, reinterpret_cast<const void*>(address), sizeof offset);
  return offset;
}

void PropagateGather(LaneWork& work) {
  const abi::Instruction& gather = work.instruction();
  const npu::StridedOperand dst(ShadowOperand(work, gather.dst));
  const uint32_t bytes = dst.element_bits() / 8;
  const uint64_t table = gather.src0.address + gather.scalar;
  npu::LaneBuffer gathered;
  for (uint32_t repeat = 0; repeat < work.lanes().repeats; ++repeat) {
    const ActiveLanes active = npu::ActiveLanesOf(work.lanes(), repeat);
    for (uint32_t lane = 0; lane < active.extent; ++lane) {
      if (!active.Has(lane)) continue;
      const uint64_t at =
          gather.src1.address +
          npu::LaneOffset(gather.src1, sizeof(uint32_t), repeat, lane);
      GatherOne(work, at, table + OffsetAt(at), bytes,
                gathered.bytes + lane * bytes);
    }
    dst.Scatter(repeat, active, gathered);
  }
}

void PropagateGatherb(LaneWork& work) {
  const abi::Instruction& gather = work.instruction();
  const uint64_t stride = std::max<uint32_t>(gather.dst.block_stride, 1);
  for (uint32_t repeat = 0; repeat < work.lanes().repeats; ++repeat) {
    uint8_t blocks[kBlocksPerRepeat][kBlockBytes];
    for (uint32_t i = 0; i < kBlocksPerRepeat; ++i) {
      const uint64_t at =
          gather.src1.address +
          (uint64_t{repeat} * kBlocksPerRepeat + i) * sizeof(uint32_t);
      GatherOne(work, at, gather.src0.address + OffsetAt(at), kBlockBytes,
                blocks[i]);
    }
    for (uint32_t i = 0; i < kBlocksPerRepeat; ++i) {
      const uint64_t block =
          uint64_t{repeat} * gather.dst.repeat_stride + i * stride;
      std::memcpy(
          work.shadow.ShadowOf(gather.dst.address + block * kBlockBytes),
          blocks[i], kBlockBytes);
    }
  }
}

// Which elements are kept is a matter of all bits before them, so undefined
// bits make everything behind them undefined.
void PropagateGatherMask(LaneWork& work) {
  const abi::Instruction& gather = work.instruction();
  const npu::Lanes& lanes = work.lanes();
  bool undefined = false;
  if (gather.gather_mask.pattern == 0) {
    for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
      const uint64_t row =
          gather.src1.address + uint64_t{repeat} *
                                    gather.gather_mask.src1_repeat_stride *
                                    kBlockBytes;
      for (uint32_t lane = 0; lane < lanes.per_repeat; ++lane) {
        const uint64_t address = row + lane / 8;
        if ((*work.shadow.ShadowOf(address) >> lane % 8 & 1) == 0) continue;
        undefined = true;
        if (work.judges) work.reached.Note(Sink::kMask, address, 1);
      }
    }
  }
  MoveShadow(work, OnShadow(work));
  if (undefined && !work.judges) {
    for (const Touch& write : work.touches.writes) {
      std::memset(work.shadow.ShadowOf(write.address), 0xff, write.bytes);
    }
  }
}

void PropagateFill(LaneWork& work) {
  abi::Instruction fill = work.instruction();
  fill.op = abi::Op::kDuplicate;
  fill.dst = ShadowOperand(work, fill.dst);
  fill.scalar = 0;
  MoveShadow(work, fill);
}

void PropagateTransposeLists(LaneWork& work) {
  abi::Instruction moved = work.instruction();
  npu::TransposeRows rows;
  const auto load = [&](uint64_t from, uint64_t* to) {
    if (work.shadow.Spans(from)) {
      const uint64_t bytes = sizeof rows.sources;
      const uint64_t first = work.shadow.FirstSet(from, bytes);
      if (first != from + bytes && work.judges) {
        work.reached.Note(Sink::kIndex, first, sizeof(uint64_t));
      }
    }
    std::memcpy(to, reinterpret_cast<const void*>(from), sizeof rows.sources);
    for (uint32_t row = 0; row < npu::kTransposeRows; ++row) {
      to[row] = reinterpret_cast<uint64_t>(work.shadow.ShadowOf(to[row]));
    }
  };
  load(moved.lists.destinations, rows.destinations);
  load(moved.lists.sources, rows.sources);
  moved.lists.destinations = reinterpret_cast<uint64_t>(rows.destinations);
  moved.lists.sources = reinterpret_cast<uint64_t>(rows.sources);
  MoveShadow(work, moved);
}

}  // namespace

Reached FindUndefinedIndex(const npu::InstructionEvent& event,
                           const ShadowMap& shadow) {
  const abi::Instruction& instruction = event.instruction;
  const npu::Lanes& lanes = *event.lanes;
  Reached reached;
  const auto look = [&](uint64_t at, uint64_t bytes, uint64_t element) {
    if (!shadow.Spans(at)) return;
    const uint64_t first = shadow.FirstSet(at, bytes);
    if (first != at + bytes) reached.Note(Sink::kIndex, first, element);
  };
  switch (npu::FamilyOf(instruction.op)) {
    case Family::kGather:
      for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
        const ActiveLanes active = npu::ActiveLanesOf(lanes, repeat);
        for (uint32_t lane = 0; lane < active.extent; ++lane) {
          if (!active.Has(lane)) continue;
          look(instruction.src1.address + npu::LaneOffset(instruction.src1,
                                                          sizeof(uint32_t),
                                                          repeat, lane),
               sizeof(uint32_t), sizeof(uint32_t));
        }
      }
      break;
    case Family::kGatherb:
      look(instruction.src1.address,
           uint64_t{lanes.repeats} * kBlocksPerRepeat * sizeof(uint32_t),
           sizeof(uint32_t));
      break;
    case Family::kTransposeLists:
      for (const uint64_t list :
           {instruction.lists.destinations, instruction.lists.sources}) {
        look(list, npu::kTransposeRows * sizeof(uint64_t), sizeof(uint64_t));
      }
      break;
    default:
      break;
  }
  return reached;
}

void PropagateMove(LaneWork& work) {
  switch (npu::FamilyOf(work.instruction().op)) {
    case Family::kDuplicate:
    case Family::kIndex:
      return PropagateFill(work);
    case Family::kGather:
      return PropagateGather(work);
    case Family::kGatherb:
      return PropagateGatherb(work);
    case Family::kGatherMask:
      return PropagateGatherMask(work);
    case Family::kTransposeLists:
      if (work.lanes().repeats != 0) PropagateTransposeLists(work);
      return;
    default:
      return MoveShadow(work, OnShadow(work));
  }
}

}  // namespace belay::check
