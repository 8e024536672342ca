// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_CUBE_FIXPIPE_H_
#define BELAY_ASCENDC_CUBE_FIXPIPE_H_

// Results of the cube out of L0C, converted on their way: Fixpipe, DataCopy
// from L0C, and the registers they read.

#include "ascendc/cube/fixpipe_params.h"
#include "ascendc/cube/mmad.h"
#include "ascendc/sync.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

BELAY_API abi::Quant QuantOf(QuantMode_t mode) {
  if (static_cast<uint32_t>(mode) > VREQ8) {
    belay_not_on_chip("Fixpipe with this QuantMode_t");
  }
  return static_cast<abi::Quant>(mode);
}
BELAY_API constexpr bool HasScalarScale(QuantMode_t mode) {
  return mode == DEQF16 || mode == QF322B8_PRE || mode == REQ8;
}

// Whether L0C of type `from` can be moved out as `to`.
BELAY_API constexpr bool ConvertsTo(DType to, DType from) {
  const bool is_common =
      to == DType::kInt8 || to == DType::kUint8 || to == DType::kHalf;
  if (from == DType::kInt32) return is_common || to == DType::kInt32;
  return from == DType::kFloat &&
         (is_common || to == DType::kBfloat16 || to == DType::kFloat);
}
template <typename T, typename U>
BELAY_API void RequireFixpipeTypes() {
  static_assert(
      ConvertsTo(kDTypeOf<AscendC::PrimT<T>>, kDTypeOf<AscendC::PrimT<U>>),
      "AscendC::Fixpipe does not make this type of that in L0C on this chip: "
      "it takes float to int8_t, uint8_t, half, bfloat16_t or float, and "
      "int32_t to int8_t, uint8_t, half or int32_t");
}

BELAY_API void SetNz2Nd(uint16_t matrices, uint16_t source_stride,
                        uint32_t destination_stride) {
  Instruction record{};
  record.op = Op::kSetFixpipeNz2ndFlag;
  record.nz2nd = {matrices, source_stride, destination_stride};
  belay_issue(&record);
}

// Where the scales of the V modes lie, unless `scales` is null, and whether all
// unit flags go back.
BELAY_API void ConfigureFixpipe(const Operand* scales, bool clear_unit_flags) {
  Instruction record{};
  record.op = Op::kSetFixpipeConfig;
  record.mode = clear_unit_flags ? 1 : 0;
  if (scales != nullptr) record.src1 = *scales;
  belay_issue(&record);
}

// Scales of 8 bytes that the fixpipe buffer's first part holds.
inline constexpr uint32_t kScales = 256;

// Scales from L1 to the start of the fixpipe buffer, for the columns of one
// call.
template <typename S>
BELAY_API void LoadScales(const AscendC::LocalTensor<S>& scales,
                          uint32_t columns) {
  const uint64_t base = belay_memory_base(abi::Memory::kFb);
  const Operand buffer = {
      base,  1, 8,    kDTypeOf<AscendC::PrimT<S>>,         abi::Memory::kFb,
      false, 0, base, belay_memory_bytes(abi::Memory::kFb)};
  abi::Transfer transfer{};
  transfer.block_count = 1;
  transfer.block_bytes = (columns * 8 + 127) / 128 * 128;
  IssueTransfer(Op::kDataCopy, buffer, MovedOperand(scales), 0, transfer);
  ConfigureFixpipe(&buffer, false);
  IssueSync(Op::kPipeBarrier, abi::Pipe::kFix, abi::Pipe::kFix, 0, 1);
}

BELAY_API void IssueFixpipe(const Operand& dst, const Operand& src,
                            const AscendC::FixpipeParamsV220& params,
                            bool row_major) {
  if (HasScalarScale(params.quantPre)) {
    IssueCubeScalar(Op::kSetFixpipePreQuantFlag, params.deqScalar);
  }
  if (row_major) {
    SetNz2Nd(Bits16(params.ndNum), Bits16(params.srcNdStride),
             params.dstNdStride.Saturated());
  }
  Instruction record{};
  record.op = Op::kFixpipe;
  record.dst = dst;
  record.src0 = src;
  record.fixpipe.n = params.nSize.Saturated();
  record.fixpipe.m = params.mSize.Saturated();
  record.fixpipe.source_stride = params.srcStride.Saturated();
  record.fixpipe.destination_stride = params.dstStride.Saturated();
  record.fixpipe.quant = QuantOf(params.quantPre);
  record.fixpipe.relu = params.reluEn ? 1 : 0;
  record.fixpipe.unit_flag = params.unitFlag;
  record.fixpipe.channel_split = params.isChannelSplit ? 1 : 0;
  record.fixpipe.nz2nd = row_major ? 1 : 0;
  belay_issue(&record);
}

// With a scale for each column, as many at a time as the fixpipe buffer holds.
template <typename T, typename Dst, typename U, typename S>
BELAY_API void IssueScaledFixpipe(const Dst& dst,
                                  const AscendC::LocalTensor<U>& src,
                                  const AscendC::LocalTensor<S>& scales,
                                  const AscendC::FixpipeParamsV220& params,
                                  bool row_major) {
  constexpr uint32_t kColumns = sizeof(AscendC::PrimT<T>) == 1 ? 32 : 16;
  constexpr uint32_t kRow = 32 / sizeof(AscendC::PrimT<T>);
  const uint32_t columns = params.nSize.Saturated();
  AscendC::FixpipeParamsV220 part = params;
  for (uint32_t first = 0; first < columns; first += kScales) {
    const uint32_t left = columns - first;
    part.nSize = left < kScales ? left : kScales;
    LoadScales(scales[first], part.nSize.Saturated());
    const uint64_t to =
        row_major ? first
                  : first / kColumns * params.dstStride.Saturated() * kRow;
    IssueFixpipe(MovedOperand(dst[to]),
                 MovedOperand(src[first * params.srcStride.Saturated()]), part,
                 row_major);
  }
}

