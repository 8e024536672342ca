// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_DATA_COPY_H_
#define BELAY_ASCENDC_DATA_COPY_H_

// DataCopy and DataCopyPad between memories. Lengths are passed on exactly as
// given: whether the chip can move them is the chip's to say.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

BELAY_API void IssueTransfer(Op op, const Operand& dst, const Operand& src,
                             uint64_t count, const abi::Transfer& transfer) {
  Instruction record{};
  record.op = op;
  record.count = count;
  record.dst = dst;
  record.src0 = src;
  record.transfer = transfer;
  belay_issue(&record);
}

template <typename T>
BELAY_API Operand MovedOperand(const AscendC::LocalTensor<T>& tensor) {
  return OperandOf(tensor, 1, 8);
}
template <typename T>
BELAY_API Operand MovedOperand(const AscendC::GlobalTensor<T>& tensor) {
  return OperandOf(tensor);
}

template <typename T, typename Dst, typename Src>
BELAY_API void CopyCount(const Dst& dst, const Src& src, int64_t count) {
  abi::Transfer transfer{};
  transfer.block_count = 1;
  transfer.block_bytes = Saturate(
      count < 0
          ? count
          : static_cast<int64_t>(BytesOf<T>(static_cast<uint64_t>(count))));
  IssueTransfer(Op::kDataCopy, MovedOperand(dst), MovedOperand(src),
                static_cast<uint64_t>(count), transfer);
}

template <typename Dst, typename Src>
BELAY_API void CopyBlocks(const Dst& dst, const Src& src,
                          const AscendC::DataCopyParams& params) {
  abi::Transfer transfer{};
  transfer.block_count = params.blockCount.Saturated();
  transfer.block_bytes = Saturate(params.blockLen.Assigned() * 32);
  transfer.source_gap = params.srcGap.Assigned() * 32;
  transfer.destination_gap = params.dstGap.Assigned() * 32;
  IssueTransfer(Op::kDataCopy, MovedOperand(dst), MovedOperand(src), 0,
                transfer);
}

// Between memories of a core. To the bias table lengths and the gap there count
// 64 bytes; to the fixpipe buffer 128 bytes, and both gaps run from start to
// start.
template <typename T, typename U>
BELAY_API void CopyBlocksOnChip(const AscendC::LocalTensor<T>& dst,
                                const AscendC::LocalTensor<U>& src,
                                const AscendC::DataCopyParams& params) {
  const abi::Memory memory = dst.GetMemory();
  if (memory != abi::Memory::kBt && memory != abi::Memory::kFb) {
    CopyBlocks(dst, src, params);
    return;
  }
  const int64_t unit = memory == abi::Memory::kBt ? 64 : 128;
  const int64_t bytes = params.blockLen.Assigned() * unit;
  abi::Transfer transfer{};
  transfer.block_count = params.blockCount.Saturated();
  transfer.block_bytes = Saturate(bytes);
  transfer.source_gap = params.srcGap.Assigned() * 32;
  transfer.destination_gap = params.dstGap.Assigned() * unit;
  if (params.blockCount.Assigned() < 2) {
    transfer.source_gap = 0;
    transfer.destination_gap = 0;
  } else if (memory == abi::Memory::kFb) {
    transfer.source_gap -= bytes;
    transfer.destination_gap -= bytes;
  }
  IssueTransfer(Op::kDataCopy, MovedOperand(dst), MovedOperand(src), 0,
                transfer);
}

// `Params` is DataCopyParams or DataCopyExtParams; gaps on the on-chip side
// are given in 32-byte blocks, on the GM side in bytes.
template <typename Params>
BELAY_API abi::Transfer PaddedTransfer(const Params& params, bool to_gm) {
  abi::Transfer transfer{};
  transfer.block_count = params.blockCount.Saturated();
  transfer.block_bytes = params.blockLen.Saturated();
  transfer.source_gap = params.srcStride.Assigned() * (to_gm ? 32 : 1);
  transfer.destination_gap = params.dstStride.Assigned() * (to_gm ? 1 : 32);
  return transfer;
}

