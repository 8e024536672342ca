// SPDX-License-Identifier: Apache-2.0
// The chip reads all lanes of a repeat before it writes any, and repeats one
// after the other. Whole ranges, or whole rows, are handed to the flat function
// where that cannot be told apart.

#include "npu/vector/flat_runner.h"

#include "base/error.h"
#include "npu/vector/lane_access.h"

namespace belay::npu {
namespace {

bool Disjoint(const uint8_t* a, uint64_t a_bytes, const uint8_t* b,
              uint64_t b_bytes) {
  return a + a_bytes <= b || b + b_bytes <= a;
}

class Runner {
 public:
  Runner(FlatFunction function, const FlatOperands& operands, uint64_t scalar,
         const Lanes& lanes)
      : function_(function),
        dst_(*operands.dst),
        a_(*operands.a),
        b_(operands.b != nullptr ? *operands.b : *operands.a),
        two_sources_(operands.b != nullptr),
        reads_dst_(operands.reads_dst),
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
    if (reads_dst_) dst_.Gather(repeat, active, buffers.result);
    function_(buffers.result.bytes, buffers.a.bytes, buffers.b.bytes, scalar_,
              active.extent);
    dst_.Scatter(repeat, active, buffers.result);
  }

  FlatFunction function_;
  StridedOperand dst_;
  StridedOperand a_;
  StridedOperand b_;
  bool two_sources_;
  bool reads_dst_;
  uint64_t scalar_;
  const Lanes& lanes_;
};

}  // namespace

void RunFlat(FlatFunction function, const FlatOperands& operands,
             uint64_t scalar, const Lanes& lanes) {
  if (function == nullptr) {
    throw InternalError("vector instruction on types that were not checked");
  }
  Runner(function, operands, scalar, lanes).Run();
}

}  // namespace belay::npu
