// SPDX-License-Identifier: Apache-2.0
// Two steps in one instruction, and conversion by a scale in a register: every
// name, pair of element types and form.

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "kernels.h"

namespace belay::sweep::sweep_fused {
namespace {

template <typename T, typename U>
abi::Instruction Prepare(abi::Op op, Form form, Call& call) {
  Bench& bench = Bench::Get();
  call = bench.draw.Lanes(form, {kBits<T>, kBits<U>, kBits<U>});
  const abi::Instruction record =
      RecordOf(op, call, Type<T>::kDType, Type<U>::kDType, Type<U>::kDType);
  bench.Fill(record.dst);
  bench.Fill(record.src0);
  bench.Fill(record.src1);
  return record;
}

template <typename Api, typename T, typename U>
std::string RowOf() {
  const std::string name = Api::kName;
  return std::is_same_v<T, U> ? name : name + " from " + Type<U>::kName;
}

// AddDeqRelu multiplies by the scale of SetDeqScale; the others ignore it.
constexpr float kScale = 0.5f;

npu::VectorState ScaledState(const Call& call) {
  npu::VectorState state = StateBefore(call);
  state.deq_scale = kScale;
  return state;
}

template <typename Api, typename T, typename U>
void Sweep() {
  for (int i = 0; i < kCalls; ++i) {
    Call call;
    const abi::Instruction record = Prepare<T, U>(Api::kOp, Form::kCount, call);
    Bench::Get().Check({"Vector", RowOf<Api, T, U>(), Type<T>::kName, "count"},
                       {record}, ScaledState(call), [&] {
                         AscendC::SetDeqScale(half(kScale));
                         Api::Call(TensorAt<T>(call.dst),
                                   TensorAt<U>(call.src0),
                                   TensorAt<U>(call.src1), call.count);
                       });
  }
  for (const Form form : kMaskForms) {
    for (int i = 0; i < kCalls; ++i) {
      Call call;
      const abi::Instruction record = Prepare<T, U>(Api::kOp, form, call);
      Bench::Get().Check(
          {"Vector", RowOf<Api, T, U>(), Type<T>::kName, NameOf(form)},
          {record}, ScaledState(call), [&] {
            AscendC::SetDeqScale(half(kScale));
            SetRegisters<T>(call);
            WithMask(call, [&](const auto& mask, auto set) {
              Api::template Pair<T, U, decltype(set)::value>(
                  TensorAt<T>(call.dst), TensorAt<U>(call.src0),
                  TensorAt<U>(call.src1), mask, call.repeat,
                  BinaryParams(call));
            });
          });
    }
  }
}

// `masked` are the template arguments of the mask forms.
#define BELAY_SWEEP_FUSED_API(name, op, masked)                              \
  struct name##Api {                                                         \
    static constexpr const char* kName = #name;                              \
    static constexpr abi::Op kOp = abi::Op::op;                              \
    template <typename... Arguments>                                         \
    static void Call(const Arguments&... arguments) {                        \
      AscendC::name(arguments...);                                           \
    }                                                                        \
    template <typename T, typename U, bool isSetMask, typename... Arguments> \
    static void Pair(const Arguments&... arguments) {                        \
      AscendC::name<masked>(arguments...);                                   \
    }                                                                        \
  };
#define BELAY_SAME_TYPE T, isSetMask
#define BELAY_TWO_TYPES T, U, isSetMask

BELAY_SWEEP_FUSED_API(FusedMulAdd, kFusedMulAdd, BELAY_SAME_TYPE)
BELAY_SWEEP_FUSED_API(FusedMulAddRelu, kFusedMulAddRelu, BELAY_SAME_TYPE)
BELAY_SWEEP_FUSED_API(MulAddRelu, kFusedMulAddRelu, BELAY_SAME_TYPE)
BELAY_SWEEP_FUSED_API(AddDeqRelu, kAddDeqRelu, BELAY_TWO_TYPES)
BELAY_SWEEP_FUSED_API(AddReluCast, kAddReluCast, BELAY_TWO_TYPES)
BELAY_SWEEP_FUSED_API(MulAddDst, kMulAddDst, BELAY_TWO_TYPES)
BELAY_SWEEP_FUSED_API(MulCast, kMulCast, BELAY_TWO_TYPES)
BELAY_SWEEP_FUSED_API(SubReluCast, kSubReluCast, BELAY_TWO_TYPES)

TEST(Fused, FusedMulAdd) {
  Sweep<FusedMulAddApi, half, half>();
  Sweep<FusedMulAddApi, float, float>();
}
TEST(Fused, FusedMulAddRelu) {
  Sweep<FusedMulAddReluApi, half, half>();
  Sweep<FusedMulAddReluApi, float, float>();
}
TEST(Fused, MulAddRelu) {
  Sweep<MulAddReluApi, half, half>();
  Sweep<MulAddReluApi, float, float>();
}
TEST(Fused, AddDeqRelu) { Sweep<AddDeqReluApi, half, int32_t>(); }
TEST(Fused, AddReluCast) {
  Sweep<AddReluCastApi, int8_t, half>();
  Sweep<AddReluCastApi, int8_t, int16_t>();
  Sweep<AddReluCastApi, half, float>();
}
TEST(Fused, SubReluCast) {
  Sweep<SubReluCastApi, int8_t, half>();
  Sweep<SubReluCastApi, int8_t, int16_t>();
  Sweep<SubReluCastApi, half, float>();
}
TEST(Fused, MulCast) {
  Sweep<MulCastApi, int8_t, half>();
  Sweep<MulCastApi, uint8_t, half>();
}
TEST(Fused, MulAddDst) {
  Sweep<MulAddDstApi, half, half>();
  Sweep<MulAddDstApi, float, float>();
  Sweep<MulAddDstApi, float, half>();
}

// --- CastDequant -------------------------------------------------------------

uint64_t WordOf(float scale, int16_t offset, bool is_signed) {
  uint32_t bits;
  std::memcpy(&bits, &scale, 4);
  return bits | static_cast<uint64_t>(offset & 0x1ff) << 37 |
         static_cast<uint64_t>(is_signed) << 46;
}

// Results of 8 bits fill one half of as many blocks as the source has.
template <typename T, typename U, bool isVector, bool upper>
void SweepDequant(Form form) {
  Bench& bench = Bench::Get();
  constexpr bool kBytes = sizeof(T) == 1;
  for (int i = 0; i < kCalls; ++i) {
    Call call =
        bench.draw.Lanes(form, {kBytes ? kBits<U> : kBits<T>, kBits<U>});
    call.mode = (upper ? 1 : 0) | (isVector ? 2 : 0);
    abi::Instruction record =
        RecordOf(abi::Op::kCastDequant, call, Type<T>::kDType, Type<U>::kDType);
    if (kBytes && form == Form::kCount) record.dst.repeat_stride = 8;
    bench.Fill(record.src0);
    const float scale = bench.draw.OneOf({1.0f, 0.5f, 0.01f, -2.0f});
    const auto offset = static_cast<int16_t>(bench.draw.Below(512)) - 256;
    npu::VectorState before = StateBefore(call);
    before.deq_scale = static_cast<float>(half(scale));
    const auto word =
        WordOf(scale, static_cast<int16_t>(offset), std::is_same_v<T, int8_t>);
    before.dequant = word;
    AscendC::VdeqInfo info;
    if (isVector) {
      before.dequant = call.src2.at;
      for (int k = 0; k < 16; ++k) {
        info.vdeqScale[k] = scale * static_cast<float>(k + 1);
        info.vdeqOffset[k] = static_cast<int16_t>(offset / (k + 1));
        info.vdeqSignMode[k] = std::is_same_v<T, int8_t>;
        const uint64_t lane =
            WordOf(info.vdeqScale[k], info.vdeqOffset[k], info.vdeqSignMode[k]);
        // SetDeqScale writes the same words there.
        std::memcpy(bench.image() + call.src2.at + 8 * k, &lane, 8);
      }
    }
    const std::string row = std::string("CastDequant from ") + Type<U>::kName;
    bench.Check(
        {"Vector", row, Type<T>::kName, NameOf(form)}, {record}, before, [&] {
          if constexpr (!kBytes) {
            AscendC::SetDeqScale(half(scale));
          } else if constexpr (isVector) {
            AscendC::SetDeqScale(TensorAt<uint64_t>(call.src2), info);
          } else {
            AscendC::SetDeqScale(scale, static_cast<int16_t>(offset),
                                 std::is_same_v<T, int8_t>);
          }
          const auto dst = TensorAt<T>(call.dst);
          const auto src = TensorAt<U>(call.src0);
          if (form == Form::kCount) {
            return AscendC::CastDequant<T, U, isVector, upper>(
                dst, src, static_cast<uint32_t>(call.count));
          }
          SetRegisters<U>(call);
          WithMask(call, [&](const auto& mask, auto set) {
            AscendC::CastDequant<T, U, decltype(set)::value, isVector, upper>(
                dst, src, mask, call.repeat, UnaryParams(call));
          });
        });
  }
}

TEST(Fused, CastDequant) {
  for (const Form form :
       {Form::kCount, Form::kMask, Form::kBits, Form::kRegister}) {
    SweepDequant<half, int32_t, false, false>(form);
    SweepDequant<int8_t, int16_t, false, false>(form);
    SweepDequant<int8_t, int16_t, false, true>(form);
    SweepDequant<uint8_t, int16_t, false, true>(form);
    SweepDequant<int8_t, int16_t, true, true>(form);
    SweepDequant<uint8_t, int16_t, true, false>(form);
  }
}

}  // namespace
}  // namespace belay::sweep::sweep_fused
