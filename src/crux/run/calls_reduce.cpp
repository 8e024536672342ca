// SPDX-License-Identifier: Apache-2.0
// Many elements to one: of a repeat, of a block, of everything.

#include "crux/run/call_tags.h"

namespace belay::crux::run {
namespace {

using AscendC::ReduceOrder;

template <typename T>
void AddReductions(CallTable& table) {
  using Mask = Number<int32_t>;
  const auto whole_sum = BELAY_FUNCTION(WholeReduceSum);
  table.Add<Local<T>, Local<T>, Mask, Count, Count, Count, Count>(
      "WholeReduceSum", whole_sum);
#define BELAY_WHOLE(name)                                          \
  table.Add<Local<T>, Local<T>, Mask, Count, Count, Count, Count>( \
      #name, BELAY_FUNCTION(name));                                \
  table.Add<Local<T>, Local<T>, Mask, Count, Count, Count, Count,  \
            Number<ReduceOrder>>(#name, BELAY_FUNCTION(name));
  BELAY_WHOLE(WholeReduceMax)
  BELAY_WHOLE(WholeReduceMin)
#undef BELAY_WHOLE
#define BELAY_PART(name)                                           \
  table.Add<Local<T>, Local<T>, Count, Mask, Count, Count, Count>( \
      #name, BELAY_FUNCTION(name));                                \
  table.Add<Local<T>, Local<T>, Count, Mask, Count, Count, Count>( \
      #name "<false>", [](const auto&... arguments) {              \
        AscendC::name<T, false>(arguments...);                     \
      });
  BELAY_PART(BlockReduceSum)
  BELAY_PART(BlockReduceMax)
  BELAY_PART(BlockReduceMin)
  BELAY_PART(PairReduceSum)
#undef BELAY_PART
  table.Add<Local<T>, Local<T>, Count, Mask, Count, Count, Count, Count>(
      "RepeatReduceSum", BELAY_FUNCTION(RepeatReduceSum));
  table.Add<Local<T>, Local<T>, Local<T>, Count>("ReduceSum",
                                                 BELAY_FUNCTION(ReduceSum));
  table.Add<Local<T>, Local<T>, Local<T>, Mask, Count, Count>(
      "ReduceSum", BELAY_FUNCTION(ReduceSum));
#define BELAY_EXTREME(name)                                                    \
  table.Add<Local<T>, Local<T>, Local<T>, Count>(#name, BELAY_FUNCTION(name)); \
  table.Add<Local<T>, Local<T>, Local<T>, Count, Number<bool>>(                \
      #name, BELAY_FUNCTION(name));                                            \
  table.Add<Local<T>, Local<T>, Local<T>, Mask, Count, Count, Number<bool>>(   \
      #name, BELAY_FUNCTION(name));
  BELAY_EXTREME(ReduceMax)
  BELAY_EXTREME(ReduceMin)
#undef BELAY_EXTREME
}

}  // namespace

void AddReduceCalls(CallTable& table) {
  AddReductions<half>(table);
  AddReductions<float>(table);
}

}  // namespace belay::crux::run
