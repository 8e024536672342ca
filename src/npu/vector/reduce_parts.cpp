// SPDX-License-Identifier: Apache-2.0
// WholeReduce, BlockReduce and PairReduce: each repeat, block or pair to one.
//
// The destination's repeat stride counts what one repeat yields: a result (of
// value and index where both are wanted), eight results, or 128 bytes. An
// index alone takes four bytes, also for half. A part without an active lane
// leaves its result untouched.

#include <cstring>

#include "npu/vector/families.h"
#include "npu/vector/reduction.h"

namespace belay::npu {
namespace {

enum class Kind { kSum, kGreatest, kSmallest };

Kind KindOf(abi::Op op) {
  switch (op) {
    case abi::Op::kBlockReduceMax:
    case abi::Op::kWholeReduceMax:
      return Kind::kGreatest;
    case abi::Op::kBlockReduceMin:
    case abi::Op::kWholeReduceMin:
      return Kind::kSmallest;
    default:
      return Kind::kSum;
  }
}

// Lanes that are reduced to one result.
uint32_t PartOf(abi::Op op, uint32_t per_repeat) {
  switch (op) {
    case abi::Op::kBlockReduceMax:
    case abi::Op::kBlockReduceMin:
    case abi::Op::kBlockReduceSum:
      return per_repeat * kBlockBytes / kRepeatBytes;
    case abi::Op::kPairReduceSum:
      return 2;
    default:
      return per_repeat;
  }
}

bool AnyActive(const ActiveLanes& active, uint32_t first, uint32_t count) {
  if (count <= 64) return active.Range(first, count) != 0;
  return active.extent != 0;
}

// Sums and bests of blocks and pairs, and sums of whole repeats.
void ExecuteValues(const abi::Instruction& instruction, const Lanes& lanes,
                   const Reduction& reduction) {
  const Kind kind = KindOf(instruction.op);
  const uint32_t part = PartOf(instruction.op, lanes.per_repeat);
  const uint32_t results = lanes.per_repeat / part;
  const uint32_t bytes = reduction.bytes();
  const StridedOperand source(instruction.src0);
  auto* to = reinterpret_cast<uint8_t*>(instruction.dst.address);
  const uint64_t stride =
      uint64_t{instruction.dst.repeat_stride} * results * bytes;
  LaneBuffer buffer;
  LaneBuffer reduced;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    const ActiveLanes active = ActiveLanesOf(lanes, repeat);
    if (kind == Kind::kSum) {
      const uint8_t* summands =
          reduction.Summands(source, repeat, active, lanes.per_repeat, buffer);
      reduction.SumGroups(summands, lanes.per_repeat, part, reduced.bytes);
    } else {
      source.Gather(repeat, active, buffer);
      for (uint32_t i = 0; i < results; ++i) {
        if (!AnyActive(active, i * part, part)) continue;
        const Reduction::Best best = reduction.BestOfLanes(
            buffer, active, i * part, part, kind == Kind::kGreatest);
        reduction.Store(reduced.bytes + i * bytes, best.value);
      }
    }
    for (uint32_t i = 0; i < results; ++i) {
      if (!AnyActive(active, i * part, part)) continue;
      const uint32_t value = reduction.Load(reduced.bytes + i * bytes);
      reduction.Store(to + repeat * stride + i * bytes,
                      reduction.Written(value));
    }
  }
}

// Greatest or smallest of each repeat, with its lane.
void ExecuteBests(const abi::Instruction& instruction, const Lanes& lanes,
                  const Reduction& reduction, VectorState& state) {
  const bool greatest = instruction.op == abi::Op::kWholeReduceMax;
  const auto order = static_cast<abi::ReduceOrder>(instruction.mode);
  const uint32_t bytes = reduction.bytes();
  const StridedOperand source(instruction.src0);
  auto* to = reinterpret_cast<uint8_t*>(instruction.dst.address);
  const uint64_t stride = instruction.dst.repeat_stride;
  bool first = true;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    const ActiveLanes active = ActiveLanesOf(lanes, repeat);
    if (active.extent == 0) continue;
    const Reduction::Best best =
        reduction.BestOfRepeat(source, repeat, active, greatest);
    const uint32_t value = reduction.Written(best.value);
    switch (order) {
      case abi::ReduceOrder::kValueIndex:
        reduction.Store(to + repeat * stride * 2 * bytes, value);
        reduction.Store(to + repeat * stride * 2 * bytes + bytes, best.lane);
        break;
      case abi::ReduceOrder::kIndexValue:
        reduction.Store(to + repeat * stride * 2 * bytes, best.lane);
        reduction.Store(to + repeat * stride * 2 * bytes + bytes, value);
        break;
      case abi::ReduceOrder::kOnlyValue:
        reduction.Store(to + repeat * stride * bytes, value);
        break;
      case abi::ReduceOrder::kOnlyIndex:
        std::memcpy(to + repeat * stride * sizeof best.lane, &best.lane,
                    sizeof best.lane);
        break;
    }
    if (first || reduction.Beats(value, state.reduced_value, greatest)) {
      state.reduced_value = value;
      state.reduced_index = repeat * lanes.per_repeat + best.lane;
      first = false;
    }
  }
}

}  // namespace

void ExecuteReduceParts(const abi::Instruction& instruction, const Lanes& lanes,
                        VectorState& state) {
  const Reduction reduction(instruction.src0.dtype, state.saturate);
  if (instruction.op == abi::Op::kWholeReduceMax ||
      instruction.op == abi::Op::kWholeReduceMin) {
    ExecuteBests(instruction, lanes, reduction, state);
  } else {
    ExecuteValues(instruction, lanes, reduction);
  }
}

}  // namespace belay::npu
