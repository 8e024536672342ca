// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_CUBE_LOAD_DATA_H_
#define BELAY_ASCENDC_CUBE_LOAD_DATA_H_

// Loads of the cube: fractals and parts of feature maps on their way to L0A and
// L0B, constants, and the registers those loads read.

#include "ascendc/cube/load_params.h"
#include "ascendc/data_copy.h"

// The element types of the loads, each followed by its wording.
#define BELAY_FRACTAL_TYPES                                        \
  (::belay::api::kSetOf<                                           \
      ::belay::api::DType::kInt4, ::belay::api::DType::kInt8,      \
      ::belay::api::DType::kUint8, ::belay::api::DType::kInt16,    \
      ::belay::api::DType::kUint16, ::belay::api::DType::kHalf,    \
      ::belay::api::DType::kBfloat16, ::belay::api::DType::kInt32, \
      ::belay::api::DType::kUint32, ::belay::api::DType::kFloat>), \
      "int4b_t and elements of 8, 16 and 32 bits"
#define BELAY_SQUARE_TYPES                                            \
  (::belay::api::kSetOf<                                              \
      ::belay::api::DType::kInt4, ::belay::api::DType::kInt8,         \
      ::belay::api::DType::kUint8, ::belay::api::DType::kHalf,        \
      ::belay::api::DType::kBfloat16, ::belay::api::DType::kInt32,    \
      ::belay::api::DType::kUint32, ::belay::api::DType::kFloat>),    \
      "int4b_t, int8_t, uint8_t, half, bfloat16_t, int32_t, uint32_t" \
      " or float"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// What a field holds, in 16 or 8 bits; more becomes the largest value.
template <typename Narrow>
BELAY_API uint16_t Bits16(const Field<Narrow>& field) {
  const uint32_t value = field.Saturated();
  return static_cast<uint16_t>(value > 0xffff ? 0xffff : value);
}
BELAY_API uint8_t Bits8(const Field<uint8_t>& field) {
  const uint32_t value = field.Saturated();
  return static_cast<uint8_t>(value > 0xff ? 0xff : value);
}

BELAY_API void IssueLoad2D(const Operand& dst, const Operand& src,
                           const AscendC::LoadData2DParams& params) {
  Instruction record{};
  record.op = Op::kLoadData2D;
  record.dst = dst;
  record.src0 = src;
  record.load2d.start = params.startIndex.Saturated();
  record.load2d.repeat = params.repeatTimes.Saturated();
  record.load2d.source_stride = params.srcStride.Saturated();
  record.load2d.destination_gap = params.dstGap.Saturated();
  record.load2d.transpose = params.ifTranspose ? 1 : 0;
  record.load2d.descending = params.addrMode != 0 ? 1 : 0;
  belay_issue(&record);
}

BELAY_API void IssueFmatrix(uint16_t height, uint16_t width,
                            const uint8_t padding[4]) {
  Instruction record{};
  record.op = Op::kSetFmatrix;
  record.fmatrix = {height,     width,      padding[0],
                    padding[1], padding[2], padding[3]};
  belay_issue(&record);
}

BELAY_API void IssueCubeScalar(Op op, uint64_t bits) {
  Instruction record{};
  record.op = op;
  record.scalar = bits;
  belay_issue(&record);
}

template <typename T>
BELAY_API void IssueLoad3D(const AscendC::LocalTensor<T>& dst,
                           const AscendC::LocalTensor<T>& src,
                           const abi::Load3D& load) {
  Instruction record{};
  record.op = Op::kLoadData3D;
  record.dst = MovedOperand(dst);
  record.src0 = MovedOperand(src);
  record.load3d = load;
  belay_issue(&record);
}

// Bits `low` to `low + width` of packed parameters.
BELAY_API constexpr uint32_t PackedBits(uint64_t packed, int low, int width) {
  return static_cast<uint32_t>(packed >> low & ((uint64_t{1} << width) - 1));
}

}  // namespace belay::api

