// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_MATH_CONFIGURATIONS_H_
#define BELAY_ASCENDC_HIGH_LEVEL_MATH_CONFIGURATIONS_H_

// What kernels and the host both know of the mathematical functions: their
// configurations, which choose between algorithms of other chips, and sizes.

#include <stdint.h>

#include "ascendc/inline.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

enum class AtanAlgo { TAYLOR_EXPANSION = 0, POLYNOMIAL_APPROXIMATION };
struct AtanConfig {
  AtanAlgo algo = AtanAlgo::TAYLOR_EXPANSION;
};
inline constexpr AtanConfig defaultAtanConfig = {};

enum class CosAlgo { POLYNOMIAL_APPROXIMATION = 0, RADIAN_REDUCTION };
struct CosConfig {
  CosAlgo algo = CosAlgo::POLYNOMIAL_APPROXIMATION;
};
inline constexpr CosConfig defaultCosConfig = {};

enum class ErfAlgo {
  PADE_APPROXIMATION = 0,
  SUBSECTION_POLYNOMIAL_APPROXIMATION,
};
struct ErfConfig {
  ErfAlgo algo = ErfAlgo::PADE_APPROXIMATION;
};
inline constexpr ErfConfig defaultErfConfig = {};

enum class SinAlgo { POLYNOMIAL_APPROXIMATION = 0, RADIAN_REDUCTION };
struct SinConfig {
  SinAlgo algo = SinAlgo::POLYNOMIAL_APPROXIMATION;
};
inline constexpr SinConfig defaultSinConfig = {};

enum class TanhAlgo { INTRINSIC = 0, SUBSECTION_COMPENSATION };
struct TanhConfig {
  TanhAlgo algo = TanhAlgo::INTRINSIC;
};
inline constexpr TanhConfig DEFAULT_TANH_CONFIG = {};

inline constexpr uint32_t FMOD_ITERATION_NUM_MAX = 11;
enum class FmodAlgo { NORMAL = 0, ITERATION_COMPENSATION = 1 };
struct FmodConfig {
  FmodAlgo algo = FmodAlgo::NORMAL;
  uint32_t iterationNum = FMOD_ITERATION_NUM_MAX;
};
inline constexpr FmodConfig DEFAULT_FMOD_CONFIG = {};

enum class PowerAlgo { INTRINSIC = 0, DOUBLE_FLOAT_TECH };
struct PowerConfig {
  PowerAlgo algo = PowerAlgo::INTRINSIC;
};
inline constexpr PowerConfig defaultPowerConfig = {};

enum class CumSumAlgorithm {
  CUMSUM_ALGORITHM_LINEBYLINE = 0,
  CUMSUM_ALGORITHM_SKLANSKY = 1,
};
// The algorithm is a choice of other chips.
struct CumSumConfig {
  bool isLastAxis{true};
  bool isReuseSource{false};
  bool outputLastRow{false};
  CumSumAlgorithm algorithm{CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
};
inline constexpr CumSumConfig defaultCumSumConfig = {};

struct CumSumInfo {
  uint32_t outter{0};
  uint32_t inner{0};
};

}  // namespace AscendC

namespace belay::api {

// Rows that are summed along side by side: a block of floats.
inline constexpr uint32_t kCumSumRows = 8;

// Bytes of temporary memory: two lines of floats; or three times eight rows.
BELAY_API constexpr uint64_t CumSumBytes(bool last_axis, uint64_t inner) {
  const uint64_t line = (inner * 4 + 31) / 32 * 32;
  return last_axis ? 3 * kCumSumRows * line : 2 * line;
}

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_MATH_CONFIGURATIONS_H_
