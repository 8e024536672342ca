// SPDX-License-Identifier: Apache-2.0
// Sorting, merging, and taking elements by bits or patterns.

#include "crux/run/call_tags.h"

namespace belay::crux::run {
namespace {

BELAY_STRUCT_TAG(GatherMaskTag, GatherMaskParams,
                 &AscendC::GatherMaskParams::src0BlockStride,
                 &AscendC::GatherMaskParams::repeatTimes,
                 &AscendC::GatherMaskParams::src0RepeatStride,
                 &AscendC::GatherMaskParams::src1RepeatStride)

// {length1, …, length4, ifExhaustedSuspension, validBit, repeatTimes}.
struct MergeInfo {
  static std::string Token() { return "MrgSort4Info"; }
  static AscendC::MrgSort4Info From(const Argument& argument) {
    AscendC::MrgSort4Info info;
    for (int i = 0; i < 4; ++i) {
      info.elementLengths[i] = static_cast<uint16_t>(argument.fields[i]);
    }
    info.ifExhaustedSuspension = argument.fields[4] != 0;
    info.validBit = static_cast<uint16_t>(argument.fields[5]);
    info.repeatTimes = static_cast<uint16_t>(argument.fields[6]);
    return info;
  }
};

template <typename T>
void AddSorts(CallTable& table) {
  table.Add<Local<T>, Local<T>, Local<uint32_t>, Count>("Sort32",
                                                        BELAY_FUNCTION(Sort32));
  // The four lists stand for a MrgSortSrcList.
  table.Add<Local<T>, Local<T>, Local<T>, Local<T>, Local<T>, MergeInfo>(
      "MrgSort", [](const auto& dst, const auto& a, const auto& b,
                    const auto& c, const auto& d, const auto& info) {
        AscendC::MrgSort(dst, AscendC::MrgSortSrcList<T>(a, b, c, d), info);
      });
  table.Add<Local<T>, Local<uint32_t>, Local<T>, Count>(
      "Extract", BELAY_FUNCTION(Extract));
  table.Add<Local<T>, Local<T>, Local<uint32_t>, Local<T>, Count>(
      "Sort<true>", [](const auto& dst, const auto& values, const auto& index,
                       AscendC::LocalTensor<T> temporary, int64_t repeat) {
        AscendC::Sort<T, true>(dst, values, index, temporary, repeat);
      });
  table.Add<Local<T>, Local<T>, Local<uint32_t>, Local<T>, Count>(
      "Sort<false>", [](const auto& dst, const auto& values, const auto& index,
                        AscendC::LocalTensor<T> temporary, int64_t repeat) {
        AscendC::Sort<T, false>(dst, values, index, temporary, repeat);
      });
}

// The count that GatherMask gives back is left where GatherMaskCount finds it.
template <typename T, typename Bits>
void AddGatherMask(CallTable& table) {
  table.Add<Local<T>, Local<T>, Local<Bits>, Number<bool>, Number<uint32_t>,
            GatherMaskTag>("GatherMask", [](const auto&... arguments) {
    AscendC::GatherMask(arguments..., last_gathered);
  });
  table.Add<Local<T>, Local<T>, Number<uint8_t>, Number<bool>, Number<uint32_t>,
            GatherMaskTag>("GatherMask", [](const auto&... arguments) {
    AscendC::GatherMask(arguments..., last_gathered);
  });
}

}  // namespace

void AddOrderCalls(CallTable& table) {
  AddSorts<half>(table);
  AddSorts<float>(table);
  AddGatherMask<half, uint16_t>(table);
  AddGatherMask<int16_t, uint16_t>(table);
  AddGatherMask<uint16_t, uint16_t>(table);
  AddGatherMask<float, uint32_t>(table);
  AddGatherMask<int32_t, uint32_t>(table);
  AddGatherMask<uint32_t, uint32_t>(table);
}

}  // namespace belay::crux::run
