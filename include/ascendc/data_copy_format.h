// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_DATA_COPY_FORMAT_H_
#define BELAY_ASCENDC_DATA_COPY_FORMAT_H_

// DataCopy that changes the order of a matrix on the way: rows (ND) to columns
// of 32-byte blocks (NZ) and back, and DataCopy with enhanced parameters.

#include "ascendc/data_copy.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

// Source strides count elements, C0 and N strides 32-byte blocks, the matrix
// stride elements.
struct Nd2NzParams {
  BELAY_API constexpr Nd2NzParams() {}
  BELAY_API constexpr Nd2NzParams(uint16_t matrices, uint16_t rows,
                                  uint16_t columns, uint16_t src_matrix,
                                  uint16_t src_row, uint16_t dst_c0,
                                  uint16_t dst_n, uint16_t dst_matrix)
      : ndNum(matrices),
        nValue(rows),
        dValue(columns),
        srcNdMatrixStride(src_matrix),
        srcDValue(src_row),
        dstNzC0Stride(dst_c0),
        dstNzNStride(dst_n),
        dstNzMatrixStride(dst_matrix) {}

  belay::api::Field<uint16_t> ndNum{0};
  belay::api::Field<uint16_t> nValue{0};
  belay::api::Field<uint16_t> dValue{0};
  belay::api::Field<uint16_t> srcNdMatrixStride{0};
  belay::api::Field<uint16_t> srcDValue{0};
  belay::api::Field<uint16_t> dstNzC0Stride{0};
  belay::api::Field<uint16_t> dstNzNStride{0};
  belay::api::Field<uint16_t> dstNzMatrixStride{0};
};

// srcNdMatrixStride counts 256 elements, srcNStride 16 elements, the others
// elements.
struct Nz2NdParamsFull {
  BELAY_API constexpr Nz2NdParamsFull() {}
  BELAY_API constexpr Nz2NdParamsFull(uint16_t matrices, uint16_t rows,
                                      uint16_t columns, uint16_t src_matrix,
                                      uint16_t src_n, uint16_t dst_row,
                                      uint16_t dst_matrix)
      : ndNum(matrices),
        nValue(rows),
        dValue(columns),
        srcNdMatrixStride(src_matrix),
        srcNStride(src_n),
        dstDStride(dst_row),
        dstNdMatrixStride(dst_matrix) {}

  belay::api::Field<uint16_t> ndNum{0};
  belay::api::Field<uint16_t> nValue{0};
  belay::api::Field<uint16_t> dValue{0};
  belay::api::Field<uint16_t> srcNdMatrixStride{0};
  belay::api::Field<uint16_t> srcNStride{0};
  belay::api::Field<uint16_t> dstDStride{0};
  belay::api::Field<uint16_t> dstNdMatrixStride{0};
};

enum class BlockMode : uint8_t {
  BLOCK_MODE_NORMAL = 0,
  BLOCK_MODE_MATRIX,
  BLOCK_MODE_VECTOR,
  BLOCK_MODE_SMALL_CHANNEL,
  BLOCK_MODE_DEPTHWISE,
};
enum class DeqScale : uint8_t {
  DEQ_NONE = 0,
  DEQ,
  VDEQ,
  DEQ8,
  VDEQ8,
  DEQ16,
  VDEQ16,
};
enum class pad_t : uint8_t { PAD_NONE = 0 };

struct DataCopyEnhancedParams {
  BlockMode blockMode = BlockMode::BLOCK_MODE_NORMAL;
  DeqScale deqScale = DeqScale::DEQ_NONE;
  uint64_t deqValue = 0;
  uint8_t sidStoreMode = 0;
  bool isRelu = false;
  pad_t padMode = pad_t::PAD_NONE;
  uint64_t padValue = 0;
};

}  // namespace AscendC

