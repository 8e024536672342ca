// SPDX-License-Identifier: Apache-2.0
// Elementwise instructions on the shadow: each lane of the result is undefined
// if a lane it is made of is. Not, And and Or work on single bits.

#include <algorithm>
#include <cstring>

#include "base/dtype.h"
#include "check/init_lanes.h"
#include "npu/names.h"
#include "npu/vector/dequant.h"
#include "npu/vector/families.h"
#include "npu/vector/lane_access.h"

namespace belay::check {
namespace {

using npu::ActiveLanes;
using npu::kBlockBytes;
using npu::LaneBuffer;
using npu::StridedOperand;

bool IsBitwise(abi::Op op) {
  return op == abi::Op::kNot || op == abi::Op::kAnd || op == abi::Op::kOr;
}

bool HasTwoSources(abi::Op op) {
  const npu::Family family = npu::FamilyOf(op);
  return family == npu::Family::kBinary || family == npu::Family::kFused;
}

// Bytes of a lane in a LaneBuffer.
uint32_t LaneBytes(const StridedOperand& operand) {
  return std::max<uint32_t>(operand.element_bits() / 8, 1);
}

// to[i] is undefined if a[i], b[i] or, with kThird, to[i] is. Rows of `n`
// elements that lie where `to` lies, or clear of it.
template <typename D, typename S, bool kThird>
void JoinRows(uint8_t* to, const uint8_t* a, const uint8_t* b, uint64_t n) {
  for (uint64_t i = 0; i < n; ++i) {
    S from_a;
    S from_b;
    std::memcpy(&from_a, a + i * sizeof(S), sizeof(S));
    std::memcpy(&from_b, b + i * sizeof(S), sizeof(S));
    bool set = (from_a | from_b) != 0;
    if constexpr (kThird) {
      D old;
      std::memcpy(&old, to + i * sizeof(D), sizeof(D));
      set |= old != 0;
    }
    const D result = static_cast<D>(-static_cast<int64_t>(set));
    std::memcpy(to + i * sizeof(D), &result, sizeof(D));
  }
}

using JoinFunction = void (*)(uint8_t*, const uint8_t*, const uint8_t*,
                              uint64_t);

template <typename D, bool kThird>
JoinFunction JoinTo(uint32_t source_bytes) {
  switch (source_bytes) {
    case 1:
      return JoinRows<D, uint8_t, kThird>;
    case 2:
      return JoinRows<D, uint16_t, kThird>;
    case 4:
      return JoinRows<D, uint32_t, kThird>;
    default:
      return JoinRows<D, uint64_t, kThird>;
  }
}

template <bool kThird>
JoinFunction JoinOf(uint32_t result_bytes, uint32_t source_bytes) {
  switch (result_bytes) {
    case 1:
      return JoinTo<uint8_t, kThird>(source_bytes);
    case 2:
      return JoinTo<uint16_t, kThird>(source_bytes);
    case 4:
      return JoinTo<uint32_t, kThird>(source_bytes);
    default:
      return JoinTo<uint64_t, kThird>(source_bytes);
  }
}

// Without widening to elements.
void JoinBits(uint8_t* to, const uint8_t* a, const uint8_t* b, uint64_t n) {
  for (uint64_t i = 0; i < n; ++i) to[i] = a[i] | b[i];
}

class LaneJoin {
 public:
  explicit LaneJoin(const LaneWork& work)
      : lanes_(work.lanes()),
        shadow_(work.shadow),
        dst_(work.instruction().dst, work),
        a_(work.instruction().src0, work),
        b_(HasTwoSources(work.instruction().op) ? work.instruction().src1
                                                : work.instruction().src0,
           work),
        reads_dst_(npu::ReadsDestination(work.instruction().op)),
        bitwise_(IsBitwise(work.instruction().op)),
        dense_(work.touches.dense),
        join_(reads_dst_ ? JoinOf<true>(dst_.bytes, a_.bytes)
                         : JoinOf<false>(dst_.bytes, a_.bytes)) {}

  void Run() {
    if (RunWhole()) return;
    for (uint32_t repeat = 0; repeat < lanes_.repeats; ++repeat) {
      RunRepeat(repeat, npu::ActiveLanesOf(lanes_, repeat));
    }
  }

 private:
  struct Side {
    abi::Operand operand;
    StridedOperand rows;  // of the shadow
    uint32_t bytes;       // of a lane in a LaneBuffer

    Side(const abi::Operand& from, const LaneWork& work)
        : operand(from),
          rows(ShadowOperand(work, from)),
          bytes(LaneBytes(rows)) {}

    // All bytes of one repeat's lanes lie in [Row, Row + RowBytes).
    uint64_t Row(uint32_t repeat) const {
      return operand.address +
             uint64_t{repeat} * operand.repeat_stride * kBlockBytes;
    }
    uint64_t RowBytes(uint32_t lanes) const {
      const uint32_t per_block = kBlockBytes * 8 / rows.element_bits();
      const uint64_t last = (lanes - 1) / per_block;
      return (last * operand.block_stride + 1) * kBlockBytes;
    }
  };

