// SPDX-License-Identifier: Apache-2.0
// Unary, Binary, Scalar and Cast: one flat function, run over the lanes.
//
// The chip reads all lanes of a repeat before it writes any, and repeats one
// after the other. Whole ranges, or whole rows, are handed to the flat function
// where that cannot be told apart.

#include <bit>

#include "base/error.h"
#include "npu/vector/families.h"
#include "npu/vector/lane_access.h"
#include "npu/vector/variants.h"

namespace belay::npu {
namespace {

struct Sources {
  const abi::Operand* a;
  const abi::Operand* b;  // null if there is none
};

bool Disjoint(const uint8_t* a, uint64_t a_bytes, const uint8_t* b,
              uint64_t b_bytes) {
  return a + a_bytes <= b || b + b_bytes <= a;
}

class Runner {
 public:
  Runner(FlatFunction function, const abi::Operand& dst, Sources sources,
         uint64_t scalar, const Lanes& lanes)
      : function_(function),
        dst_(dst),
        a_(*sources.a),
        b_(sources.b != nullptr ? *sources.b : *sources.a),
        two_sources_(sources.b != nullptr),
        scalar_(scalar),
        lanes_(lanes) {}

  void Run() const {
    const bool packed = dst_.packed() || a_.packed();
    if (!packed && RunWhole()) return;
    Buffers buffers;
    for (uint32_t repeat = 0; repeat < lanes_.repeats; ++repeat) {
      const ActiveLanes active = ActiveLanesOf(lanes_, repeat);
      if (active.extent == 0) return;
      if (packed || !RunRow(repeat, active)) RunLanes(repeat, active, buffers);
    }
  }

 private:
  struct Buffers {
    LaneBuffer a;
    LaneBuffer b;
    LaneBuffer result;
  };

  // True if `n` results from `to` on may be written by one call that reads `n`
  // elements from each row.
  bool MayRunFlat(const uint8_t* to, const uint8_t* a, const uint8_t* b,
                  uint64_t n) const {
    const auto safe = [&](const StridedOperand& source, const uint8_t* from) {
      if (from == to && source.element_bits() == dst_.element_bits()) {
        return true;
      }
      return Disjoint(to, n * dst_.element_bits() / 8, from,
                      n * source.element_bits() / 8);
    };
    return safe(a_, a) && (!two_sources_ || safe(b_, b));
  }

  bool RunWhole() const {
    uint64_t n = lanes_.count;
    if (!lanes_.counter) {
      uint64_t full[2];
      SetLeadingLanes(lanes_.per_repeat, full);
      if (lanes_.mask[0] != full[0] || lanes_.mask[1] != full[1]) return false;
      n = uint64_t{lanes_.repeats} * lanes_.per_repeat;
    }
    if (!dst_.IsContiguous(lanes_) || !a_.IsContiguous(lanes_) ||
        (two_sources_ && !b_.IsContiguous(lanes_)) ||
        !MayRunFlat(dst_.Row(0), a_.Row(0), b_.Row(0), n)) {
      return false;
    }
    function_(dst_.Row(0), a_.Row(0), b_.Row(0), scalar_, n);
    return true;
  }

  bool RunRow(uint32_t repeat, const ActiveLanes& active) const {
    if (!active.leading || !dst_.RowsAreContiguous(active.extent) ||
        !a_.RowsAreContiguous(active.extent) ||
        (two_sources_ && !b_.RowsAreContiguous(active.extent))) {
      return false;
    }
    uint8_t* to = dst_.Row(repeat);
    const uint8_t* a = a_.Row(repeat);
    const uint8_t* b = b_.Row(repeat);
    if (!MayRunFlat(to, a, b, active.extent)) return false;
    function_(to, a, b, scalar_, active.extent);
    return true;
  }

  void RunLanes(uint32_t repeat, const ActiveLanes& active,
                Buffers& buffers) const {
    a_.Gather(repeat, active, buffers.a);
    if (two_sources_) b_.Gather(repeat, active, buffers.b);
    function_(buffers.result.bytes, buffers.a.bytes, buffers.b.bytes, scalar_,
              active.extent);
    dst_.Scatter(repeat, active, buffers.result);
  }

  FlatFunction function_;
  StridedOperand dst_;
  StridedOperand a_;
  StridedOperand b_;
  bool two_sources_;
  uint64_t scalar_;
  const Lanes& lanes_;
};

FlatFunction Required(FlatFunction function) {
  if (function == nullptr) {
    throw InternalError("vector instruction on types that were not checked");
  }
  return function;
}

int FlavourOf(const abi::Instruction& instruction, const VectorState& state) {
  const bool refined = instruction.op == abi::Op::kShiftRight
                           ? (instruction.mode & 1) != 0
                           : state.exact_reciprocal;
  return (state.saturate ? kSaturate : kPlain) | (refined ? kRefined : kPlain);
}

bool HasTwoTensors(abi::Op op) {
  switch (op) {
    case abi::Op::kAdd:
    case abi::Op::kAddRelu:
    case abi::Op::kAnd:
    case abi::Op::kDiv:
    case abi::Op::kMax:
    case abi::Op::kMin:
    case abi::Op::kMul:
    case abi::Op::kOr:
    case abi::Op::kSub:
    case abi::Op::kSubRelu:
      return true;
    default:
      return false;
  }
}

}  // namespace

void ExecuteElementwise(const abi::Instruction& instruction, const Lanes& lanes,
                        const VectorState& state) {
  const abi::Operand& source = instruction.src0;
  FlatFunction function =
      Flat().elementwise[static_cast<int>(instruction.op)][static_cast<int>(
          source.dtype)][FlavourOf(instruction, state)];
  Sources sources{&source, nullptr};
  if (HasTwoTensors(instruction.op)) sources.b = &instruction.src1;
  if (instruction.op == abi::Op::kAxpy) {
    sources.b = &instruction.dst;
    if (instruction.dst.dtype != source.dtype) function = Flat().axpy_widening;
  }
  Runner(Required(function), instruction.dst, sources, instruction.scalar,
         lanes)
      .Run();
}

void ExecuteCast(const abi::Instruction& instruction, const Lanes& lanes,
                 const VectorState& state) {
  const FlatFunction function =
      Flat().cast[static_cast<int>(instruction.src0.dtype)][static_cast<int>(
          instruction.dst.dtype)][instruction.mode][state.saturate ? 1 : 0];
  Runner(Required(function), instruction.dst, {&instruction.src0, nullptr},
         std::bit_cast<uint32_t>(state.deq_scale), lanes)
      .Run();
}

}  // namespace belay::npu