namespace belay::api {

// The cube core's own instruction, to L1. Two int4b_t go as one int8_t.
template <typename T>
BELAY_API void CopyToNzInL1(const AscendC::LocalTensor<T>& dst,
                            const AscendC::GlobalTensor<T>& src,
                            const AscendC::Nd2NzParams& params) {
  Instruction record{};
  record.op = Op::kDataCopyNd2Nz;
  record.dst = MovedOperand(dst);
  record.src0 = MovedOperand(src);
  if constexpr (kBitsOf<AscendC::PrimT<T>> == 4) {
    record.dst.dtype = DType::kInt8;
    record.src0.dtype = DType::kInt8;
  }
  record.nd2nz = {
      params.ndNum.Saturated(),        params.nValue.Saturated(),
      params.dValue.Saturated(),       params.srcNdMatrixStride.Saturated(),
      params.srcDValue.Saturated(),    params.dstNzC0Stride.Saturated(),
      params.dstNzNStride.Saturated(), params.dstNzMatrixStride.Saturated()};
  belay_issue(&record);
}

// One move for each column of blocks: DataCopyPad fills the last one's rest.
template <typename T>
BELAY_API void CopyToNz(const AscendC::LocalTensor<T>& dst,
                        const AscendC::GlobalTensor<T>& src,
                        const AscendC::Nd2NzParams& params) {
  using Element = AscendC::PrimT<T>;
  constexpr int64_t kSize = sizeof(Element);
  constexpr int64_t kColumn = 32 / kSize;
  const int64_t columns = params.dValue.Assigned();
  for (int64_t matrix = 0; matrix < params.ndNum.Assigned(); ++matrix) {
    for (int64_t column = 0; column < columns; column += kColumn) {
      const int64_t left = columns - column;
      abi::Transfer transfer{};
      transfer.block_count = params.nValue.Saturated();
      transfer.block_bytes =
          static_cast<uint32_t>((left < kColumn ? left : kColumn) * kSize);
      transfer.source_gap =
          params.srcDValue.Assigned() * kSize - transfer.block_bytes;
      transfer.destination_gap = (params.dstNzNStride.Assigned() - 1) * 32;
      if (left < kColumn) {
        transfer.is_pad = 1;
        transfer.right_padding = static_cast<uint8_t>(kColumn - left);
      }
      const int64_t to =
          matrix * params.dstNzMatrixStride.Assigned() +
          column / kColumn * params.dstNzC0Stride.Assigned() * kColumn;
      const int64_t from =
          matrix * params.srcNdMatrixStride.Assigned() + column;
      IssueTransfer(Op::kDataCopyPad, MovedOperand(dst[to]),
                    MovedOperand(src[from]), 0, transfer);
    }
  }
}

// One move for each column of 16 elements.
template <typename T>
BELAY_API void CopyToNd(const AscendC::GlobalTensor<T>& dst,
                        const AscendC::LocalTensor<T>& src,
                        const AscendC::Nz2NdParamsFull& params) {
  constexpr int64_t kSize = sizeof(AscendC::PrimT<T>);
  constexpr int64_t kColumn = 16;
  for (int64_t matrix = 0; matrix < params.ndNum.Assigned(); ++matrix) {
    for (int64_t column = 0; column < params.dValue.Assigned();
         column += kColumn) {
      abi::Transfer transfer{};
      transfer.block_count = params.nValue.Saturated();
      transfer.block_bytes = static_cast<uint32_t>(kColumn * kSize);
      transfer.destination_gap =
          (params.dstDStride.Assigned() - kColumn) * kSize;
      const int64_t to = matrix * params.dstNdMatrixStride.Assigned() + column;
      const int64_t from = matrix * params.srcNdMatrixStride.Assigned() * 256 +
                           column / kColumn * params.srcNStride.Assigned() * 16;
      IssueTransfer(Op::kDataCopyPad, MovedOperand(dst[to]),
                    MovedOperand(src[from]), 0, transfer);
    }
  }
}

// Between UB and GM, and inside UB, the other modes mean nothing.
BELAY_API void RequireNormalMode(
    const AscendC::DataCopyEnhancedParams& params) {
  if (params.blockMode != AscendC::BlockMode::BLOCK_MODE_NORMAL) {
    belay_not_on_chip(
        "DataCopy with a DataCopyEnhancedParams::blockMode other than "
        "BLOCK_MODE_NORMAL");
  }
}

}  // namespace belay::api

namespace AscendC {

template <typename T>
BELAY_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                        const Nd2NzParams& intriParams) {
  if (dst.GetMemory() == belay::abi::Memory::kL1) {
    belay::api::CopyToNzInL1(dst, src, intriParams);
  } else {
    belay::api::CopyToNz(dst, src, intriParams);
  }
}
template <typename T>
BELAY_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                        const Nz2NdParamsFull& intriParams) {
  belay::api::CopyToNd(dst, src, intriParams);
}

template <typename T>
BELAY_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                        const DataCopyParams& intriParams,
                        const DataCopyEnhancedParams& enhancedParams) {
  belay::api::RequireNormalMode(enhancedParams);
  belay::api::CopyBlocks(dst, src, intriParams);
}
template <typename T>
BELAY_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                        const DataCopyParams& intriParams,
                        const DataCopyEnhancedParams& enhancedParams) {
  belay::api::RequireNormalMode(enhancedParams);
  belay::api::CopyBlocks(dst, src, intriParams);
}
template <typename T>
BELAY_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                        const DataCopyParams& intriParams,
                        const DataCopyEnhancedParams& enhancedParams) {
  belay::api::RequireNormalMode(enhancedParams);
  belay::api::CopyBlocksOnChip(dst, src, intriParams);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_DATA_COPY_FORMAT_H_
