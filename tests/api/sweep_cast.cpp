// SPDX-License-Identifier: Apache-2.0
// Cast: every pair of types, every round mode, every form.

#include <gtest/gtest.h>

#include <string>

#include "kernels.h"

namespace belay::sweep::sweep_cast {
namespace {

using AscendC::RoundMode;

constexpr char kModeLetters[] = "NRFCAZO";

template <typename U, typename T>
abi::Instruction Prepare(Form form, RoundMode mode, Call& call) {
  Bench& bench = Bench::Get();
  call = bench.draw.Lanes(form, {kBits<T>, kBits<U>});
  call.mode = static_cast<uint8_t>(mode);
  const abi::Instruction record =
      RecordOf(abi::Op::kCast, call, Type<T>::kDType, Type<U>::kDType);
  bench.Fill(record.src0);
  return record;
}

// int32_t to half multiplies by the scale a register holds.
template <typename U, typename T>
inline constexpr bool kScales =
    std::is_same_v<U, int32_t> && std::is_same_v<T, half>;

// Both cells of a call: the form, and the mode.
template <typename U, typename T>
void CheckBoth(const Call& call, Form form, RoundMode mode,
               const abi::Instruction& record, const Kernel& kernel) {
  Bench& bench = Bench::Get();
  const std::string row = std::string("Cast from ") + Type<U>::kName;
  npu::VectorState before = StateBefore(call);
  Kernel whole = kernel;
  const float scale = bench.draw.OneOf<float>({1.0f, 0.5f, 0.001f, -3.0f});
  if (kScales<U, T>) {
    before.deq_scale = static_cast<float>(half(scale));
    whole = [&] {
      AscendC::SetDeqScale(half(scale));
      kernel();
    };
  }
  const Cell by_form{"Cast", row, Type<T>::kName, NameOf(form)};
  bench.Check(by_form, {record}, before, whole);
  const std::string letter(1, kModeLetters[static_cast<int>(mode)]);
  Cells::Get().Note({"Cast round modes", row, Type<T>::kName, letter},
                    Cells::Get().IsGreen(by_form));
}

template <typename U, typename T>
void SweepMode(RoundMode mode, int calls) {
  for (int i = 0; i < calls; ++i) {
    Call call;
    const abi::Instruction record = Prepare<U, T>(Form::kCount, mode, call);
    CheckBoth<U, T>(call, Form::kCount, mode, record, [&] {
      AscendC::Cast(TensorAt<T>(call.dst), TensorAt<U>(call.src0), mode,
                    call.count);
    });
  }
  for (const Form form : kMaskForms) {
    for (int i = 0; i < calls; ++i) {
      Call call;
      const abi::Instruction record = Prepare<U, T>(form, mode, call);
      CheckBoth<U, T>(call, form, mode, record, [&] {
        SetRegisters<T>(call);
        WithMask(call, [&](const auto& mask, auto set) {
          AscendC::Cast<T, U, decltype(set)::value>(
              TensorAt<T>(call.dst), TensorAt<U>(call.src0), mode, mask,
              call.repeat, UnaryParams(call));
        });
      });
    }
  }
}

// `modes` in the letters of the table.
template <typename U, typename T>
void Sweep(const std::string& modes) {
  const int calls = modes.size() > 1 ? 4 : kCalls;
  for (const char letter : modes) {
    const auto index = std::string(kModeLetters).find(letter);
    SweepMode<U, T>(static_cast<RoundMode>(index), calls);
  }
}

using AscendC::int4b_t;

TEST(Cast, FromNarrowIntegers) {
  Sweep<int4b_t, half>("N");
  Sweep<int8_t, half>("N");
  Sweep<uint8_t, half>("N");
  Sweep<int16_t, half>("RFCAZN");
  Sweep<int16_t, float>("N");
}

TEST(Cast, FromHalf) {
  Sweep<half, int4b_t>("RFCAZN");
  Sweep<half, int8_t>("RFCAZN");
  Sweep<half, uint8_t>("RFCAZN");
  Sweep<half, int16_t>("RFCAZ");
  Sweep<half, int32_t>("RFCAZ");
  Sweep<half, float>("N");
}

TEST(Cast, FromBfloat16) {
  Sweep<bfloat16_t, int32_t>("RFCAZ");
  Sweep<bfloat16_t, float>("N");
}

TEST(Cast, FromFloat) {
  Sweep<float, int16_t>("RFCAZ");
  Sweep<float, half>("RFCAZON");
  Sweep<float, bfloat16_t>("RFCAZ");
  Sweep<float, int32_t>("RFCAZ");
  Sweep<float, float>("RFCAZ");
  Sweep<float, int64_t>("RFCAZ");
}

TEST(Cast, FromWideIntegers) {
  Sweep<int32_t, int16_t>("N");
  Sweep<int32_t, half>("N");
  Sweep<int32_t, float>("RFCAZN");
  Sweep<int32_t, int64_t>("N");
  Sweep<int64_t, int32_t>("N");
  Sweep<int64_t, float>("RFCAZ");
}

// The compiler takes these for CastDequant's sake.
TEST(Cast, ToBytesFromInt16IsRefused) {
  const auto check = []<typename T>() {
    Bench::Get().CheckRefused(
        {"Cast", "Cast from int16_t", Type<T>::kName, "refused"}, "BLY-N107",
        [] {
          AscendC::Cast(TensorAt<T>(kDstAt), TensorAt<int16_t>(kSrc0At),
                        RoundMode::CAST_NONE, 128);
        });
  };
  ForEach(Types<int8_t, uint8_t>{}, check);
}

}  // namespace
}  // namespace belay::sweep::sweep_cast
