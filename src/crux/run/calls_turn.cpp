// SPDX-License-Identifier: Apache-2.0
// Rows on lanes and back (select/turn.cpp): the instruction, and addresses of
// tensors; what is printed for these is in print/special_calls.cpp.

#include "crux/run/call_tags.h"

namespace belay::crux::run {
namespace {

using Lists = AscendC::LocalTensor<uint64_t>;

BELAY_STRUCT_TAG(TransDataTag, TransDataTo5HDParams,
                 &AscendC::TransDataTo5HDParams::dstHighHalf,
                 &AscendC::TransDataTo5HDParams::srcHighHalf,
                 &AscendC::TransDataTo5HDParams::repeatTimes,
                 &AscendC::TransDataTo5HDParams::dstRepStride,
                 &AscendC::TransDataTo5HDParams::srcRepStride)

template <typename T>
void AddTransData(CallTable& table, std::string_view name) {
  table.Add<Local<uint64_t>, Local<uint64_t>, TransDataTag>(
      name, [](const Lists& to, const Lists& from, const auto& params) {
        AscendC::TransDataTo5HD<T>(to, from, params);
      });
}

}  // namespace

void AddTurnCalls(CallTable& table) {
  // Adds where `place` is to `words`.
  table.Add<Local<int32_t>, Local<int32_t>, Local<int32_t>, Count>(
      "AddAddress",
      [](const auto& to, const auto& words, const auto& place, int64_t count) {
        AscendC::Adds(to, words, static_cast<int32_t>(place.GetPhyAddr()),
                      count);
      });
  AddTransData<uint16_t>(table, "TransDataTo5HD<uint16_t>");
  AddTransData<uint32_t>(table, "TransDataTo5HD<uint32_t>");
}

}  // namespace belay::crux::run