BELAY_API uint8_t PaddingOf(const Field<uint8_t>& elements) {
  const uint32_t given = elements.Saturated();
  return static_cast<uint8_t>(given > 255 ? 255 : given);
}

template <typename T, typename Params, typename Pad>
BELAY_API void CopyPadIn(const AscendC::LocalTensor<T>& dst,
                         const AscendC::GlobalTensor<T>& src,
                         const Params& params, const Pad& pad) {
  abi::Transfer transfer = PaddedTransfer(params, false);
  transfer.is_pad = pad.isPad ? 1 : 0;
  transfer.left_padding = PaddingOf(pad.leftPadding);
  transfer.right_padding = PaddingOf(pad.rightPadding);
  transfer.padding_value = BitsOf(pad.paddingValue);
  IssueTransfer(Op::kDataCopyPad, MovedOperand(dst), MovedOperand(src), 0,
                transfer);
}

}  // namespace belay::api

namespace AscendC {

template <typename T>
BELAY_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                        int64_t count) {
  belay::api::CopyCount<PrimT<T>>(dst, src, count);
}
template <typename T>
BELAY_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                        int64_t count) {
  belay::api::CopyCount<PrimT<T>>(dst, src, count);
}
template <typename T>
BELAY_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                        int64_t count) {
  belay::api::CopyCount<PrimT<T>>(dst, src, count);
}

template <typename T>
BELAY_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                        const DataCopyParams& repeatParams) {
  belay::api::CopyBlocks(dst, src, repeatParams);
}
template <typename T>
BELAY_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                        const DataCopyParams& repeatParams) {
  belay::api::CopyBlocks(dst, src, repeatParams);
}
template <typename T>
BELAY_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                        const DataCopyParams& repeatParams) {
  belay::api::CopyBlocksOnChip(dst, src, repeatParams);
}
// A bias of half from L1 to the bias table, as float.
template <typename T, typename U>
BELAY_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                        const DataCopyParams& repeatParams) {
  static_assert(
      std::is_same_v<PrimT<T>, float> && std::is_same_v<PrimT<U>, half>,
      "AscendC::DataCopy between memories of a core changes no "
      "types, but half in L1 to float in the bias table");
  belay::api::CopyBlocksOnChip(dst, src, repeatParams);
}

template <typename T>
BELAY_API void DataCopyPad(const LocalTensor<T>& dst,
                           const GlobalTensor<T>& src,
                           const DataCopyExtParams& dataCopyParams,
                           const DataCopyPadExtParams<T>& padParams) {
  belay::api::CopyPadIn(dst, src, dataCopyParams, padParams);
}
template <typename T>
BELAY_API void DataCopyPad(const LocalTensor<T>& dst,
                           const GlobalTensor<T>& src,
                           const DataCopyParams& dataCopyParams,
                           const DataCopyPadParams& padParams) {
  belay::api::CopyPadIn(dst, src, dataCopyParams, padParams);
}
template <typename T>
BELAY_API void DataCopyPad(const GlobalTensor<T>& dst,
                           const LocalTensor<T>& src,
                           const DataCopyExtParams& dataCopyParams) {
  belay::api::IssueTransfer(belay::abi::Op::kDataCopyPad,
                            belay::api::MovedOperand(dst),
                            belay::api::MovedOperand(src), 0,
                            belay::api::PaddedTransfer(dataCopyParams, true));
}
template <typename T>
BELAY_API void DataCopyPad(const GlobalTensor<T>& dst,
                           const LocalTensor<T>& src,
                           const DataCopyParams& dataCopyParams) {
  belay::api::IssueTransfer(belay::abi::Op::kDataCopyPad,
                            belay::api::MovedOperand(dst),
                            belay::api::MovedOperand(src), 0,
                            belay::api::PaddedTransfer(dataCopyParams, true));
}

// What DataCopyPad pads with where isPad is false.
template <typename T, TPosition position = TPosition::MAX>
BELAY_API void SetPadValue(T paddingValue) {
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kSetPadValue;
  record.scalar = belay::api::BitsOf(paddingValue);
  record.dst.dtype = belay::api::kDTypeOf<T>;
  belay_issue(&record);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_DATA_COPY_H_
