// SPDX-License-Identifier: Apache-2.0
// ReduceSum, ReduceMax and ReduceMin: all lanes of all repeats to one.
//
// Page ReduceSum: by count, each repeat is summed as a tree and the repeats'
// sums are added one after the other; by mask, the repeats' sums are summed as
// a tree again. ReduceMax and ReduceMin first find each repeat's best, as
// WholeReduceMax does, then the best of these; the index counts lanes over
// all repeats. The work buffer is left as it was.

#include <vector>

#include "npu/vector/families.h"
#include "npu/vector/reduction.h"

namespace belay::npu {
namespace {

// The sum of every repeat that has active lanes, in order.
std::vector<uint8_t> SumsOfRepeats(const Reduction& reduction,
                                   const StridedOperand& source,
                                   const Lanes& lanes) {
  std::vector<uint8_t> sums(size_t{lanes.repeats} * reduction.bytes());
  uint32_t repeat = 0;
  if (lanes.counter && source.IsContiguous(lanes)) {
    repeat = static_cast<uint32_t>(lanes.count / lanes.per_repeat);
    reduction.SumGroups(source.Row(0), uint64_t{repeat} * lanes.per_repeat,
                        lanes.per_repeat, sums.data());
  }
  LaneBuffer buffer;
  for (; repeat < lanes.repeats; ++repeat) {
    const uint8_t* summands = reduction.Summands(
        source, repeat, ActiveLanesOf(lanes, repeat), lanes.per_repeat, buffer);
    reduction.SumGroups(summands, lanes.per_repeat, lanes.per_repeat,
                        sums.data() + size_t{repeat} * reduction.bytes());
  }
  return sums;
}

uint32_t SumAsTree(const Reduction& reduction, std::vector<uint8_t> sums) {
  const uint32_t bytes = reduction.bytes();
  std::vector<uint8_t> next;
  while (sums.size() > bytes) {
    if (sums.size() / bytes % 2 != 0) {
      sums.resize(sums.size() + bytes);
      reduction.Store(sums.data() + sums.size() - bytes, 1u << (bytes * 8 - 1));
    }
    next.resize(sums.size() / 2);
    reduction.SumGroups(sums.data(), sums.size() / bytes, 2, next.data());
    sums.swap(next);
  }
  return reduction.Load(sums.data());
}

void ExecuteSum(const abi::Instruction& instruction, const Lanes& lanes,
                const Reduction& reduction, VectorState& state) {
  const StridedOperand source(instruction.src0);
  std::vector<uint8_t> sums = SumsOfRepeats(reduction, source, lanes);
  const uint32_t total = reduction.Written(
      lanes.counter ? reduction.SumInOrder(sums.data(), lanes.repeats)
                    : SumAsTree(reduction, std::move(sums)));
  reduction.Store(reinterpret_cast<void*>(instruction.dst.address), total);
  state.reduced_sum = total;
}

void ExecuteBest(const abi::Instruction& instruction, const Lanes& lanes,
                 const Reduction& reduction, VectorState& state) {
  const bool greatest = instruction.op == abi::Op::kReduceMax;
  const StridedOperand source(instruction.src0);
  Reduction::Best best{0, 0};
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    const ActiveLanes active = ActiveLanesOf(lanes, repeat);
    Reduction::Best found =
        reduction.BestOfRepeat(source, repeat, active, greatest);
    found.value = reduction.Written(found.value);
    if (repeat == 0 || reduction.Beats(found.value, best.value, greatest)) {
      best = {found.value, repeat * lanes.per_repeat + found.lane};
    }
  }
  auto* to = reinterpret_cast<uint8_t*>(instruction.dst.address);
  reduction.Store(to, best.value);
  if (instruction.mode != 0) {
    reduction.Store(to + reduction.bytes(), best.lane);
  }
  state.reduced_value = best.value;
  state.reduced_index = best.lane;
}

}  // namespace

void ExecuteReduce(const abi::Instruction& instruction, const Lanes& lanes,
                   VectorState& state) {
  if (lanes.repeats == 0 || ActiveLanesOf(lanes, 0).extent == 0) return;
  const Reduction reduction(instruction.src0.dtype, state.saturate);
  if (instruction.op == abi::Op::kReduceSum) {
    ExecuteSum(instruction, lanes, reduction, state);
  } else {
    ExecuteBest(instruction, lanes, reduction, state);
  }
}

}  // namespace belay::npu
