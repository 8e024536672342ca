// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_SORT_H_
#define BELAY_ASCENDC_SORT_H_

// Sort32 makes sorted lists of 32 (value, index) pairs of eight bytes each;
// MrgSort merges up to four such lists.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

template <typename T>
struct MrgSortSrcList {
  MrgSortSrcList() = default;
  BELAY_API MrgSortSrcList(const LocalTensor<T> first,
                           const LocalTensor<T> second,
                           const LocalTensor<T> third,
                           const LocalTensor<T> fourth)
      : src1(first), src2(second), src3(third), src4(fourth) {}

  LocalTensor<T> src1;
  LocalTensor<T> src2;
  LocalTensor<T> src3;
  LocalTensor<T> src4;
};

// elementLengths count pairs. validBit has a bit for each list that counts.
struct MrgSort4Info {
  MrgSort4Info() = default;
  BELAY_API MrgSort4Info(const uint16_t lengths[4], bool stops_when_exhausted,
                         uint16_t valid, uint16_t repeat)
      : ifExhaustedSuspension(stops_when_exhausted),
        validBit(valid),
        repeatTimes(repeat) {
    for (int i = 0; i < 4; ++i) elementLengths[i] = lengths[i];
  }

  uint16_t elementLengths[4] = {0, 0, 0, 0};
  bool ifExhaustedSuspension = false;
  uint16_t validBit = 0;
  uint16_t repeatTimes = 1;
};

template <typename T>
BELAY_API void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                      const LocalTensor<uint32_t>& src1, int64_t repeatTime) {
  BELAY_TAKES(PrimT<T>, "Sort32", BELAY_HALF_FLOAT)
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kSort32;
  record.form = belay::abi::Form::kRegister;
  record.repeat = belay::api::Saturate(repeatTime);
  record.dst = belay::api::OperandOf(dst, 1, 8);
  record.src0 = belay::api::OperandOf(src0, 1, sizeof(PrimT<T>));
  record.src1 = belay::api::OperandOf(src1, 1, 4);
  belay_issue(&record);
}

template <typename T>
BELAY_API void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src,
                       const MrgSort4Info& params) {
  BELAY_TAKES(PrimT<T>, "MrgSort", BELAY_HALF_FLOAT)
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kMrgSort;
  record.form = belay::abi::Form::kRegister;
  record.repeat = params.repeatTimes;
  record.dst = belay::api::OperandOf(dst, 1, 8);
  record.src0 = belay::api::OperandOf(src.src1, 1, 8);
  record.merge.list[0] = src.src1.GetPhyAddr();
  record.merge.list[1] = src.src2.GetPhyAddr();
  record.merge.list[2] = src.src3.GetPhyAddr();
  record.merge.list[3] = src.src4.GetPhyAddr();
  for (int i = 0; i < 4; ++i) record.merge.count[i] = params.elementLengths[i];
  record.merge.valid = static_cast<uint8_t>(params.validBit);
  record.merge.stop_when_exhausted = params.ifExhaustedSuspension ? 1 : 0;
  belay_issue(&record);
}

// Pairs the last MrgSort took from each of its lists.
BELAY_API void GetMrgSortResult(uint16_t& mrgSortList1, uint16_t& mrgSortList2,
                                uint16_t& mrgSortList3,
                                uint16_t& mrgSortList4) {
  const uint64_t merged = belay_get_register(belay::abi::Register::kMerged);
  mrgSortList1 = static_cast<uint16_t>(merged);
  mrgSortList2 = static_cast<uint16_t>(merged >> 16);
  mrgSortList3 = static_cast<uint16_t>(merged >> 32);
  mrgSortList4 = static_cast<uint16_t>(merged >> 48);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_SORT_H_