  // The whole range at once where that gives the same as repeat by repeat;
  // only the elements between the first and the last undefined source.
  bool RunWhole() {
    if (bitwise_ || !dense_ || a_.rows.packed() || a_.bytes != b_.bytes ||
        !a_.rows.IsContiguous(lanes_) || !b_.rows.IsContiguous(lanes_)) {
      return false;
    }
    const uint64_t n = lanes_.counter
                           ? lanes_.count
                           : uint64_t{lanes_.repeats} * lanes_.per_repeat;
    const uint64_t to = dst_.operand.address;
    const auto safe = [&](const Side& source) {
      const uint64_t from = source.operand.address;
      return (from == to && source.bytes == dst_.bytes) ||
             to + n * dst_.bytes <= from || from + n * source.bytes <= to;
    };
    if (!safe(a_) || !safe(b_)) return false;
    uint64_t first = n;
    uint64_t end = 0;
    for (const Side* source : {&a_, &b_, reads_dst_ ? &dst_ : &a_}) {
      const uint64_t from = source->operand.address;
      const uint64_t bytes = n * source->bytes;
      const uint64_t set = shadow_.FirstSet(from, bytes);
      if (set == from + bytes) continue;
      first = std::min(first, (set - from) / source->bytes);
      end = std::max(
          end, (shadow_.EndOfSet(from, bytes) - from + source->bytes - 1) /
                   source->bytes);
    }
    if (first >= end) {
      shadow_.Clear(to, n * dst_.bytes);
      return true;
    }
    const uint64_t count = end - first;
    const auto read = [&](const Side& source) {
      return shadow_.Read(source.operand.address + first * source.bytes,
                          count * source.bytes);
    };
    const uint8_t* from_a = read(a_);
    const uint8_t* from_b = read(b_);
    join_(shadow_.Write(to + first * dst_.bytes, count * dst_.bytes), from_a,
          from_b, count);
    shadow_.Settle(to + first * dst_.bytes, count * dst_.bytes);
    shadow_.Clear(to, first * dst_.bytes);
    shadow_.Clear(to + end * dst_.bytes, (n - end) * dst_.bytes);
    return true;
  }

  void RunRepeat(uint32_t repeat, const ActiveLanes& active) {
    if (active.extent == 0) return;
    const auto row = [&](const Side& side) { return side.Row(repeat); };
    const auto room = [&](const Side& side) {
      return side.RowBytes(active.extent);
    };
    if (shadow_.IsClear(row(a_), room(a_)) &&
        shadow_.IsClear(row(b_), room(b_)) &&
        shadow_.IsClear(row(dst_), room(dst_))) {
      return;
    }
    shadow_.Read(row(a_), room(a_));
    shadow_.Read(row(b_), room(b_));
    shadow_.Write(row(dst_), room(dst_));
    a_.rows.Gather(repeat, active, from_a_);
    b_.rows.Gather(repeat, active, from_b_);
    if (reads_dst_) dst_.rows.Gather(repeat, active, result_);
    if (bitwise_) {
      JoinBits(result_.bytes, from_a_.bytes, from_b_.bytes,
               uint64_t{active.extent} * dst_.bytes);
    } else if (a_.bytes == b_.bytes) {
      join_(result_.bytes, from_a_.bytes, from_b_.bytes, active.extent);
    } else {
      JoinUnlike(active.extent);
    }
    dst_.rows.Scatter(repeat, active, result_);
    shadow_.Settle(row(dst_), room(dst_));
  }

  // Sources of different widths.
  void JoinUnlike(uint32_t lanes) {
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      uint8_t* to = result_.bytes + lane * dst_.bytes;
      const bool set = AnySet(from_a_.bytes + lane * a_.bytes, a_.bytes) ||
                       AnySet(from_b_.bytes + lane * b_.bytes, b_.bytes) ||
                       (reads_dst_ && AnySet(to, dst_.bytes));
      std::memset(to, set ? 0xff : 0, dst_.bytes);
    }
  }

  const npu::Lanes& lanes_;
  ShadowMap& shadow_;
  Side dst_;
  Side a_;
  Side b_;
  bool reads_dst_;
  bool bitwise_;
  bool dense_;
  JoinFunction join_;
  LaneBuffer from_a_;
  LaneBuffer from_b_;
  LaneBuffer result_;
};

}  // namespace

void PropagateElementwise(LaneWork& work) { LaneJoin(work).Run(); }

// Each block of the source fills one half of a block of the destination; lane
// i of a block is scaled by word i of the parameters.
void PropagateCastDequant(LaneWork& work) {
  constexpr uint32_t kLanesPerBlock = kBlockBytes / sizeof(int16_t);
  const abi::Instruction& cast = work.instruction();
  bool scale_set[npu::kDequantWords] = {};
  if (npu::HasDequantTensor(cast)) {
    const uint8_t* words = work.shadow.ShadowOf(work.event.core.vector.dequant);
    for (uint32_t i = 0; i < npu::kDequantWords; ++i) {
      scale_set[i] = AnySet(words + i * sizeof(uint64_t), sizeof(uint64_t));
    }
  }
  const StridedOperand src(ShadowOperand(work, cast.src0));
  const uint32_t half = (cast.mode & 1) != 0 ? kBlockBytes / 2 : 0;
  LaneBuffer buffer;
  for (uint32_t repeat = 0; repeat < work.lanes().repeats; ++repeat) {
    const ActiveLanes active = npu::ActiveLanesOf(work.lanes(), repeat);
    src.Gather(repeat, active, buffer);
    for (uint32_t lane = 0; lane < active.extent; ++lane) {
      if (!active.Has(lane)) continue;
      const uint32_t within = lane % kLanesPerBlock;
      const uint64_t block =
          uint64_t{repeat} * cast.dst.repeat_stride +
          uint64_t{lane / kLanesPerBlock} * cast.dst.block_stride;
      *work.shadow.ShadowOf(cast.dst.address + block * kBlockBytes + half +
                            within) =
          AnySet(buffer.bytes + lane * sizeof(int16_t), sizeof(int16_t)) ||
                  scale_set[within]
              ? 0xff
              : 0;
    }
  }
}

}  // namespace belay::check
