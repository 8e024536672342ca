// SPDX-License-Identifier: Apache-2.0
// Moves between memories and inside UB, fills, gathers.

#include "crux/run/call_tags.h"

namespace belay::crux::run {
namespace {

BELAY_STRUCT_TAG(CopyParams, DataCopyParams,
                 &AscendC::DataCopyParams::blockCount,
                 &AscendC::DataCopyParams::blockLen,
                 &AscendC::DataCopyParams::srcGap,
                 &AscendC::DataCopyParams::dstGap)
BELAY_STRUCT_TAG(CopyExtParams, DataCopyExtParams,
                 &AscendC::DataCopyExtParams::blockCount,
                 &AscendC::DataCopyExtParams::blockLen,
                 &AscendC::DataCopyExtParams::srcStride,
                 &AscendC::DataCopyExtParams::dstStride,
                 &AscendC::DataCopyExtParams::rsv)
BELAY_STRUCT_TAG(CopyRepeat, CopyRepeatParams,
                 &AscendC::CopyRepeatParams::dstStride,
                 &AscendC::CopyRepeatParams::srcStride,
                 &AscendC::CopyRepeatParams::dstRepeatSize,
                 &AscendC::CopyRepeatParams::srcRepeatSize)
BELAY_STRUCT_TAG(BrcbRepeat, BrcbRepeatParams,
                 &AscendC::BrcbRepeatParams::dstBlkStride,
                 &AscendC::BrcbRepeatParams::dstRepStride)
BELAY_STRUCT_TAG(GatherRepeat, GatherRepeatParams,
                 &AscendC::GatherRepeatParams::dstBlkStride,
                 &AscendC::GatherRepeatParams::dstRepStride)

// The last field is the padding value, an element; of bfloat16_t its bits.
template <typename T>
struct PadExtParams {
  static std::string Token() { return "DataCopyPadExtParams"; }
  static AscendC::DataCopyPadExtParams<T> From(const Argument& argument) {
    AscendC::DataCopyPadExtParams<T> params;
    params.isPad = argument.fields[0] != 0;
    params.leftPadding = argument.fields[1];
    params.rightPadding = argument.fields[2];
    if constexpr (std::is_same_v<T, bfloat16_t>) {
      params.paddingValue =
          __builtin_bit_cast(uint16_t, NumberAs<bfloat16_t>(argument));
    } else {
      params.paddingValue = NumberAs<T>(argument);
    }
    return params;
  }
};

template <typename T>
void AddCopies(CallTable& table) {
  const auto copy = BELAY_FUNCTION(DataCopy);
  table.Add<Local<T>, Global<T>, Count>("DataCopy", copy);
  table.Add<Global<T>, Local<T>, Count>("DataCopy", copy);
  table.Add<Local<T>, Local<T>, Count>("DataCopy", copy);
  table.Add<Local<T>, Global<T>, CopyParams>("DataCopy", copy);
  table.Add<Global<T>, Local<T>, CopyParams>("DataCopy", copy);
  table.Add<Local<T>, Local<T>, CopyParams>("DataCopy", copy);
  table.Add<Local<T>, Global<T>, CopyExtParams, PadExtParams<T>>(
      "DataCopyPad", BELAY_FUNCTION(DataCopyPad));
  table.Add<Global<T>, Local<T>, CopyExtParams>("DataCopyPad",
                                                BELAY_FUNCTION(DataCopyPad));
}

template <typename T>
void AddMoves(CallTable& table) {
  table.Add<Local<T>, Local<T>, Number<uint64_t>, Count, CopyRepeat>(
      "Copy", BELAY_FUNCTION(Copy));
  table.Add<Local<T>, Local<T>, Number<uint64_t>, Count, CopyRepeat>(
      "Copy<false>",
      [](const auto&... arguments) { AscendC::Copy<T, false>(arguments...); });
  table.Add<Local<T>, Local<T>, Count, BrcbRepeat>("Brcb",
                                                   BELAY_FUNCTION(Brcb));
  table.Add<Local<T>, Local<T>, Local<uint32_t>, Number<uint32_t>, Count>(
      "Gather", BELAY_FUNCTION(Gather));
  table.Add<Local<T>, Local<T>, Local<uint32_t>, Number<uint32_t>,
            Number<uint64_t>, Count, Count>("Gather", BELAY_FUNCTION(Gather));
  table.Add<Local<T>, Number<T>, Count>("Duplicate", BELAY_FUNCTION(Duplicate));
  table.Add<Local<T>, Number<T>, Number<uint64_t>, Count, Count, Count>(
      "Duplicate", BELAY_FUNCTION(Duplicate));
  table.Add<Local<T>, Number<T>, Number<uint64_t>, Count, Count, Count>(
      "Duplicate<false>", [](const auto&... arguments) {
        AscendC::Duplicate<T, false>(arguments...);
      });
}

template <typename T>
void AddIndices(CallTable& table) {
  table.Add<Local<T>, Number<T>, Count>("CreateVecIndex",
                                        BELAY_FUNCTION(CreateVecIndex));
  table.Add<Local<T>, Number<T>, Number<uint64_t>, Count, Count, Count>(
      "CreateVecIndex", BELAY_FUNCTION(CreateVecIndex));
}

template <typename T>
void AddGatherb(CallTable& table) {
  table.Add<Local<T>, Local<T>, Local<uint32_t>, Count, GatherRepeat>(
      "Gatherb", BELAY_FUNCTION(Gatherb));
}

template <typename... Types>
void AddAllMoves(CallTable& table) {
  (AddMoves<Types>(table), ...);
}

template <typename... Types>
void AddAllCopies(CallTable& table) {
  (AddCopies<Types>(table), ...);
}

}  // namespace

void AddMoveCalls(CallTable& table) {
  AddAllCopies<int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t,
               uint32_t, float, int64_t, uint64_t>(table);
  AddAllMoves<int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>(
      table);
}

void AddFillCalls(CallTable& table) {
  AddIndices<int16_t>(table);
  AddIndices<half>(table);
  AddIndices<int32_t>(table);
  AddIndices<float>(table);
  AddGatherb<uint16_t>(table);
  AddGatherb<uint32_t>(table);
}

}  // namespace belay::crux::run