namespace AscendC {

// Fractals from L1 (or GM) to L0A, L0B or, from GM, L1.
template <typename T>
BELAY_API void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                        const LoadData2DParams& loadDataParams) {
  BELAY_TAKES(PrimT<T>, "LoadData", BELAY_FRACTAL_TYPES)
  belay::api::IssueLoad2D(belay::api::MovedOperand(dst),
                          belay::api::MovedOperand(src), loadDataParams);
}
template <typename T>
BELAY_API void LoadData(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                        const LoadData2DParams& loadDataParams) {
  BELAY_TAKES(PrimT<T>, "LoadData", BELAY_FRACTAL_TYPES)
  belay::api::IssueLoad2D(belay::api::MovedOperand(dst),
                          belay::api::MovedOperand(src), loadDataParams);
}

// A feature map from L1, by im2col.
template <
    typename T,
    const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG,
    typename U = PrimT<T>,
    std::enable_if_t<std::is_same_v<PrimT<T>, U>, bool> = true>
BELAY_API void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                        const LoadData3DParamsV2<U>& loadDataParams) {
  BELAY_TAKES(PrimT<T>, "LoadData", BELAY_SQUARE_TYPES)
  using belay::api::Bits16;
  using belay::api::Bits8;
  const LoadData3DParamsV2<U>& from = loadDataParams;
  if constexpr (defaultConfig.isSetFMatrix) {
    belay::api::IssueFmatrix(Bits16(from.l1H), Bits16(from.l1W), from.padList);
  }
  if constexpr (defaultConfig.isSetPadding) {
    belay::api::IssueCubeScalar(belay::abi::Op::kSetLoadDataPaddingValue,
                                belay::api::BitsOf(from.padValue));
  }
  belay::abi::Load3D load{};
  load.channels = Bits16(from.channelSize);
  load.k_extension = Bits16(from.kExtension);
  load.m_extension = Bits16(from.mExtension);
  load.k_start = Bits16(from.kStartPt);
  load.m_start = Bits16(from.mStartPt);
  load.filter_width =
      static_cast<uint16_t>(Bits8(from.filterW) + (from.filterSizeW ? 256 : 0));
  load.filter_height =
      static_cast<uint16_t>(Bits8(from.filterH) + (from.filterSizeH ? 256 : 0));
  load.stride_width = Bits8(from.strideW);
  load.stride_height = Bits8(from.strideH);
  load.dilation_width = Bits8(from.dilationFilterW);
  load.dilation_height = Bits8(from.dilationFilterH);
  load.transpose = from.enTranspose ? 1 : 0;
  belay::api::IssueLoad3D(dst, src, load);
}

// The same, packed; shape and padding value are those set before.
template <typename T>
BELAY_API void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                        const LoadData3DParamsV2Pro& loadDataParams) {
  BELAY_TAKES(PrimT<T>, "LoadData", BELAY_SQUARE_TYPES)
  using belay::api::PackedBits;
  const uint64_t ext = loadDataParams.extConfig;
  const uint64_t filter = loadDataParams.filterConfig;
  belay::abi::Load3D load{};
  load.channels = belay::api::Bits16(loadDataParams.channelSize);
  load.k_extension = static_cast<uint16_t>(PackedBits(ext, 0, 16));
  load.m_extension = static_cast<uint16_t>(PackedBits(ext, 16, 16));
  load.k_start = static_cast<uint16_t>(PackedBits(ext, 32, 16));
  load.m_start = static_cast<uint16_t>(PackedBits(ext, 48, 16));
  load.stride_width = static_cast<uint8_t>(PackedBits(filter, 0, 8));
  load.stride_height = static_cast<uint8_t>(PackedBits(filter, 8, 8));
  load.filter_width = static_cast<uint16_t>(
      PackedBits(filter, 16, 8) + (loadDataParams.filterSizeW ? 256 : 0));
  load.filter_height = static_cast<uint16_t>(
      PackedBits(filter, 24, 8) + (loadDataParams.filterSizeH ? 256 : 0));
  load.dilation_width = static_cast<uint8_t>(PackedBits(filter, 32, 8));
  load.dilation_height = static_cast<uint8_t>(PackedBits(filter, 40, 8));
  load.transpose = loadDataParams.enTranspose ? 1 : 0;
  belay::api::IssueLoad3D(dst, src, load);
}

