// SPDX-License-Identifier: Apache-2.0
// dst[i] = f(src[i]): every name, element type and form.

#include <gtest/gtest.h>

#include "kernels.h"

namespace belay::sweep::sweep_unary {
namespace {

template <typename T>
abi::Instruction Prepare(abi::Op op, Form form, Call& call) {
  Bench& bench = Bench::Get();
  call = bench.draw.Lanes(form, {kBits<T>, kBits<T>}, true);
  const abi::Instruction record =
      RecordOf(op, call, Type<T>::kDType, Type<T>::kDType);
  bench.Fill(record.src0);
  return record;
}

template <typename Api, typename T>
void SweepCount() {
  for (int i = 0; i < kCalls; ++i) {
    Call call;
    const abi::Instruction record = Prepare<T>(Api::kOp, Form::kCount, call);
    Bench::Get().Check({"Vector", Api::kName, Type<T>::kName, "count"},
                       {record}, StateBefore(call), [&] {
                         Api::Call(TensorAt<T>(call.dst),
                                   TensorAt<T>(call.src0), call.count);
                       });
  }
}

template <typename Api, typename T>
void SweepTraits() {
  for (int i = 0; i < kCalls; ++i) {
    Call call;
    const abi::Instruction record = Prepare<T>(Api::kOp, Form::kCount, call);
    Bench::Get().Check({"Vector", Api::kName, Type<T>::kName, "trait"},
                       {record}, StateBefore(call), [&] {
                         Api::Call(TraitAt<T>(call.dst), TraitAt<T>(call.src0),
                                   call.count);
                       });
  }
}

template <typename Api, typename T>
void SweepMasks() {
  for (const Form form : kMaskForms) {
    for (int i = 0; i < kCalls; ++i) {
      Call call;
      const abi::Instruction record = Prepare<T>(Api::kOp, form, call);
      Bench::Get().Check({"Vector", Api::kName, Type<T>::kName, NameOf(form)},
                         {record}, StateBefore(call), [&] {
                           SetRegisters<T>(call);
                           WithMask(call, [&](const auto& mask, auto set) {
                             Api::template Masked<T, decltype(set)::value>(
                                 TensorAt<T>(call.dst), TensorAt<T>(call.src0),
                                 mask, call.repeat, UnaryParams(call));
                           });
                         });
    }
  }
}

// One line of the table: the types of the count form, those of the mask forms.
#define BELAY_SWEEP_UNARY(name, count_types, mask_types)                       \
  BELAY_SWEEP_API(name, k##name)                                               \
  TEST(Unary, name) {                                                          \
    ForEach(count_types{}, []<typename T>() { SweepCount<name##Api, T>(); });  \
    ForEach(count_types{}, []<typename T>() { SweepTraits<name##Api, T>(); }); \
    ForEach(mask_types{}, []<typename T>() { SweepMasks<name##Api, T>(); });   \
  }

using HalfInt32Float = Types<half, int32_t, float>;

BELAY_SWEEP_UNARY(Abs, HalfFloat, HalfFloat)
BELAY_SWEEP_UNARY(Exp, HalfFloat, HalfFloat)
BELAY_SWEEP_UNARY(Ln, HalfFloat, HalfFloat)
BELAY_SWEEP_UNARY(Not, Words, Words)
BELAY_SWEEP_UNARY(Reciprocal, HalfFloat, HalfFloat)
BELAY_SWEEP_UNARY(Relu, HalfInt32Float, HalfInt32Float)
BELAY_SWEEP_UNARY(Rsqrt, HalfFloat, HalfFloat)
BELAY_SWEEP_UNARY(Sqrt, HalfFloat, HalfFloat)

// The compiler takes it, the chip has it not.
TEST(Unary, AbsOfInt16IsRefused) {
  Bench::Get().CheckRefused({"Vector", "Abs", "int16_t", "refused"}, "BLY-N107",
                            [] {
                              AscendC::Abs(TensorAt<int16_t>(kDstAt),
                                           TensorAt<int16_t>(kSrc0At), 128);
                            });
}

}  // namespace
}  // namespace belay::sweep::sweep_unary
