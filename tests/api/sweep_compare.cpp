// SPDX-License-Identifier: Apache-2.0
// Compare, Compares (CompareScalar), the comparison register and the
// comparison operators: every element type, mode and form.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "kernels.h"

namespace belay::sweep::sweep_compare {
namespace {

using AscendC::CMPMODE;

constexpr const char* kModeNames[] = {"LT", "GT", "EQ", "LE", "GE", "NE"};

// int32_t compares for equality only.
template <typename T>
std::vector<CMPMODE> Modes() {
  if (std::is_same_v<T, int32_t>) return {CMPMODE::EQ};
  return {CMPMODE::LT, CMPMODE::GT, CMPMODE::EQ,
          CMPMODE::LE, CMPMODE::GE, CMPMODE::NE};
}

template <typename T>
abi::Instruction Prepare(abi::Op op, abi::DType to, Form form, CMPMODE mode,
                         Call& call) {
  Bench& bench = Bench::Get();
  const bool has_src1 = op != abi::Op::kCompareScalar;
  call = bench.draw.Lanes(form, {8, kBits<T>, has_src1 ? kBits<T> : 0});
  // The mask argument has no effect on this chip: it cannot count either.
  if (form == Form::kMask) {
    call.counter = false;
    call.mask = std::min<uint64_t>(call.mask, 2048 / kBits<T>);
  }
  call.mode = static_cast<uint8_t>(mode);
  constexpr abi::DType kType = Type<T>::kDType;
  call.scalar = has_src1 ? 0 : bench.Element(kType);
  if (kBits<T> < 64) call.scalar &= (uint64_t{1} << kBits<T>)-1;
  const abi::Instruction record =
      RecordOf(op, call, to, kType, has_src1 ? kType : abi::DType::kNone);
  bench.Fill(record.src0);
  if (has_src1) {
    bench.Fill(record.src1);
    if (bench.draw.Chance(50)) {  // many equal elements
      std::memcpy(bench.image() + call.src1.at, bench.image() + call.src0.at,
                  1000);
    }
  }
  return record;
}

void CheckBoth(const char* row, const char* column, const char* mark,
               CMPMODE mode, const std::vector<abi::Instruction>& records,
               const Call& call, const Kernel& kernel) {
  const Cell cell{"Vector", row, column, mark};
  Bench::Get().Check(cell, records, StateBefore(call), kernel);
  Cells::Get().Note(
      {"Comparison modes", row, column, kModeNames[static_cast<int>(mode)]},
      Cells::Get().IsGreen(cell));
}

template <typename T, typename U>
void SweepCompare() {
  for (const CMPMODE mode : Modes<T>()) {
    for (const Form form :
         {Form::kCount, Form::kMask, Form::kBits, Form::kRegister}) {
      for (int i = 0; i < 4; ++i) {
        Call call;
        const abi::Instruction record =
            Prepare<T>(abi::Op::kCompare, Type<U>::kDType, form, mode, call);
        CheckBoth(
            "Compare", Type<T>::kName, NameOf(form), mode, {record}, call, [&] {
              const auto dst = TensorAt<U>(call.dst);
              const auto src0 = TensorAt<T>(call.src0);
              const auto src1 = TensorAt<T>(call.src1);
              if (form == Form::kCount) {
                return AscendC::Compare(dst, src0, src1, mode, call.count);
              }
              SetRegisters<T>(call);
              WithMask(call, [&](const auto& mask, auto set) {
                AscendC::Compare<T, U, decltype(set)::value>(
                    dst, src0, src1, mode, mask, call.repeat,
                    BinaryParams(call));
              });
            });
      }
    }
  }
}

TEST(Compare, Tensors) {
  const auto sweep = []<typename T>() {
    SweepCompare<T, uint8_t>();
    SweepCompare<T, int8_t>();
  };
  ForEach(Types<half, int32_t, float>{}, sweep);
}

#define BELAY_SWEEP_COMPARES(name)                                             \
  template <typename T>                                                        \
  void Sweep##name() {                                                         \
    for (const CMPMODE mode : Modes<T>()) {                                    \
      for (const Form form :                                                   \
           {Form::kCount, Form::kMask, Form::kBits, Form::kRegister}) {        \
        for (int i = 0; i < 4; ++i) {                                          \
          Call call;                                                           \
          const abi::Instruction record = Prepare<T>(                          \
              abi::Op::kCompareScalar, abi::DType::kUint8, form, mode, call);  \
          CheckBoth(                                                           \
              #name, Type<T>::kName, NameOf(form), mode, {record}, call, [&] { \
                const auto dst = TensorAt<uint8_t>(call.dst);                  \
                const auto src = TensorAt<T>(call.src0);                       \
                const T scalar = ValueOf<T>(call.scalar);                      \
                if (form == Form::kCount) {                                    \
                  return AscendC::name(dst, src, scalar, mode, call.count);    \
                }                                                              \
                SetRegisters<T>(call);                                         \
                WithMask(call, [&](const auto& mask, auto set) {               \
                  AscendC::name<T, uint8_t, decltype(set)::value>(             \
                      dst, src, scalar, mode, mask, call.repeat,               \
                      UnaryParams(call));                                      \
                });                                                            \
              });                                                              \
        }                                                                      \
      }                                                                        \
    }                                                                          \
  }                                                                            \
  TEST(Compare, name) {                                                        \
    const auto sweep = []<typename T>() { Sweep##name<T>(); };                 \
    ForEach(Types<half, int32_t, float>{}, sweep);                             \
  }

BELAY_SWEEP_COMPARES(Compares)
BELAY_SWEEP_COMPARES(CompareScalar)

// One repeat into the register, then out of it.
template <typename T>
void SweepToRegister() {
  for (const CMPMODE mode : Modes<T>()) {
    for (const Form form : kMaskForms) {
      for (int i = 0; i < 4; ++i) {
        Call call;
        Prepare<T>(abi::Op::kCompareToMask, abi::DType::kUint8, form, mode,
                   call);
        call.counter = false;
        call.repeat = 1;
        call.mask = std::min<uint64_t>(call.mask, 2048 / kBits<T>);
        constexpr abi::DType kType = Type<T>::kDType;
        const abi::Instruction compare = RecordOf(
            abi::Op::kCompareToMask, call, abi::DType::kNone, kType, kType);
        abi::Instruction get{};
        get.op = abi::Op::kGetCmpMask;
        get.dst = {call.dst.at, 1, 8, abi::DType::kUint8, abi::Memory::kUb};
        CheckBoth("Compare to register", Type<T>::kName, NameOf(form), mode,
                  {compare, get}, call, [&] {
                    SetRegisters<T>(call);
                    WithMask(call, [&](const auto& mask, auto set) {
                      AscendC::Compare<T, decltype(set)::value>(
                          TensorAt<T>(call.src0), TensorAt<T>(call.src1), mode,
                          mask, BinaryParams(call));
                    });
                    AscendC::GetCmpMask(TensorAt<uint8_t>(call.dst));
                  });
      }
    }
  }
}

TEST(Compare, ToRegister) {
  ForEach(HalfFloat{}, []<typename T>() { SweepToRegister<T>(); });
}

TEST(Compare, RegisterFromAndToMemory) {
  const auto sweep = []<typename T>() {
    Bench& bench = Bench::Get();
    abi::Instruction set{};
    set.op = abi::Op::kSetCmpMask;
    set.src0 = {kSrc0At + 16, 1, 8, Type<T>::kDType, abi::Memory::kUb};
    abi::Instruction get{};
    get.op = abi::Op::kGetCmpMask;
    get.dst = {kDstAt + 16, 1, 8, Type<T>::kDType, abi::Memory::kUb};
    const Kernel kernel = [] {
      AscendC::SetCmpMask(TensorAt<T>(kSrc0At + 16));
      AscendC::GetCmpMask(TensorAt<T>(kDstAt + 16));
    };
    bench.Fill(set.src0);
    bench.Check({"Vector", "SetCmpMask", Type<T>::kName, "call"}, {set, get},
                {}, kernel);
    if constexpr (sizeof(T) < 8) {
      bench.Check({"Vector", "GetCmpMask", Type<T>::kName, "call"}, {set, get},
                  {}, kernel);
    }
  };
  ForEach(Types<uint8_t, uint16_t, uint32_t, uint64_t>{}, sweep);
}

// dst = src0 < src1 covers the whole of src0.
template <typename T, typename Store>
void SweepOperator(CMPMODE mode, Store store) {
  for (int i = 0; i < 4; ++i) {
    Call call;
    const abi::Instruction record = Prepare<T>(
        abi::Op::kCompare, abi::DType::kUint8, Form::kOperator, mode, call);
    CheckBoth("Compare", Type<T>::kName, "operator", mode, {record}, call, [&] {
      AscendC::LocalTensor<T> src0(AscendC::TPosition::VECCALC, call.src0.at,
                                   static_cast<uint32_t>(call.count));
      auto dst = TensorAt<uint8_t>(call.dst);
      store(dst, src0, TensorAt<T>(call.src1));
    });
  }
}

TEST(Compare, Operators) {
  const auto sweep = []<typename T>() {
    SweepOperator<T>(CMPMODE::EQ, [](auto& dst, const auto& a, const auto& b) {
      dst = a == b;
    });
    if constexpr (!std::is_same_v<T, int32_t>) {
      SweepOperator<T>(CMPMODE::LT, [](auto& d, const auto& a, const auto& b) {
        d = a < b;
      });
      SweepOperator<T>(CMPMODE::GT, [](auto& d, const auto& a, const auto& b) {
        d = a > b;
      });
      SweepOperator<T>(CMPMODE::LE, [](auto& d, const auto& a, const auto& b) {
        d = a <= b;
      });
      SweepOperator<T>(CMPMODE::GE, [](auto& d, const auto& a, const auto& b) {
        d = a >= b;
      });
      SweepOperator<T>(CMPMODE::NE, [](auto& d, const auto& a, const auto& b) {
        d = a != b;
      });
    }
  };
  ForEach(Types<half, int32_t, float>{}, sweep);
}

}  // namespace
}  // namespace belay::sweep::sweep_compare
