// SPDX-License-Identifier: Apache-2.0
// Reductions on the shadow. A result made of defined and undefined lanes is a
// finding. A part of which all lanes are undefined gives an undefined result
// and no finding: rows of garbage may be reduced as long as nobody stores what
// comes out.

#include <cstring>

#include "base/dtype.h"
#include "check/init_lanes.h"
#include "npu/operands.h"
#include "npu/vector/lane_access.h"

namespace belay::check {
namespace {

using npu::ActiveLanes;
using npu::LaneBuffer;
using npu::StridedOperand;

// How many of some lanes are active, how many of these undefined, and where
// the first undefined one lies.
struct Census {
  uint32_t active = 0;
  uint32_t undefined = 0;
  uint64_t first = 0;
};

Census Count(const abi::Operand& source, const LaneBuffer& lanes,
             const ActiveLanes& active, uint32_t repeat, uint32_t first,
             uint32_t count) {
  const auto bytes = static_cast<uint32_t>(BytesOf(source.dtype));
  Census census;
  for (uint32_t lane = first; lane < first + count; ++lane) {
    if (!active.Has(lane)) continue;
    ++census.active;
    if (!AnySet(lanes.bytes + lane * bytes, bytes)) continue;
    if (census.undefined++ == 0) {
      census.first =
          source.address + npu::LaneOffset(source, bytes, repeat, lane);
    }
  }
  return census;
}

// Lanes reduced to one result, and the bytes of that result.
struct Part {
  uint32_t lanes;
  uint32_t bytes;
};

Part PartOf(const abi::Instruction& instruction, uint32_t per_repeat) {
  const auto bytes = static_cast<uint32_t>(BytesOf(instruction.dst.dtype));
  switch (instruction.op) {
    case abi::Op::kBlockReduceMax:
    case abi::Op::kBlockReduceMin:
    case abi::Op::kBlockReduceSum:
      return {npu::kBlockBytes / bytes, bytes};
    case abi::Op::kPairReduceSum:
      return {2, bytes};
    default:
      // Value, index, or both.
      return {per_repeat, static_cast<uint32_t>(
                              npu::ResultsOf(instruction, per_repeat).bytes)};
  }
}

}  // namespace

void PropagateReduceParts(LaneWork& work) {
  const abi::Instruction& reduce = work.instruction();
  const npu::Lanes& lanes = work.lanes();
  const Part part = PartOf(reduce, lanes.per_repeat);
  const uint64_t step = npu::ResultsOf(reduce, lanes.per_repeat).stride_bytes;
  const StridedOperand source(ShadowOperand(work, reduce.src0));
  LaneBuffer buffer;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    const ActiveLanes active = npu::ActiveLanesOf(lanes, repeat);
    source.Gather(repeat, active, buffer);
    for (uint32_t first = 0; first < lanes.per_repeat; first += part.lanes) {
      const Census census =
          Count(reduce.src0, buffer, active, repeat, first, part.lanes);
      if (census.active == 0) continue;
      bool undefined = census.undefined != 0;
      if (undefined && work.judges && census.undefined < census.active) {
        work.reached.Note(Sink::kReduction, census.first,
                          BytesOf(reduce.src0.dtype));
        undefined = false;
      }
      std::memset(work.shadow.ShadowOf(reduce.dst.address + repeat * step +
                                       first / part.lanes * part.bytes),
                  undefined ? 0xff : 0, part.bytes);
    }
  }
}

void PropagateReduce(LaneWork& work) {
  const abi::Instruction& reduce = work.instruction();
  const npu::Lanes& lanes = work.lanes();
  if (lanes.repeats == 0 || npu::ActiveLanesOf(lanes, 0).extent == 0) return;
  bool undefined = false;
  for (const Touch& read : work.touches.reads) {
    if (work.shadow.IsClear(read.address, read.bytes)) continue;
    work.shadow.Read(read.address, read.bytes);
    const StridedOperand source(ShadowOperand(work, reduce.src0));
    LaneBuffer buffer;
    for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
      const ActiveLanes active = npu::ActiveLanesOf(lanes, repeat);
      source.Gather(repeat, active, buffer);
      const Census census =
          Count(reduce.src0, buffer, active, repeat, 0, lanes.per_repeat);
      if (census.undefined == 0) continue;
      undefined = !work.judges;
      if (work.judges) {
        work.reached.Note(Sink::kReduction, census.first,
                          BytesOf(reduce.src0.dtype));
      }
    }
  }
  // What is left in the work buffer nobody can tell; it may lie over dst.
  if (const uint64_t bytes = ReduceWorkBytes(work.event); bytes != 0) {
    if (work.judges) {
      work.shadow.Fill(reduce.src1.address, bytes);
    } else {
      work.shadow.Clear(reduce.src1.address, bytes);
    }
  }
  for (const Touch& write : work.touches.writes) {
    if (undefined) {
      work.shadow.Fill(write.address, write.bytes);
    } else {
      work.shadow.Clear(write.address, write.bytes);
    }
  }
}

}  // namespace belay::check
