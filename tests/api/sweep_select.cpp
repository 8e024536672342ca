// SPDX-License-Identifier: Apache-2.0
// Select: two tensors, tensor and scalar, by bits in memory or in the
// comparison register; every element type, type of the bits and form.

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "kernels.h"

namespace belay::sweep::sweep_select {
namespace {

using AscendC::SELMODE;

template <typename T>
abi::Instruction Prepare(SELMODE mode, Form form, abi::DType bits, Call& call) {
  Bench& bench = Bench::Get();
  const bool has_src1 = mode != SELMODE::VSEL_TENSOR_SCALAR_MODE;
  constexpr abi::DType kType = Type<T>::kDType;
  call = bench.draw.Lanes(form, {kBits<T>, kBits<T>, has_src1 ? kBits<T> : 0},
                          true);
  call.mode = static_cast<uint8_t>(mode);
  if (!has_src1) {
    call.scalar = bench.Element(kType) & ((uint64_t{1} << kBits<T>)-1);
  }
  abi::Instruction record = RecordOf(abi::Op::kSelect, call, kType, kType,
                                     has_src1 ? kType : abi::DType::kNone);
  if (bits != abi::DType::kNone) {
    record.src2 = {call.src2.at, 1, 8, bits, abi::Memory::kUb};
    bench.Fill(call.src2.at, 1024, abi::DType::kUint8);
  }
  bench.Fill(record.src0);
  if (has_src1) bench.Fill(record.src1);
  return record;
}

template <typename T, typename U>
std::string RowOf(const char* what) {
  const std::string row = std::string("Select, ") + what;
  if (std::is_same_v<U, uint8_t>) return row;
  return row + ", bits in " + Type<U>::kName;
}

constexpr Form kForms[] = {Form::kCount, Form::kMask, Form::kBits};

template <typename T, typename U>
void SweepTensors(SELMODE mode, const char* what) {
  for (const Form form : kForms) {
    for (int i = 0; i < kCalls; ++i) {
      Call call;
      const abi::Instruction record =
          Prepare<T>(mode, form, Type<U>::kDType, call);
      Bench::Get().Check(
          {"Vector", RowOf<T, U>(what), Type<T>::kName, NameOf(form)}, {record},
          StateBefore(call), [&] {
            const auto dst = TensorAt<T>(call.dst);
            const auto bits = TensorAt<U>(call.src2);
            const auto src0 = TensorAt<T>(call.src0);
            const auto src1 = TensorAt<T>(call.src1);
            SetRegisters<T>(call);
            if (form == Form::kCount) {
              AscendC::Select(dst, bits, src0, src1, mode, call.count);
            } else if (form == Form::kMask) {
              AscendC::Select(dst, bits, src0, src1, mode, call.mask,
                              call.repeat, BinaryParams(call));
            } else {
              AscendC::Select(dst, bits, src0, src1, mode, call.bits,
                              call.repeat, BinaryParams(call));
            }
          });
    }
  }
}

template <typename T, typename U>
void SweepScalar() {
  constexpr SELMODE kMode = SELMODE::VSEL_TENSOR_SCALAR_MODE;
  for (const Form form : kForms) {
    for (int i = 0; i < kCalls; ++i) {
      Call call;
      const abi::Instruction record =
          Prepare<T>(kMode, form, Type<U>::kDType, call);
      Bench::Get().Check(
          {"Vector", RowOf<T, U>("tensor and scalar"), Type<T>::kName,
           NameOf(form)},
          {record}, StateBefore(call), [&] {
            const auto dst = TensorAt<T>(call.dst);
            const auto bits = TensorAt<U>(call.src2);
            const auto src0 = TensorAt<T>(call.src0);
            const T scalar = ValueOf<T>(call.scalar);
            SetRegisters<T>(call);
            if (form == Form::kCount) {
              AscendC::Select(dst, bits, src0, scalar, kMode, call.count);
            } else if (form == Form::kMask) {
              AscendC::Select(dst, bits, src0, scalar, kMode, call.mask,
                              call.repeat, BinaryParams(call));
            } else {
              AscendC::Select(dst, bits, src0, scalar, kMode, call.bits,
                              call.repeat, BinaryParams(call));
            }
          });
    }
  }
}

template <typename U>
void SweepBits() {
  ForEach(HalfFloat{}, []<typename T>() {
    SweepTensors<T, U>(SELMODE::VSEL_TENSOR_TENSOR_MODE, "two tensors");
    SweepTensors<T, U>(SELMODE::VSEL_CMPMASK_SPR, "two tensors, one repeat");
    SweepScalar<T, U>();
  });
}

TEST(Select, BitsInBytes) { SweepBits<uint8_t>(); }
TEST(Select, BitsInOtherWords) {
  SweepBits<uint16_t>();
  SweepBits<uint32_t>();
  SweepBits<uint64_t>();
}

// The forms without a mask argument: lanes from the mask register, and from
// the comparison register the bits, the scalar, or the address of the bits.
template <typename T>
void SweepRegister(SELMODE mode, const char* what) {
  for (int i = 0; i < kCalls; ++i) {
    Call call;
    const bool has_bits = mode != SELMODE::VSEL_CMPMASK_SPR;
    const abi::Instruction select =
        Prepare<T>(mode, Form::kRegister,
                   has_bits ? abi::DType::kUint8 : abi::DType::kNone, call);
    // What SetCmpMask reads.
    const Place words{call.src2.at + 4096};
    abi::Instruction set{};
    set.op = abi::Op::kSetCmpMask;
    set.src0 = {words.at, 1, 8, abi::DType::kUint64, abi::Memory::kUb};
    uint64_t word = call.scalar;
    if (mode == SELMODE::VSEL_TENSOR_TENSOR_MODE) {
      word = Bench::Get().device().chip().on_chip().Base(0, abi::Memory::kUb) +
             call.src2.at;
    }
    if (has_bits) {
      std::memcpy(Bench::Get().image() + words.at, &word, 8);
      std::memset(Bench::Get().image() + words.at + 8, 0, 8);
    }
    Bench::Get().Check(
        {"Vector", std::string("Select, ") + what, Type<T>::kName, "register"},
        {set, select}, StateBefore(call), [&] {
          AscendC::SetCmpMask(TensorAt<uint64_t>(words));
          SetRegisters<T>(call);
          const auto dst = TensorAt<T>(call.dst);
          const auto src0 = TensorAt<T>(call.src0);
          const auto src1 = TensorAt<T>(call.src1);
          const auto params = BinaryParams(call);
          if (mode == SELMODE::VSEL_CMPMASK_SPR) {
            AscendC::Select<T, SELMODE::VSEL_CMPMASK_SPR>(dst, src0, src1,
                                                          call.repeat, params);
          } else if (mode == SELMODE::VSEL_TENSOR_TENSOR_MODE) {
            AscendC::Select<T, SELMODE::VSEL_TENSOR_TENSOR_MODE>(
                dst, src0, src1, call.repeat, params);
          } else {
            AscendC::Select(dst, TensorAt<uint8_t>(call.src2), src0,
                            call.repeat, params);
          }
        });
  }
}

TEST(Select, ByRegisters) {
  ForEach(HalfFloat{}, []<typename T>() {
    SweepRegister<T>(SELMODE::VSEL_CMPMASK_SPR, "two tensors, one repeat");
    SweepRegister<T>(SELMODE::VSEL_TENSOR_TENSOR_MODE, "two tensors");
    SweepRegister<T>(SELMODE::VSEL_TENSOR_SCALAR_MODE, "tensor and scalar");
  });
}

}  // namespace
}  // namespace belay::sweep::sweep_select