BELAY_API void CopyOutOfL0c(const Operand& dst, const Operand& src,
                            const AscendC::DataCopyCO12DstParams& params) {
  Instruction record{};
  record.op = Op::kFixpipe;
  record.dst = dst;
  record.src0 = src;
  record.fixpipe.n = params.nSize.Saturated();
  record.fixpipe.m = params.mSize.Saturated();
  record.fixpipe.source_stride = params.srcStride.Saturated();
  record.fixpipe.destination_stride = params.dstStride.Saturated();
  record.fixpipe.quant = QuantOf(params.quantPre);
  record.fixpipe.relu = params.reluPre != 0 ? 1 : 0;
  record.fixpipe.unit_flag = params.unitFlag;
  record.fixpipe.channel_split = params.channelSplit ? 1 : 0;
  record.fixpipe.nz2nd = params.nz2ndEn ? 1 : 0;
  belay_issue(&record);
}

}  // namespace belay::api

namespace AscendC {

// To GM, row-major or as it lies.
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
BELAY_API void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
                       const FixpipeParamsV220& intriParams) {
  belay::api::RequireFixpipeTypes<T, U>();
  static_assert(config.format != CO2Layout::COLUMN_MAJOR,
                "AscendC::Fixpipe has no CFG_COLUMN_MAJOR on this chip: it "
                "takes CFG_ROW_MAJOR or CFG_NZ");
  belay::api::IssueFixpipe(belay::api::MovedOperand(dst),
                           belay::api::MovedOperand(src), intriParams,
                           config.format == CO2Layout::ROW_MAJOR);
}
// With a scale for each column, in L1.
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR,
          typename S = uint64_t,
          std::enable_if_t<std::is_same_v<PrimT<S>, uint64_t>, bool> = true>
BELAY_API void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
                       const LocalTensor<S>& cbufWorkspace,
                       const FixpipeParamsV220& intriParams) {
  belay::api::RequireFixpipeTypes<T, U>();
  static_assert(config.format != CO2Layout::COLUMN_MAJOR,
                "AscendC::Fixpipe has no CFG_COLUMN_MAJOR on this chip: it "
                "takes CFG_ROW_MAJOR or CFG_NZ");
  belay::api::IssueScaledFixpipe<T>(dst, src, cbufWorkspace, intriParams,
                                    config.format == CO2Layout::ROW_MAJOR);
}

// To L1, always as it lies.
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
BELAY_API void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                       const FixpipeParamsV220& intriParams) {
  belay::api::RequireFixpipeTypes<T, U>();
  belay::api::IssueFixpipe(belay::api::MovedOperand(dst),
                           belay::api::MovedOperand(src), intriParams, false);
}
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR,
          typename S = uint64_t,
          std::enable_if_t<std::is_same_v<PrimT<S>, uint64_t>, bool> = true>
BELAY_API void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                       const LocalTensor<S>& cbufWorkspace,
                       const FixpipeParamsV220& intriParams) {
  belay::api::RequireFixpipeTypes<T, U>();
  belay::api::IssueScaledFixpipe<T>(dst, src, cbufWorkspace, intriParams,
                                    false);
}

// The move alone; scales and layout are those set before.
template <typename T, typename U>
BELAY_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
                        const DataCopyCO12DstParams& intriParams) {
  belay::api::RequireFixpipeTypes<T, U>();
  belay::api::CopyOutOfL0c(belay::api::MovedOperand(dst),
                           belay::api::MovedOperand(src), intriParams);
}
template <typename T, typename U>
BELAY_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                        const DataCopyCO12DstParams& intriParams) {
  belay::api::RequireFixpipeTypes<T, U>();
  belay::api::CopyOutOfL0c(belay::api::MovedOperand(dst),
                           belay::api::MovedOperand(src), intriParams);
}

// The scales of the V modes, in the fixpipe buffer. A tensor in L0C stands for
// none.
template <typename T, bool setRelu = false>
BELAY_API void SetFixPipeConfig(const LocalTensor<T>& preData,
                                bool isUnitFlag = false) {
  static_assert(!setRelu,
                "AscendC::SetFixPipeConfig takes scales only: setRelu must be "
                "false");
  const belay::abi::Operand scales = belay::api::MovedOperand(preData);
  belay::api::ConfigureFixpipe(
      preData.GetMemory() == belay::abi::Memory::kL0c ? nullptr : &scales,
      isUnitFlag);
}
template <typename T>
BELAY_API void SetFixPipeConfig(const LocalTensor<T>&,
                                const LocalTensor<T>& quantPre,
                                bool isUnitFlag = false) {
  SetFixPipeConfig<T>(quantPre, isUnitFlag);
}

// The scale of the scalar modes: the bits of a float, and for 8-bit results an
// offset and a sign above them.
BELAY_API void SetFixpipePreQuantFlag(uint64_t config) {
  belay::api::IssueCubeScalar(belay::abi::Op::kSetFixpipePreQuantFlag, config);
}

// The row-major form's matrices: strides in 1024 bytes of L0C and in elements.
BELAY_API void SetFixpipeNz2ndFlag(uint16_t ndNum, uint16_t srcNdStride,
                                   uint32_t dstNdStride) {
  belay::api::SetNz2Nd(ndNum, srcNdStride, dstNdStride);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_CUBE_FIXPIPE_H_
