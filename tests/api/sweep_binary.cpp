// SPDX-License-Identifier: Apache-2.0
// dst[i] = f(src0[i], src1[i]): every name, element type and form, and the
// operators of LocalTensor.

#include <gtest/gtest.h>

#include "kernels.h"

namespace belay::sweep::sweep_binary {
namespace {

template <typename T>
abi::Instruction Prepare(abi::Op op, Form form, Call& call) {
  Bench& bench = Bench::Get();
  call = bench.draw.Lanes(form, {kBits<T>, kBits<T>, kBits<T>}, true);
  constexpr abi::DType kType = Type<T>::kDType;
  const abi::Instruction record = RecordOf(op, call, kType, kType, kType);
  bench.Fill(record.src0);
  bench.Fill(record.src1);
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
                                   TensorAt<T>(call.src0),
                                   TensorAt<T>(call.src1), call.count);
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
                                   TraitAt<T>(call.src1), call.count);
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
                                 TensorAt<T>(call.src1), mask, call.repeat,
                                 BinaryParams(call));
                           });
                         });
    }
  }
}

// One line of the table: a name and its types.
#define BELAY_SWEEP_BINARY(name, types)                                  \
  BELAY_SWEEP_API(name, k##name)                                         \
  TEST(Binary, name) {                                                   \
    ForEach(types{}, []<typename T>() { SweepCount<name##Api, T>(); });  \
    ForEach(types{}, []<typename T>() { SweepMasks<name##Api, T>(); });  \
    ForEach(types{}, []<typename T>() { SweepTraits<name##Api, T>(); }); \
  }

using Int16HalfFloat = Types<int16_t, half, float>;

BELAY_SWEEP_BINARY(Add, Arithmetic)
BELAY_SWEEP_BINARY(AddRelu, Int16HalfFloat)
BELAY_SWEEP_BINARY(And, Words)
BELAY_SWEEP_BINARY(Div, HalfFloat)
BELAY_SWEEP_BINARY(Max, Arithmetic)
BELAY_SWEEP_BINARY(Min, Arithmetic)
BELAY_SWEEP_BINARY(Mul, Arithmetic)
BELAY_SWEEP_BINARY(Or, Words)
BELAY_SWEEP_BINARY(Sub, Arithmetic)
BELAY_SWEEP_BINARY(SubRelu, Int16HalfFloat)

// dst = src0 op src1 covers the whole of dst.
template <typename T, typename Store>
void SweepOperator(abi::Op op, const char* name, Store store) {
  for (int i = 0; i < kCalls; ++i) {
    Call call;
    const abi::Instruction record = Prepare<T>(op, Form::kOperator, call);
    Bench::Get().Check(
        {"Vector", name, Type<T>::kName, "operator"}, {record},
        StateBefore(call), [&] {
          AscendC::LocalTensor<T> dst(AscendC::TPosition::VECCALC, call.dst.at,
                                      static_cast<uint32_t>(call.count));
          store(dst, TensorAt<T>(call.src0), TensorAt<T>(call.src1));
        });
  }
}

#define BELAY_SWEEP_OPERATOR(name, symbol, types)                             \
  TEST(Operator, name) {                                                      \
    ForEach(types{}, []<typename T>() {                                       \
      SweepOperator<T>(                                                       \
          abi::Op::k##name, #name,                                            \
          [](auto& dst, const auto& a, const auto& b) { dst = a symbol b; }); \
    });                                                                       \
  }

BELAY_SWEEP_OPERATOR(Add, +, Arithmetic)
BELAY_SWEEP_OPERATOR(And, &, Words)
BELAY_SWEEP_OPERATOR(Div, /, HalfFloat)
BELAY_SWEEP_OPERATOR(Mul, *, Arithmetic)
BELAY_SWEEP_OPERATOR(Or, |, Words)
BELAY_SWEEP_OPERATOR(Sub, -, Arithmetic)

// The compiler takes these, the chip has them not.
TEST(Binary, BitsOfOtherTypesAreRefused) {
  using Others =
      Types<bool, AscendC::int4b_t, int8_t, uint8_t, half, bfloat16_t, int32_t,
            uint32_t, float, int64_t, uint64_t, double>;
  ForEach(Others{}, []<typename T>() {
    const auto dst = [] { return TensorAt<T>(kDstAt); };
    Bench::Get().CheckRefused({"Vector", "And", Type<T>::kName, "refused"},
                              "BLY-N107",
                              [&] { AscendC::And(dst(), dst(), dst(), 64); });
    Bench::Get().CheckRefused({"Vector", "Or", Type<T>::kName, "refused"},
                              "BLY-N107",
                              [&] { AscendC::Or(dst(), dst(), dst(), 64); });
  });
}

}  // namespace
}  // namespace belay::sweep::sweep_binary
