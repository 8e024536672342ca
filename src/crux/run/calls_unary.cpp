// SPDX-License-Identifier: Apache-2.0
// dst = f(a), and dst = f(a, number), elementwise.

#include "crux/run/call_tags.h"

namespace belay::crux::run {
namespace {

#define BELAY_UNARY_FORMS(name)                                          \
  template <typename T>                                                  \
  void Add##name##Count(CallTable& table) {                              \
    table.Add<Local<T>, Local<T>, Count>(#name, BELAY_FUNCTION(name));   \
  }                                                                      \
  template <typename T>                                                  \
  void Add##name##Lanes(CallTable& table) {                              \
    table.Add<Local<T>, Local<T>, Number<uint64_t>, Count, UnaryRepeat>( \
        #name, BELAY_FUNCTION(name));                                    \
    table.Add<Local<T>, Local<T>, Number<uint64_t>, Count, UnaryRepeat>( \
        #name "<false>", [](const auto&... arguments) {                  \
          AscendC::name<T, false>(arguments...);                         \
        });                                                              \
  }                                                                      \
  template <typename... Types>                                           \
  void Add##name(CallTable& table) {                                     \
    (Add##name##Count<Types>(table), ...);                               \
    (Add##name##Lanes<Types>(table), ...);                               \
  }

BELAY_UNARY_FORMS(Abs)
BELAY_UNARY_FORMS(Exp)
BELAY_UNARY_FORMS(Ln)
BELAY_UNARY_FORMS(Not)
BELAY_UNARY_FORMS(Reciprocal)
BELAY_UNARY_FORMS(Relu)
BELAY_UNARY_FORMS(Rsqrt)
BELAY_UNARY_FORMS(Sqrt)
#undef BELAY_UNARY_FORMS

#define BELAY_SCALAR_FORMS(name)                                           \
  template <typename T>                                                    \
  void Add##name##Of(CallTable& table) {                                   \
    table.Add<Local<T>, Local<T>, Number<T>, Count>(#name,                 \
                                                    BELAY_FUNCTION(name)); \
    table.Add<Local<T>, Local<T>, Number<T>, Number<uint64_t>, Count,      \
              UnaryRepeat>(#name, BELAY_FUNCTION(name));                   \
    table.Add<Local<T>, Local<T>, Number<T>, Number<uint64_t>, Count,      \
              UnaryRepeat>(#name "<false>", [](const auto&... arguments) { \
      AscendC::name<T, false>(arguments...);                               \
    });                                                                    \
  }                                                                        \
  template <typename... Types>                                             \
  void Add##name(CallTable& table) {                                       \
    (Add##name##Of<Types>(table), ...);                                    \
  }

BELAY_SCALAR_FORMS(Adds)
BELAY_SCALAR_FORMS(LeakyRelu)
BELAY_SCALAR_FORMS(Maxs)
BELAY_SCALAR_FORMS(Mins)
BELAY_SCALAR_FORMS(Muls)
BELAY_SCALAR_FORMS(ShiftLeft)
BELAY_SCALAR_FORMS(ShiftRight)
#undef BELAY_SCALAR_FORMS

template <typename T, typename U>
void AddAxpy(CallTable& table) {
  table.Add<Local<T>, Local<U>, Number<U>, Count>("Axpy", BELAY_FUNCTION(Axpy));
  table
      .Add<Local<T>, Local<U>, Number<U>, Number<uint64_t>, Count, UnaryRepeat>(
          "Axpy", BELAY_FUNCTION(Axpy));
}

}  // namespace

void AddUnaryCalls(CallTable& table) {
  AddAbs<half, float>(table);
  AddAbsCount<int16_t>(table);
  AddExp<half, float>(table);
  AddLn<half, float>(table);
  AddNot<int16_t, uint16_t>(table);
  AddReciprocal<half, float>(table);
  AddRelu<half, int32_t, float>(table);
  AddRsqrt<half, float>(table);
  AddSqrt<half, float>(table);
}

void AddScalarCalls(CallTable& table) {
  AddAdds<int16_t, half, int32_t, float>(table);
  AddMuls<int16_t, half, int32_t, float>(table);
  AddMaxs<int16_t, half, int32_t, float>(table);
  AddMins<int16_t, half, int32_t, float>(table);
  AddLeakyRelu<half, float>(table);
  AddShiftLeft<int16_t, uint16_t, int32_t, uint32_t>(table);
  AddShiftRight<int16_t, uint16_t, int32_t, uint32_t>(table);
  AddAxpy<half, half>(table);
  AddAxpy<float, float>(table);
  AddAxpy<float, half>(table);
}

}  // namespace belay::crux::run
