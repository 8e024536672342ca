// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_MATMUL_TYPES_H_
#define BELAY_ASCENDC_MATMUL_TYPES_H_

// What a Matmul object's template arguments are made of: the types of its
// matrices, its call-backs and its policies.

#include "ascendc/matmul/config.h"
#include "ascendc/tensor.h"
#include "belay/matmul.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

template <TPosition POSITION, CubeFormat FORMAT, typename TYPE,
          bool ISTRANS = false, LayoutMode LAYOUT = LayoutMode::NONE,
          bool IBSHARE = false, TPosition SRCPOS = TPosition::GM>
struct MatmulType {
  static constexpr TPosition pos = POSITION;
  static constexpr CubeFormat format = FORMAT;
  using T = TYPE;
  static constexpr bool isTrans = ISTRANS;
  static constexpr LayoutMode layout = LAYOUT;
  static constexpr bool ibShare = IBSHARE;
  static constexpr TPosition srcPos = SRCPOS;
};

// A B of which every group of four along k holds two values, with an index
// matrix that lies at INDEX_POSITION.
template <TPosition POSITION, TPosition INDEX_POSITION, CubeFormat FORMAT,
          typename TYPE, bool ISTRANS = false,
          LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false>
struct SparseMatmulType
    : MatmulType<POSITION, FORMAT, TYPE, ISTRANS, LAYOUT, IBSHARE> {
  static constexpr TPosition indexPosition = INDEX_POSITION;
};

struct MatrixOffset {
  int32_t offset;
  int32_t row, col;
  int32_t height, width;
};

struct DataCopyOutParams {
  uint16_t cBurstNum;
  uint16_t burstLen;
  uint16_t srcStride;
  uint32_t dstStride;
  uint16_t oriNSize;
  bool enUnitFlag;
  uint64_t quantScalar;
  uint64_t cbufWorkspaceAddr;
};

// The kernel's own moves of base blocks: L0C to GM, A to L1, B to L1.
template <
    void (*DataCopyOut)(const __gm__ void* gm,
                        const LocalTensor<int8_t>& co1Local,
                        const void* dataCopyOutParams, const uint64_t tilingPtr,
                        const uint64_t dataPtr) = nullptr,
    void (*CopyA1)(const LocalTensor<int8_t>& aMatrix, const __gm__ void* gm,
                   int row, int col, int useM, int useK,
                   const uint64_t tilingPtr, const uint64_t dataPtr) = nullptr,
    void (*CopyB1)(const LocalTensor<int8_t>& bMatrix, const __gm__ void* gm,
                   int row, int col, int useK, int useN,
                   const uint64_t tilingPtr, const uint64_t dataPtr) = nullptr>
struct MatmulCallBackFunc {
  static constexpr auto kDataCopyOut = DataCopyOut;
  static constexpr auto kCopyA1 = CopyA1;
  static constexpr auto kCopyB1 = CopyB1;
};

namespace Impl::Detail {

template <const auto& MM_CFG, typename...>
struct MatmulPolicy {};
// Base blocks below (above) the diagonal of base blocks are left out.
template <const auto& MM_CFG, typename...>
struct TrianUpperMatmulPolicy {};
template <const auto& MM_CFG, typename...>
struct TrianLowerMatmulPolicy {};
// A of up to 3 × 3 base blocks stays in L1; the tiling sees to it.
template <const auto& MM_CFG, typename...>
struct NBuffer33MatmulPolicy {};
// Other chips'.
template <const auto& MM_CFG, typename...>
struct MatmulWithScalePolicy {};
template <const auto& MM_CFG, typename...>
struct SplitMMatmulPolicy {};
template <const auto& MM_CFG, typename...>
struct SplitNMatmulPolicy {};

}  // namespace Impl::Detail

}  // namespace AscendC

#define MATMUL_POLICY_DEFAULT_OF(DEFAULT)      \
  template <const auto& = MM_CFG, typename...> \
  class MATMUL_POLICY = AscendC::Impl::Detail::DEFAULT

namespace belay::api {

template <typename...>
using Void = void;

template <typename T, typename = void>
inline constexpr bool kIsSparse = false;
template <typename T>
inline constexpr bool kIsSparse<T, Void<decltype(T::indexPosition)>> = true;

template <template <const auto&, typename...> class Policy>
inline constexpr abi::MatmulPart kPartOf = abi::MatmulPart::kAll;
template <>
inline constexpr abi::MatmulPart
    kPartOf<AscendC::Impl::Detail::TrianUpperMatmulPolicy> =
        abi::MatmulPart::kUpper;
template <>
inline constexpr abi::MatmulPart
    kPartOf<AscendC::Impl::Detail::TrianLowerMatmulPolicy> =
        abi::MatmulPart::kLower;

template <template <const auto&, typename...> class Policy>
inline constexpr bool kIsOtherChips = false;
template <>
inline constexpr bool
    kIsOtherChips<AscendC::Impl::Detail::MatmulWithScalePolicy> = true;
template <>
inline constexpr bool kIsOtherChips<AscendC::Impl::Detail::SplitMMatmulPolicy> =
    true;
template <>
inline constexpr bool kIsOtherChips<AscendC::Impl::Detail::SplitNMatmulPolicy> =
    true;

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_MATMUL_TYPES_H_