// Squares of fractals from L1 to L0A or L0B, each transposed.
template <typename T>
BELAY_API void LoadDataWithTranspose(
    const LocalTensor<T>& dst, const LocalTensor<T>& src,
    const LoadData2dTransposeParams& loadDataParams) {
  BELAY_TAKES(PrimT<T>, "LoadDataWithTranspose", BELAY_SQUARE_TYPES)
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kLoadDataTranspose;
  record.dst = belay::api::MovedOperand(dst);
  record.src0 = belay::api::MovedOperand(src);
  record.load2d.start = loadDataParams.startIndex.Saturated();
  record.load2d.repeat = loadDataParams.repeatTimes.Saturated();
  record.load2d.source_stride = loadDataParams.srcStride.Saturated();
  record.load2d.destination_gap = loadDataParams.dstGap.Saturated();
  record.load2d.fractal_gap = loadDataParams.dstFracGap.Saturated();
  record.load2d.descending = loadDataParams.addrMode != 0 ? 1 : 0;
  belay_issue(&record);
}

// The packed half of a matrix from L1 to L0B, with the indices that say where
// it was.
template <typename T = int8_t, typename U = uint8_t,
          std::enable_if_t<std::is_same_v<PrimT<T>, int8_t>, bool> = true,
          std::enable_if_t<std::is_same_v<PrimT<U>, uint8_t>, bool> = true>
BELAY_API void LoadDataWithSparse(const LocalTensor<T>& dst,
                                  const LocalTensor<T>& src,
                                  const LocalTensor<U>& idx,
                                  const LoadData2DParams& loadDataParam) {
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kLoadDataSparse;
  record.dst = belay::api::MovedOperand(dst);
  record.src0 = belay::api::MovedOperand(src);
  record.src1 = belay::api::MovedOperand(idx);
  record.load2d.start = loadDataParam.startIndex.Saturated();
  record.load2d.repeat = loadDataParam.repeatTimes.Saturated();
  belay_issue(&record);
}

// One value all over a part of L1, L0A or L0B. InitConstValue is the older
// name.
template <typename T, typename U = PrimT<T>,
          std::enable_if_t<std::is_same_v<PrimT<T>, U>, bool> = true>
BELAY_API void Fill(const LocalTensor<T>& dst,
                    const InitConstValueParams<U>& initConstValueParams) {
  BELAY_TAKES(PrimT<T>, "Fill", BELAY_16_32_BITS)
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kFill;
  record.dst = belay::api::MovedOperand(dst);
  record.scalar = belay::api::BitsOf(initConstValueParams.initValue);
  record.fill.repeat = initConstValueParams.repeatTimes.Saturated();
  record.fill.blocks = initConstValueParams.blockNum.Saturated();
  record.fill.gap = initConstValueParams.dstGap.Saturated();
  belay_issue(&record);
}
template <typename T, typename U = PrimT<T>,
          std::enable_if_t<std::is_same_v<PrimT<T>, U>, bool> = true>
BELAY_API void InitConstValue(
    const LocalTensor<T>& dst,
    const InitConstValueParams<U>& initConstValueParams) {
  Fill(dst, initConstValueParams);
}

// The shape of the feature map and its padding: left, right, top, bottom. Both
// sides of the product use the left one.
BELAY_API void SetFmatrix(uint16_t l1H, uint16_t l1W,
                          const uint8_t padList[PAD_SIZE],
                          const FmatrixMode& fmatrixMode) {
  if (fmatrixMode != FmatrixMode::FMATRIX_LEFT) {
    belay_not_on_chip("SetFmatrix with FMATRIX_RIGHT");
  }
  belay::api::IssueFmatrix(l1H, l1W, padList);
}

// In bytes of L1; 0 for none.
BELAY_API void SetLoadDataBoundary(uint32_t boundaryValue) {
  belay::api::IssueCubeScalar(belay::abi::Op::kSetLoadDataBoundary,
                              boundaryValue);
}

template <typename T>
BELAY_API void SetLoadDataPaddingValue(const T padValue) {
  belay::api::IssueCubeScalar(belay::abi::Op::kSetLoadDataPaddingValue,
                              belay::api::BitsOf(padValue));
}

BELAY_API void SetLoadDataRepeat(const LoadDataRepeatParam& repeatParams) {
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kSetLoadDataRepeat;
  record.load_repeat = {repeatParams.repeatStride, repeatParams.repeatTime,
                        repeatParams.repeatMode};
  belay_issue(&record);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_CUBE_LOAD_DATA_H_
