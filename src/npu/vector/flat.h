// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_VECTOR_FLAT_H_
#define BELAY_NPU_VECTOR_FLAT_H_

// Flat lane functions: what an instruction computes, over `n` elements that
// lie side by side. All the arithmetic of the vector unit is behind these
// tables; strides and masks are not their business.

#include <cstddef>
#include <cstdint>

#include "belay/instruction.h"
#include "npu/cube/flat_mmad.h"

namespace belay::npu {

// dst[i] = f(a[i], b[i], scalar). `dst` must be exactly `a` or `b`, or overlap
// neither. Functions of one source ignore `b`. `scalar` holds the bits of one
// element.
using FlatFunction = void (*)(void* dst, const void* a, const void* b,
                              uint64_t scalar, size_t n);

inline constexpr int kDTypeCount = static_cast<int>(abi::DType::kComplex64) + 1;
inline constexpr int kOpCount = static_cast<int>(abi::Op::kCount);
inline constexpr int kRoundCount = static_cast<int>(abi::Round::kOdd) + 1;
inline constexpr int kCompareCount = static_cast<int>(abi::Compare::kNe) + 1;

// Operations of the Fused family, which stand side by side.
inline constexpr int kFusedCount = static_cast<int>(abi::Op::kSubReluCast) -
                                   static_cast<int>(abi::Op::kAddDeqRelu) + 1;
constexpr int FusedIndex(abi::Op op) {
  return static_cast<int>(op) - static_cast<int>(abi::Op::kAddDeqRelu);
}

// Ways in which the same operation may have to behave differently.
enum Flavour : int {
  kPlain = 0,
  kSaturate = 1,  // see VectorState::saturate
  // Reciprocal and Rsqrt: see VectorState::exact_reciprocal. ShiftRight: round.
  kRefined = 2,
  kFlavourCount = 4,
};

// Missing functions are null.
struct FlatTable {
  // By operation, dtype of the source and flavour: Unary, Binary, Scalar. Axpy
  // takes the old destination as `b`.
  FlatFunction elementwise[kOpCount][kDTypeCount][kFlavourCount] = {};

  // Axpy from half to float.
  FlatFunction axpy_widening = nullptr;

  // By FusedIndex, source, destination, and whether kSaturate is in force.
  // MulAddDst, FusedMulAdd and FusedMulAddRelu read dst as well. AddDeqRelu
  // takes the bits of the scale, a float, as `scalar`.
  FlatFunction fused[kFusedCount][kDTypeCount][kDTypeCount][2] = {};

  // By dtype and whether kSaturate is in force: dst[i] = scalar + *b + i, where
  // `b` points to a uint64_t below 2^30. `a` is ignored.
  FlatFunction count_up[kDTypeCount][2] = {};

  // By source, destination, rounding mode, and whether kSaturate is in force.
  // int4 lanes are unpacked, one a byte. int32 to half takes the bits of the
  // scale, a float, as `scalar`.
  FlatFunction cast[kDTypeCount][kDTypeCount][kRoundCount][2] = {};

  // By comparison and dtype: dst[i] is the byte 1 or 0.
  FlatFunction compare[kCompareCount][kDTypeCount] = {};
  FlatFunction compare_scalar[kCompareCount][kDTypeCount] = {};

  // Sums of half and float, by dtype and whether kSaturate is in force. Each
  // sum is rounded. dst and `a` do not overlap.
  // dst[i] = a[2 i] + a[2 i + 1]; `n` counts results.
  FlatFunction pair_sum[kDTypeCount][2] = {};
  // dst[i] = the sum of the 64 elements from a[64 i] on: neighbours are added,
  // then neighbouring sums, and so on; `n` counts results.
  FlatFunction tree_sum_64[kDTypeCount][2] = {};
  // dst[0] = ((a[0] + a[1]) + a[2]) + … + a[n - 1], n > 0.
  FlatFunction ordered_sum[kDTypeCount][2] = {};

  // By dtype: *dst, a uint32_t, is the first place among n > 0 at which the
  // greatest (or smallest) element stands. NaN counts as greatest (smallest),
  // -0 as below +0. Where `b` is not null it points to n int32_t: 0 excludes an
  // element, -1 does not; at least one must be -1.
  FlatFunction first_greatest[kDTypeCount] = {};
  FlatFunction first_smallest[kDTypeCount] = {};

  FlatMmadTable mmad;
};

}  // namespace belay::npu

#endif  // BELAY_NPU_VECTOR_FLAT_H_
