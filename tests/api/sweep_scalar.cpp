// SPDX-License-Identifier: Apache-2.0
// dst[i] = f(src[i], scalar), and Axpy: every name, element type and form.

#include <gtest/gtest.h>

#include "kernels.h"

namespace belay::sweep::sweep_scalar {
namespace {

uint64_t DrawScalar(abi::Op op, abi::DType dtype, uint32_t bits) {
  Bench& bench = Bench::Get();
  const bool shifts = op == abi::Op::kShiftLeft || op == abi::Op::kShiftRight;
  if (shifts) return bench.draw.Below(bits + 2);
  const uint64_t element = bench.Element(dtype);
  return bits == 64 ? element : element & ((uint64_t{1} << bits) - 1);
}

template <typename T, typename U>
abi::Instruction Prepare(abi::Op op, Form form, Call& call) {
  Bench& bench = Bench::Get();
  call = bench.draw.Lanes(form, {kBits<T>, kBits<U>}, std::is_same_v<T, U>);
  call.scalar = DrawScalar(op, Type<U>::kDType, kBits<U>);
  const bool rounds = op == abi::Op::kShiftRight && form != Form::kCount;
  call.mode = rounds && bench.draw.Chance(50) ? 1 : 0;
  const abi::Instruction record =
      RecordOf(op, call, Type<T>::kDType, Type<U>::kDType);
  bench.Fill(record.dst);
  bench.Fill(record.src0);
  return record;
}

template <typename Api, typename T>
void SweepCount() {
  for (int i = 0; i < kCalls; ++i) {
    Call call;
    const abi::Instruction record = Prepare<T, T>(Api::kOp, Form::kCount, call);
    Bench::Get().Check({"Vector", Api::kName, Type<T>::kName, "count"},
                       {record}, StateBefore(call), [&] {
                         Api::Call(TensorAt<T>(call.dst),
                                   TensorAt<T>(call.src0),
                                   ValueOf<T>(call.scalar), call.count);
                       });
  }
}

// The count form with isSetMask = false ignores its count: the register says
// how many.
template <typename Api, typename T>
void SweepCountByRegister() {
  for (int i = 0; i < kCalls; ++i) {
    Call call;
    abi::Instruction record = Prepare<T, T>(Api::kOp, Form::kCount, call);
    call.form = Form::kRegister;
    call.counter = true;
    record.form = abi::Form::kRegister;
    Bench::Get().Check({"Vector", Api::kName, Type<T>::kName, "register"},
                       {record}, StateBefore(call), [&] {
                         SetRegisters<T>(call);
                         Api::template Masked<T, false>(
                             TensorAt<T>(call.dst), TensorAt<T>(call.src0),
                             ValueOf<T>(call.scalar), 1);
                       });
  }
}

template <typename Api, typename T>
void SweepTraits() {
  for (int i = 0; i < kCalls; ++i) {
    Call call;
    const abi::Instruction record = Prepare<T, T>(Api::kOp, Form::kCount, call);
    Bench::Get().Check({"Vector", Api::kName, Type<T>::kName, "trait"},
                       {record}, StateBefore(call), [&] {
                         Api::Call(TraitAt<T>(call.dst), TraitAt<T>(call.src0),
                                   ValueOf<T>(call.scalar), call.count);
                       });
  }
}

template <typename Api, typename T>
void SweepMasks() {
  for (const Form form : kMaskForms) {
    for (int i = 0; i < kCalls; ++i) {
      Call call;
      const abi::Instruction record = Prepare<T, T>(Api::kOp, form, call);
      Bench::Get().Check({"Vector", Api::kName, Type<T>::kName, NameOf(form)},
                         {record}, StateBefore(call), [&] {
                           SetRegisters<T>(call);
                           WithMask(call, [&](const auto& mask, auto set) {
                             constexpr bool kSet = decltype(set)::value;
                             const auto dst = TensorAt<T>(call.dst);
                             const auto src = TensorAt<T>(call.src0);
                             const T scalar = ValueOf<T>(call.scalar);
                             if constexpr (Api::kOp == abi::Op::kShiftRight) {
                               Api::template Masked<T, kSet>(
                                   dst, src, scalar, mask, call.repeat,
                                   UnaryParams(call), call.mode == 1);
                             } else {
                               Api::template Masked<T, kSet>(dst, src, scalar,
                                                             mask, call.repeat,
                                                             UnaryParams(call));
                             }
                           });
                         });
    }
  }
}

// One line of the table: a name and its types.
#define BELAY_SWEEP_SCALAR(name, types)     \
  BELAY_SWEEP_API(name, k##name)            \
  TEST(Scalar, name) {                      \
    ForEach(types{}, []<typename T>() {     \
      SweepCount<name##Api, T>();           \
      SweepCountByRegister<name##Api, T>(); \
      SweepMasks<name##Api, T>();           \
      SweepTraits<name##Api, T>();          \
    });                                     \
  }

BELAY_SWEEP_SCALAR(Adds, Arithmetic)
BELAY_SWEEP_SCALAR(LeakyRelu, HalfFloat)
BELAY_SWEEP_SCALAR(Maxs, Arithmetic)
BELAY_SWEEP_SCALAR(Mins, Arithmetic)
BELAY_SWEEP_SCALAR(Muls, Arithmetic)
BELAY_SWEEP_SCALAR(ShiftLeft, Integers)
BELAY_SWEEP_SCALAR(ShiftRight, Integers)

// dst[i] += src[i] * scalar, also from half to float.
template <typename T, typename U>
void SweepAxpy(const char* row) {
  for (int i = 0; i < kCalls; ++i) {
    Call call;
    const abi::Instruction record =
        Prepare<T, U>(abi::Op::kAxpy, Form::kCount, call);
    Bench::Get().Check({"Vector", row, Type<T>::kName, "count"}, {record},
                       StateBefore(call), [&] {
                         AscendC::Axpy(TensorAt<T>(call.dst),
                                       TensorAt<U>(call.src0),
                                       ValueOf<U>(call.scalar), call.count);
                       });
  }
  for (const Form form : kMaskForms) {
    for (int i = 0; i < kCalls; ++i) {
      Call call;
      const abi::Instruction record = Prepare<T, U>(abi::Op::kAxpy, form, call);
      Bench::Get().Check({"Vector", row, Type<T>::kName, NameOf(form)},
                         {record}, StateBefore(call), [&] {
                           SetRegisters<T>(call);
                           WithMask(call, [&](const auto& mask, auto set) {
                             AscendC::Axpy<T, U, decltype(set)::value>(
                                 TensorAt<T>(call.dst), TensorAt<U>(call.src0),
                                 ValueOf<U>(call.scalar), mask, call.repeat,
                                 UnaryParams(call));
                           });
                         });
    }
  }
}

TEST(Scalar, Axpy) {
  SweepAxpy<half, half>("Axpy");
  SweepAxpy<float, float>("Axpy");
  SweepAxpy<float, half>("Axpy from half");
}

}  // namespace
}  // namespace belay::sweep::sweep_scalar
