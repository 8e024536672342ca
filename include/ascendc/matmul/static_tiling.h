// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_MATMUL_STATIC_TILING_H_
#define BELAY_ASCENDC_MATMUL_STATIC_TILING_H_

// Tilings that are part of a Matmul object's type.

#include "ascendc/matmul/cube_tiling.h"
#include "ascendc/matmul/types.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC::Impl {

inline constexpr int32_t L1_SIZE = 512 * 1024;
inline constexpr int32_t QUEUE_DEPTH = 1;

}  // namespace AscendC::Impl

// A TCubeTiling and the configuration it goes with.
struct MatmulApiStaticTiling : TCubeTiling {
  MatmulConfig cfg{};
};

namespace belay::api {

template <typename T>
BELAY_API constexpr int32_t MatmulBytes(int32_t elements) {
  return static_cast<int32_t>(BytesOf<T>(static_cast<uint64_t>(elements)));
}

BELAY_API constexpr int32_t CeilDivide(int32_t value, int32_t by) {
  return by == 0 ? 0 : (value + by - 1) / by;
}

inline constexpr int32_t kL0Bytes = 64 * 1024;
inline constexpr int32_t kL0cBytes = 128 * 1024;

}  // namespace belay::api

namespace AscendC {

using ::MatmulApiStaticTiling;

// The tiling for the sizes mmCFG names: base blocks always, the single core's
// shape where it is not 0. A and B each take up to half of L1, in two slabs
// that are as long along k as fits.
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE>
BELAY_API constexpr MatmulApiStaticTiling GetMatmulApiTiling(
    const MatmulConfig& mmCFG, int32_t l1Size = Impl::L1_SIZE) {
  using belay::api::CeilDivide;
  using belay::api::kL0Bytes;
  using belay::api::kL0cBytes;
  MatmulApiStaticTiling tiling;
  tiling.cfg = mmCFG;
  tiling.usedCoreNum = 1;
  tiling.singleCoreM = static_cast<int32_t>(mmCFG.singleCoreM);
  tiling.singleCoreN = static_cast<int32_t>(mmCFG.singleCoreN);
  tiling.singleCoreK = static_cast<int32_t>(mmCFG.singleCoreK);
  tiling.M = tiling.singleCoreM;
  tiling.N = tiling.singleCoreN;
  tiling.Ka = tiling.Kb = tiling.singleCoreK;
  tiling.baseM = static_cast<int32_t>(mmCFG.basicM);
  tiling.baseN = static_cast<int32_t>(mmCFG.basicN);
  tiling.baseK = static_cast<int32_t>(mmCFG.basicK);
  const int32_t block_a = belay::api::MatmulBytes<PrimT<typename A_TYPE::T>>(
      tiling.baseM * tiling.baseK);
  const int32_t block_b = belay::api::MatmulBytes<PrimT<typename B_TYPE::T>>(
      tiling.baseN * tiling.baseK);
  const int32_t block_c = tiling.baseM * tiling.baseN * 4;
  tiling.dbL0A = block_a * 2 <= kL0Bytes ? 2 : 1;
  tiling.dbL0B = block_b * 2 <= kL0Bytes ? 2 : 1;
  tiling.dbL0C = block_c * 2 <= kL0cBytes ? 2 : 1;
  const int32_t room = l1Size - tiling.baseN * 8;
  int32_t steps = block_a + block_b == 0 ? 1 : room / 2 / (block_a + block_b);
  if (tiling.singleCoreK != 0) {
    const int32_t needed = CeilDivide(tiling.singleCoreK, tiling.baseK);
    if (steps > needed) steps = needed;
  }
  if (steps < 1) steps = 1;
  if (steps > 8) steps = 8;
  tiling.stepM = tiling.stepN = 1;
  tiling.stepKa = tiling.stepKb = steps;
  tiling.depthA1 = tiling.depthB1 = 2 * steps;
  return tiling;
}

}  // namespace AscendC

namespace belay::api {

BELAY_API constexpr bool IsStaticTiling(const MatmulConfig&) { return false; }
BELAY_API constexpr bool IsStaticTiling(const MatmulApiStaticTiling&) {
  return true;
}

BELAY_API constexpr const MatmulConfig& MatmulConfigIn(
    const MatmulConfig& config) {
  return config;
}
BELAY_API constexpr const MatmulConfig& MatmulConfigIn(
    const MatmulApiStaticTiling& tiling) {
  return tiling.cfg;
}

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_MATMUL_STATIC_TILING_H_
