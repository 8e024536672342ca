// SPDX-License-Identifier: Apache-2.0
// dst = f(a, b), elementwise.

#include "crux/run/call_tags.h"

namespace belay::crux::run {
namespace {

// One function in its forms: the first `count` elements, the first lanes of
// each repeat, and the lanes that the mask register says.
#define BELAY_BINARY_FORMS(name)                                            \
  template <typename T>                                                     \
  void Add##name##Count(CallTable& table) {                                 \
    table.Add<Local<T>, Local<T>, Local<T>, Count>(#name,                   \
                                                   BELAY_FUNCTION(name));   \
  }                                                                         \
  template <typename T>                                                     \
  void Add##name##Lanes(CallTable& table) {                                 \
    table.Add<Local<T>, Local<T>, Local<T>, Number<uint64_t>, Count,        \
              BinaryRepeat>(#name, BELAY_FUNCTION(name));                   \
    table.Add<Local<T>, Local<T>, Local<T>, Number<uint64_t>, Count,        \
              BinaryRepeat>(#name "<false>", [](const auto&... arguments) { \
      AscendC::name<T, false>(arguments...);                                \
    });                                                                     \
  }                                                                         \
  template <typename... Types>                                              \
  void Add##name(CallTable& table) {                                        \
    (Add##name##Count<Types>(table), ...);                                  \
    (Add##name##Lanes<Types>(table), ...);                                  \
  }

BELAY_BINARY_FORMS(Add)
BELAY_BINARY_FORMS(Sub)
BELAY_BINARY_FORMS(Mul)
BELAY_BINARY_FORMS(Div)
BELAY_BINARY_FORMS(Max)
BELAY_BINARY_FORMS(Min)
BELAY_BINARY_FORMS(And)
BELAY_BINARY_FORMS(Or)
BELAY_BINARY_FORMS(AddRelu)
BELAY_BINARY_FORMS(SubRelu)
BELAY_BINARY_FORMS(FusedMulAdd)
#undef BELAY_BINARY_FORMS

template <typename T, typename U>
void AddMulAddDst(CallTable& table) {
  table.Add<Local<T>, Local<U>, Local<U>, Count>("MulAddDst",
                                                 BELAY_FUNCTION(MulAddDst));
  table
      .Add<Local<T>, Local<U>, Local<U>, Number<uint64_t>, Count, BinaryRepeat>(
          "MulAddDst", BELAY_FUNCTION(MulAddDst));
}

}  // namespace

void AddBinaryCalls(CallTable& table) {
  AddAdd<int16_t, half, int32_t, float>(table);
  AddSub<int16_t, half, int32_t, float>(table);
  AddMul<int16_t, half, int32_t, float>(table);
  AddMax<int16_t, half, int32_t, float>(table);
  AddMin<int16_t, half, int32_t, float>(table);
  AddDiv<half, float>(table);
  AddAnd<int16_t, uint16_t>(table);
  AddOr<int16_t, uint16_t>(table);
  AddAndCount<int32_t>(table);
  AddAndCount<uint32_t>(table);
  AddOrCount<int32_t>(table);
  AddOrCount<uint32_t>(table);
  AddAddRelu<int16_t, half, float>(table);
  AddSubRelu<int16_t, half, float>(table);
  AddFusedMulAdd<half, float>(table);
  AddMulAddDst<half, half>(table);
  AddMulAddDst<float, float>(table);
  AddMulAddDst<float, half>(table);
}

}  // namespace belay::crux::run
