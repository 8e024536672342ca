// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_VECTOR_REDUCTION_H_
#define BELAY_NPU_VECTOR_REDUCTION_H_

// What all reductions share: trees of sums, and the greatest or smallest of
// some lanes, for half and float. Elements are passed as their bits.
//
// Sums (page ReduceDataBlock): neighbours are added, then neighbouring sums,
// and so on; each sum is rounded, and clamped where saturation is in force. An
// inactive lane adds nothing: it stands as -0, which changes no other summand.
// Greatest and smallest (page of boundary values): NaN wins, +0 is above -0,
// and saturation acts on the result alone. Of equals the first lane counts; of
// NaNs, too.

#include <cstdint>

#include "npu/vector/flat.h"
#include "npu/vector/lane_access.h"

namespace belay::npu {

class Reduction {
 public:
  Reduction(abi::DType dtype, bool saturate);

  uint32_t bytes() const { return bytes_; }

  // The elements at `from` added one after the other.
  uint32_t SumInOrder(const void* from, uint64_t elements) const;

  // Reduces `elements` elements at `from`, a multiple of `group`, a power of
  // two, to one sum for each `group`, at `to`. `from` and `to` do not overlap.
  void SumGroups(const void* from, uint64_t elements, uint32_t group,
                 void* to) const;

  // The `lanes` lanes of a full repeat, with -0 for inactive ones: where they
  // lie, or in `buffer`.
  const uint8_t* Summands(const StridedOperand& source, uint32_t repeat,
                          const ActiveLanes& active, uint32_t lanes,
                          LaneBuffer& buffer) const;

  struct Best {
    uint32_t value;
    uint32_t lane;
  };

  // The greatest (or smallest) of the active lanes of a repeat, of which there
  // is at least one.
  Best BestOfRepeat(const StridedOperand& source, uint32_t repeat,
                    const ActiveLanes& active, bool greatest) const;

  // The same for lanes first to first + count - 1 of a gathered repeat.
  Best BestOfLanes(const LaneBuffer& lanes, const ActiveLanes& active,
                   uint32_t first, uint32_t count, bool greatest) const;

  // True if `a` must replace the earlier `b`.
  bool Beats(uint32_t a, uint32_t b, bool greatest) const;

  // `value` as written: clamped where saturation is in force.
  uint32_t Written(uint32_t value) const;

  uint32_t Load(const void* from) const;
  void Store(void* to, uint32_t element) const;

 private:
  FlatFunction FirstBest(bool greatest) const;

  abi::DType dtype_;
  bool saturate_;
  uint32_t bytes_;
};

}  // namespace belay::npu

#endif  // BELAY_NPU_VECTOR_REDUCTION_H_
