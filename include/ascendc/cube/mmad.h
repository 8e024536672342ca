// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_CUBE_MMAD_H_
#define BELAY_ASCENDC_CUBE_MMAD_H_

// Products of matrices: Mmad, MmadWithSparse, and the registers they read.

#include "ascendc/cube/load_data.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

// A is m × k, B is k × n. Where cmatrixInitVal is false, C adds to what it
// holds, or with cmatrixSource to the row in the bias table.
struct MmadParams {
  BELAY_API constexpr MmadParams() {}
  BELAY_API constexpr MmadParams(uint16_t rows, uint16_t columns,
                                 uint16_t depth, bool accumulate, int32_t,
                                 bool sparse, bool winograd_a, bool winograd_b)
      : m(rows),
        n(columns),
        k(depth),
        isBias(accumulate),
        enSsparse(sparse),
        enWinogradA(winograd_a),
        enWinogradB(winograd_b) {}
  BELAY_API constexpr MmadParams(uint16_t rows, uint16_t columns,
                                 uint16_t depth, uint8_t unit_flag,
                                 bool from_bias_table, bool from_zero)
      : m(rows),
        n(columns),
        k(depth),
        unitFlag(unit_flag),
        cmatrixSource(from_bias_table),
        cmatrixInitVal(from_zero) {}

  belay::api::Field<uint16_t> m{0};
  belay::api::Field<uint16_t> n{0};
  belay::api::Field<uint16_t> k{0};
  bool isBias = false;
  int32_t fmOffset = 0;
  bool enSsparse = false;
  bool enWinogradA = false;
  bool enWinogradB = false;
  uint8_t unitFlag = 0;
  bool kDirectionAlign = false;
  bool cmatrixSource = false;
  bool cmatrixInitVal = true;
};

}  // namespace AscendC

namespace belay::api {

// Whether C of type `C` may be the product of A and B.
BELAY_API constexpr bool MultipliesTo(DType c, DType a, DType b) {
  if (a != b) return false;
  if (c == DType::kInt32) return a == DType::kInt8 || a == DType::kInt4;
  return c == DType::kFloat &&
         (a == DType::kHalf || a == DType::kBfloat16 || a == DType::kFloat);
}

template <typename C, typename A, typename B>
BELAY_API void RequireMmadTypes() {
  static_assert(
      MultipliesTo(kDTypeOf<AscendC::PrimT<C>>, kDTypeOf<AscendC::PrimT<A>>,
                   kDTypeOf<AscendC::PrimT<B>>),
      "AscendC::Mmad does not take these types on this chip: it "
      "takes float from half, bfloat16_t or float, and int32_t from "
      "int8_t or int4b_t, both factors alike");
}

template <typename C, typename A, typename B>
BELAY_API void IssueMmad(Op op, const AscendC::LocalTensor<C>& dst,
                         const AscendC::LocalTensor<A>& fm,
                         const AscendC::LocalTensor<B>& filter,
                         const AscendC::MmadParams& params,
                         const Operand* bias) {
  Instruction record{};
  record.op = op;
  record.dst = MovedOperand(dst);
  record.src0 = MovedOperand(fm);
  record.src1 = MovedOperand(filter);
  record.mmad.m = Bits16(params.m);
  record.mmad.n = Bits16(params.n);
  record.mmad.k = Bits16(params.k);
  if (params.cmatrixInitVal && !params.isBias) {
    record.mmad.init = abi::MmadInit::kZero;
  } else if (bias != nullptr) {
    record.mmad.init = abi::MmadInit::kBias;
    record.src2 = *bias;
  } else {
    record.mmad.init = abi::MmadInit::kAccumulate;
  }
  record.mmad.unit_flag = params.unitFlag;
  record.mmad.k_align_16 = params.kDirectionAlign ? 1 : 0;
  belay_issue(&record);
}

// The start of the bias table, as cmatrixSource means it.
template <typename C>
BELAY_API Operand WholeBiasTable() {
  const uint64_t base = belay_memory_base(abi::Memory::kBt);
  return {base,  1, 8,    kDTypeOf<AscendC::PrimT<C>>,         abi::Memory::kBt,
          false, 0, base, belay_memory_bytes(abi::Memory::kBt)};
}

template <typename C, typename A, typename B>
BELAY_API void MultiplyAdd(Op op, const AscendC::LocalTensor<C>& dst,
                           const AscendC::LocalTensor<A>& fm,
                           const AscendC::LocalTensor<B>& filter,
                           const AscendC::MmadParams& params) {
  if (params.cmatrixSource) {
    const Operand bias = WholeBiasTable<C>();
    IssueMmad(op, dst, fm, filter, params, &bias);
  } else {
    IssueMmad(op, dst, fm, filter, params, nullptr);
  }
}

BELAY_API void IssueCubeMode(Op op, bool mode) {
  Instruction record{};
  record.op = op;
  record.mode = mode ? 1 : 0;
  belay_issue(&record);
}

}  // namespace belay::api

