// SPDX-License-Identifier: Apache-2.0
// AscendC's library of mathematical functions. They take a temporary buffer, or
// what is left of UB.

#include "crux/run/call_tags.h"

namespace belay::crux::run {
namespace {

template <typename T>
void AddFunctions(CallTable& table) {
  using Length = Number<uint32_t>;
  using Temporary = Local<uint8_t>;
#define BELAY_MATH_UNARY(name)                                            \
  table.Add<Local<T>, Local<T>, Temporary, Length>(#name,                 \
                                                   BELAY_FUNCTION(name)); \
  table.Add<Local<T>, Local<T>, Length>(#name, BELAY_FUNCTION(name));
  BELAY_MATH_UNARY(Acos)
  BELAY_MATH_UNARY(Acosh)
  BELAY_MATH_UNARY(Asin)
  BELAY_MATH_UNARY(Asinh)
  BELAY_MATH_UNARY(Atan)
  BELAY_MATH_UNARY(Atanh)
  BELAY_MATH_UNARY(Ceil)
  BELAY_MATH_UNARY(Cos)
  BELAY_MATH_UNARY(Cosh)
  BELAY_MATH_UNARY(Erf)
  BELAY_MATH_UNARY(Erfc)
  BELAY_MATH_UNARY(Floor)
  BELAY_MATH_UNARY(Frac)
  BELAY_MATH_UNARY(Log2)
  BELAY_MATH_UNARY(Round)
  BELAY_MATH_UNARY(Sign)
  BELAY_MATH_UNARY(Sin)
  BELAY_MATH_UNARY(Sinh)
  BELAY_MATH_UNARY(Tan)
  BELAY_MATH_UNARY(Tanh)
  BELAY_MATH_UNARY(Trunc)
#undef BELAY_MATH_UNARY
  table.Add<Local<T>, Local<T>, Length>("Log", BELAY_FUNCTION(Log));
  table.Add<Local<T>, Local<T>, Length>("Log10", BELAY_FUNCTION(Log10));
#define BELAY_MATH_BINARY(name)                               \
  table.Add<Local<T>, Local<T>, Local<T>, Temporary, Length>( \
      #name, BELAY_FUNCTION(name));                           \
  table.Add<Local<T>, Local<T>, Local<T>, Length>(#name, BELAY_FUNCTION(name));
  BELAY_MATH_BINARY(Fmod)
  BELAY_MATH_BINARY(Power)
#undef BELAY_MATH_BINARY
#define BELAY_MATH_CLAMP(name)                                 \
  table.Add<Local<T>, Local<T>, Temporary, Number<T>, Length>( \
      #name, BELAY_FUNCTION(name));                            \
  table.Add<Local<T>, Local<T>, Number<T>, Length>(#name, BELAY_FUNCTION(name));
  BELAY_MATH_CLAMP(ClampMax)
  BELAY_MATH_CLAMP(ClampMin)
#undef BELAY_MATH_CLAMP
}

}  // namespace

void AddMathCalls(CallTable& table) {
  AddFunctions<half>(table);
  AddFunctions<float>(table);
}

}  // namespace belay::crux::run
