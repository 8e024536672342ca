// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_TRANSPOSE_H_
#define BELAY_ASCENDC_TRANSPOSE_H_

// Transpose of a 16 x 16 matrix, of whole images, and of 16 rows that lie
// anywhere.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

inline constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

struct TransDataTo5HDParams {
  BELAY_API constexpr TransDataTo5HDParams() {}
  BELAY_API constexpr TransDataTo5HDParams(bool dst_high, bool src_high,
                                           uint8_t repeat, uint16_t dst_repeat,
                                           uint16_t src_repeat)
      : dstHighHalf(dst_high),
        srcHighHalf(src_high),
        repeatTimes(repeat),
        dstRepStride(dst_repeat),
        srcRepStride(src_repeat) {}

  bool dstHighHalf = false;
  bool srcHighHalf = false;
  belay::api::Field<uint8_t> repeatTimes{1};
  belay::api::Field<uint16_t> dstRepStride{0};
  belay::api::Field<uint16_t> srcRepStride{0};
};

enum class TransposeType : uint8_t {
  TRANSPOSE_TYPE_NONE,
  TRANSPOSE_NZ2ND_0213,
  TRANSPOSE_NZ2NZ_0213,
  TRANSPOSE_NZ2NZ_012_WITH_N,
  TRANSPOSE_NZ2ND_012_WITH_N,
  TRANSPOSE_NZ2ND_012_WITHOUT_N,
  TRANSPOSE_NZ2NZ_012_WITHOUT_N,
  TRANSPOSE_ND2ND_ONLY,
  TRANSPOSE_ND_UB_GM,
  TRANSPOSE_GRAD_ND_UB_GM,
  TRANSPOSE_ND2ND_B16,
  TRANSPOSE_NCHW2NHWC,
  TRANSPOSE_NHWC2NCHW,
  TRANSPOSE_ND2ND_021,
  TRANSPOSE_ND2ND_102,
  TRANSPOSE_ND2ND_210,
  TRANSPOSE_ND2NZ_WITH_INTLV,
};

struct TransposeParamsExt {
  BELAY_API constexpr TransposeParamsExt() {}
  BELAY_API constexpr TransposeParamsExt(uint16_t n, uint16_t c, uint16_t h,
                                         uint16_t w, TransposeType type)
      : nSize(n), cSize(c), hSize(h), wSize(w), transposeType(type) {}

  belay::api::Field<uint16_t> nSize{0};
  belay::api::Field<uint16_t> cSize{0};
  belay::api::Field<uint16_t> hSize{0};
  belay::api::Field<uint16_t> wSize{0};
  TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};

}  // namespace AscendC

namespace belay::api {

// The lists are read before this returns.
template <typename T>
BELAY_API void IssueTransposeLists(
    uint64_t destinations, uint64_t sources,
    const AscendC::TransDataTo5HDParams& params) {
  Instruction record{};
  record.op = Op::kTransDataTo5HD;
  record.form = Form::kRegister;
  record.repeat = params.repeatTimes.Saturated();
  record.dst = {0, 1, params.dstRepStride.Saturated(), kDTypeOf<T>,
                abi::Memory::kUb};
  record.src0 = {0, 1, params.srcRepStride.Saturated(), kDTypeOf<T>,
                 abi::Memory::kUb};
  record.lists.destinations = destinations;
  record.lists.sources = sources;
  record.lists.destination_high_half = params.dstHighHalf ? 1 : 0;
  record.lists.source_high_half = params.srcHighHalf ? 1 : 0;
  belay_issue(&record);
}

// `count` matrices of `rows` by `columns`, one after the other.
template <typename T>
BELAY_API void TransposeMatrices(const AscendC::LocalTensor<T>& dst,
                                 const AscendC::LocalTensor<T>& src,
                                 uint32_t count, uint32_t rows,
                                 uint32_t columns) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t start = i * rows * columns;
    for (uint32_t column = 0; column < columns; ++column) {
      for (uint32_t row = 0; row < rows; ++row) {
        dst.SetValue(start + column * rows + row,
                     src.GetValue(start + row * columns + column));
      }
    }
  }
}

}  // namespace belay::api

namespace AscendC {

template <typename T>
BELAY_API void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src) {
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kTranspose;
  record.form = belay::abi::Form::kRegister;
  record.repeat = 1;
  record.dst = belay::api::OperandOf(dst, 1, 8);
  record.src0 = belay::api::OperandOf(src, 1, 8);
  belay_issue(&record);
}

// TRANSPOSE_ND2ND_B16 is the above. The other two exchange the channels with
// the pixels of each image, element by element on the scalar unit.
template <typename T>
BELAY_API void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                         const LocalTensor<uint8_t>&,
                         const TransposeParamsExt& transposeParams) {
  const uint32_t channels = transposeParams.cSize;
  const uint32_t pixels =
      uint32_t{transposeParams.hSize} * uint32_t{transposeParams.wSize};
  switch (transposeParams.transposeType) {
    case TransposeType::TRANSPOSE_TYPE_NONE:
      return;
    case TransposeType::TRANSPOSE_ND2ND_B16:
      return Transpose(dst, src);
    case TransposeType::TRANSPOSE_NCHW2NHWC:
      return belay::api::TransposeMatrices(dst, src, transposeParams.nSize,
                                           channels, pixels);
    case TransposeType::TRANSPOSE_NHWC2NCHW:
      return belay::api::TransposeMatrices(dst, src, transposeParams.nSize,
                                           pixels, channels);
    default:
      belay_not_on_chip("Transpose with this transposeType");
  }
}

template <typename T>
BELAY_API void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE],
                              uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                              const TransDataTo5HDParams& nchwconvParams) {
  belay::api::IssueTransposeLists<PrimT<T>>(reinterpret_cast<uint64_t>(dstList),
                                            reinterpret_cast<uint64_t>(srcList),
                                            nchwconvParams);
}
template <typename T>
BELAY_API void TransDataTo5HD(const LocalTensor<uint64_t>& dst,
                              const LocalTensor<uint64_t>& src,
                              const TransDataTo5HDParams& nchwconvParams) {
  belay::api::IssueTransposeLists<PrimT<T>>(dst.GetPhyAddr(), src.GetPhyAddr(),
                                            nchwconvParams);
}
template <typename T>
BELAY_API void TransDataTo5HD(
    const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
    const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
    const TransDataTo5HDParams& nchwconvParams) {
  uint64_t destinations[NCHW_CONV_ADDR_LIST_SIZE];
  uint64_t sources[NCHW_CONV_ADDR_LIST_SIZE];
  for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    destinations[i] = dstList[i].GetPhyAddr();
    sources[i] = srcList[i].GetPhyAddr();
  }
  TransDataTo5HD<T>(destinations, sources, nchwconvParams);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_TRANSPOSE_H_
