// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_DATA_COPY_SLICE_H_
#define BELAY_ASCENDC_DATA_COPY_SLICE_H_

// DataCopy of a regular part of a tensor of up to eight dimensions.

#include "ascendc/data_copy.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

// One dimension, the innermost first: from startIndex to endIndex inclusive,
// in pieces with `stride` elements between them. burstLen is the length of a
// piece in 32-byte blocks in the innermost dimension, 1 in the others.
struct SliceInfo {
  uint32_t startIndex = 0;
  uint32_t endIndex = 0;
  uint32_t stride = 0;
  uint32_t burstLen = 0;
  uint32_t shapeValue = 0;
};

}  // namespace AscendC

namespace belay::api {

// How many pieces of `length` elements a dimension has.
BELAY_API uint32_t PiecesOf(const AscendC::SliceInfo& slice, uint32_t length) {
  const uint32_t step = length + slice.stride;
  return step == 0
             ? 0
             : (slice.endIndex - slice.startIndex + 1 + slice.stride) / step;
}

// Walks the outer dimensions of a slice, one innermost row after the other.
class SliceWalk {
 public:
  BELAY_API SliceWalk(const AscendC::SliceInfo slices[], uint32_t rank)
      : slices_(slices), rank_(rank < 8 ? rank : 8) {}

  // Element where the current row's slice starts.
  BELAY_API uint64_t Offset() const {
    uint64_t offset = 0;
    uint64_t size = 1;
    for (uint32_t d = 0; d < rank_; ++d) {
      offset += size * (slices_[d].startIndex +
                        uint64_t{index_[d]} * (slices_[d].stride + 1));
      size *= slices_[d].shapeValue;
    }
    return offset;
  }

  // False after the last row.
  BELAY_API bool Next() {
    for (uint32_t d = 1; d < rank_; ++d) {
      if (++index_[d] < PiecesOf(slices_[d], 1)) return true;
      index_[d] = 0;
    }
    return false;
  }

 private:
  const AscendC::SliceInfo* slices_;
  uint32_t rank_;
  uint32_t index_[8] = {};
};

template <typename T, typename Dst, typename Src>
BELAY_API void CopySlices(const Dst& dst, const Src& src,
                          const AscendC::SliceInfo dst_slices[],
                          const AscendC::SliceInfo src_slices[],
                          uint32_t rank) {
  abi::Transfer transfer{};
  transfer.block_bytes = Saturate(int64_t{src_slices[0].burstLen} * 32);
  transfer.block_count = PiecesOf(
      src_slices[0], static_cast<uint32_t>(CountOf<T>(transfer.block_bytes)));
  transfer.source_gap = static_cast<int64_t>(BytesOf<T>(src_slices[0].stride));
  transfer.destination_gap =
      static_cast<int64_t>(BytesOf<T>(dst_slices[0].stride));
  SliceWalk from(src_slices, rank);
  SliceWalk to(dst_slices, rank);
  do {
    IssueTransfer(Op::kDataCopyPad, MovedOperand(dst[to.Offset()]),
                  MovedOperand(src[from.Offset()]), 0, transfer);
  } while (from.Next() && to.Next());
}

}  // namespace belay::api

namespace AscendC {

template <typename T>
BELAY_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                        const SliceInfo dstSliceInfo[],
                        const SliceInfo srcSliceInfo[], uint32_t dimValue = 1) {
  belay::api::CopySlices<PrimT<T>>(dst, src, dstSliceInfo, srcSliceInfo,
                                   dimValue);
}
template <typename T>
BELAY_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                        const SliceInfo dstSliceInfo[],
                        const SliceInfo srcSliceInfo[], uint32_t dimValue = 1) {
  belay::api::CopySlices<PrimT<T>>(dst, src, dstSliceInfo, srcSliceInfo,
                                   dimValue);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_DATA_COPY_SLICE_H_
