// SPDX-License-Identifier: Apache-2.0
// Conversions, comparisons to bits, and choices by bits.

#include "crux/run/call_tags.h"

namespace belay::crux::run {
namespace {

using AscendC::CMPMODE;
using AscendC::RoundMode;
using AscendC::SELMODE;

template <typename From, typename... Targets>
void AddCasts(CallTable& table) {
  (table.Add<Local<Targets>, Local<From>, Number<RoundMode>, Count>(
       "Cast", BELAY_FUNCTION(Cast)),
   ...);
  (table.Add<Local<Targets>, Local<From>, Number<RoundMode>, Number<uint64_t>,
             Count, UnaryRepeat>("Cast", BELAY_FUNCTION(Cast)),
   ...);
}

template <typename T>
void AddCompares(CallTable& table) {
  table.Add<Local<uint8_t>, Local<T>, Local<T>, Number<CMPMODE>, Count>(
      "Compare", BELAY_FUNCTION(Compare));
  table.Add<Local<uint8_t>, Local<T>, Local<T>, Number<CMPMODE>,
            Number<uint64_t>, Count, BinaryRepeat>("Compare",
                                                   BELAY_FUNCTION(Compare));
  for (const char* name : {"CompareScalar", "Compares"}) {
    table.Add<Local<uint8_t>, Local<T>, Number<T>, Number<CMPMODE>, Count>(
        name, BELAY_FUNCTION(CompareScalar));
    table.Add<Local<uint8_t>, Local<T>, Number<T>, Number<CMPMODE>,
              Number<uint64_t>, Count, UnaryRepeat>(
        name, BELAY_FUNCTION(CompareScalar));
  }
}

template <typename T>
void AddSelects(CallTable& table) {
  const auto select = BELAY_FUNCTION(Select);
  table.Add<Local<T>, Local<uint8_t>, Local<T>, Local<T>, Number<SELMODE>,
            Count>("Select", select);
  table.Add<Local<T>, Local<uint8_t>, Local<T>, Number<T>, Number<SELMODE>,
            Count>("Select", select);
  table.Add<Local<T>, Local<uint8_t>, Local<T>, Local<T>, Number<SELMODE>,
            Number<uint64_t>, Count, BinaryRepeat>("Select", select);
  table.Add<Local<T>, Local<uint8_t>, Local<T>, Number<T>, Number<SELMODE>,
            Number<uint64_t>, Count, BinaryRepeat>("Select", select);
}

}  // namespace

void AddCastCalls(CallTable& table) {
  AddCasts<int8_t, half>(table);
  AddCasts<uint8_t, half>(table);
  AddCasts<int16_t, int8_t, uint8_t, half, float>(table);
  AddCasts<half, int8_t, uint8_t, int16_t, int32_t, float>(table);
  AddCasts<bfloat16_t, int32_t, float>(table);
  AddCasts<int32_t, int16_t, half, float, int64_t>(table);
  AddCasts<float, int16_t, half, bfloat16_t, int32_t, float, int64_t>(table);
  AddCasts<int64_t, int32_t, float>(table);
}

void AddCompareCalls(CallTable& table) {
  AddCompares<half>(table);
  AddCompares<int32_t>(table);
  AddCompares<float>(table);
  AddSelects<half>(table);
  AddSelects<float>(table);
}

}  // namespace belay::crux::run