namespace AscendC {

template <typename T, typename U, typename S>
BELAY_API void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm,
                    const LocalTensor<S>& filter,
                    const MmadParams& mmadParams) {
  belay::api::RequireMmadTypes<T, U, S>();
  belay::api::MultiplyAdd(belay::abi::Op::kMmad, dst, fm, filter, mmadParams);
}
// `bias` in the bias table is what C starts from; elsewhere C adds to itself.
template <typename T, typename U, typename S, typename V>
BELAY_API void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm,
                    const LocalTensor<S>& filter, const LocalTensor<V>& bias,
                    const MmadParams& mmadParams) {
  belay::api::RequireMmadTypes<T, U, S>();
  static_assert(std::is_same_v<PrimT<T>, PrimT<V>>,
                "AscendC::Mmad takes a bias of the result's type");
  if (bias.GetMemory() == belay::abi::Memory::kBt) {
    const belay::abi::Operand row = belay::api::MovedOperand(bias);
    belay::api::IssueMmad(belay::abi::Op::kMmad, dst, fm, filter, mmadParams,
                          &row);
  } else {
    belay::api::IssueMmad(belay::abi::Op::kMmad, dst, fm, filter, mmadParams,
                          nullptr);
  }
}

// B holds two of every four rows, as LoadDataWithSparse has loaded it.
template <typename T = int32_t, typename U = int8_t,
          std::enable_if_t<std::is_same_v<PrimT<T>, int32_t>, bool> = true,
          std::enable_if_t<std::is_same_v<PrimT<U>, int8_t>, bool> = true>
BELAY_API void MmadWithSparse(const LocalTensor<T>& dst,
                              const LocalTensor<U>& fm,
                              const LocalTensor<U>& filter,
                              const MmadParams& mmadParams) {
  belay::api::MultiplyAdd(belay::abi::Op::kMmadSparse, dst, fm, filter,
                          mmadParams);
}

// Whether float factors are rounded to HF32 first, and how.
BELAY_API void SetHF32Mode(HF32Mode mode) {
  belay::api::IssueCubeMode(belay::abi::Op::kSetHF32Mode,
                            mode == HF32Mode::ENABLE);
}
BELAY_API void SetHF32Mode(bool hf32Mode) {
  belay::api::IssueCubeMode(belay::abi::Op::kSetHF32Mode, hf32Mode);
}
BELAY_API void SetHF32TransMode(HF32TransMode mode) {
  belay::api::IssueCubeMode(belay::abi::Op::kSetHF32TransMode,
                            mode == HF32TransMode::NEAREST_ZERO);
}
BELAY_API void SetHF32TransMode(bool hf32TransMode) {
  belay::api::IssueCubeMode(belay::abi::Op::kSetHF32TransMode, hf32TransMode);
}

// Along which side results appear first.
BELAY_API void SetMMLayoutTransform(bool mmLayoutMode) {
  belay::api::IssueCubeMode(belay::abi::Op::kSetMMLayoutTransform,
                            mmLayoutMode);
}
BELAY_API void SetMMRowMajor() { SetMMLayoutTransform(true); }
BELAY_API void SetMMColumnMajor() { SetMMLayoutTransform(false); }

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_CUBE_MMAD_H_
