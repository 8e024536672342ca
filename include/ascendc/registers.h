// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_REGISTERS_H_
#define BELAY_ASCENDC_REGISTERS_H_

// The control register, and what instructions leave in registers for the
// scalar unit to read.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// Bits startBit to endBit.
template <int8_t startBit, int8_t endBit>
BELAY_API constexpr uint64_t RegisterField() {
  static_assert(0 <= startBit && startBit <= endBit && endBit < 64,
                "a field of CTRL: 0 <= startBit <= endBit <= 63");
  return ~uint64_t{0} >> (63 - (endBit - startBit)) << startBit;
}

BELAY_API void IssueControl(uint64_t value) {
  Instruction record{};
  record.op = Op::kSetCtrl;
  record.scalar = value;
  belay_issue(&record);
}

// A register that holds the bits of a T.
template <typename T>
BELAY_API T RegisterAs(abi::Register which) {
  const uint64_t bits = belay_get_register(which);
  T value;
  __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof(value));
  return value;
}

}  // namespace belay::api

namespace AscendC {

// Bit 48 is the one that means something on this chip: 1 keeps infinities and
// NaN, 0 saturates.
template <int8_t startBit, int8_t endBit>
BELAY_API void SetCtrlSpr(int64_t value) {
  constexpr uint64_t kField = belay::api::RegisterField<startBit, endBit>();
  belay::api::IssueControl(
      (belay_get_register(belay::abi::Register::kControl) & ~kField) |
      (static_cast<uint64_t>(value) << startBit & kField));
}
template <int8_t startBit, int8_t endBit>
BELAY_API int64_t GetCtrlSpr() {
  constexpr uint64_t kField = belay::api::RegisterField<startBit, endBit>();
  return static_cast<int64_t>(
      (belay_get_register(belay::abi::Register::kControl) & kField) >>
      startBit);
}

enum class SaturationMode : uint8_t { FLOAT, CAST };

// FLOAT is bit 48; conversions to integers (CAST) have no switch on this chip,
// they always saturate.
template <SaturationMode mode>
BELAY_API void SetSaturationFlag(bool enableSat) {
  if constexpr (mode == SaturationMode::FLOAT) {
    SetCtrlSpr<48, 48>(enableSat ? 0 : 1);
  } else if (!enableSat) {
    belay_not_on_chip("SetSaturationFlag<SaturationMode::CAST>(false)");
  }
}
template <SaturationMode mode>
BELAY_API bool GetSaturationFlag() {
  if constexpr (mode == SaturationMode::FLOAT) {
    return GetCtrlSpr<48, 48>() == 0;
  } else {
    return true;
  }
}

// Switches that kernels reach by the name of this class.
class AscendCUtils {
 public:
  // Bit 48: 1 keeps infinities and NaN, 0 saturates.
  BELAY_API static void SetOverflow(uint64_t ctrlValue) {
    SetCtrlSpr<48, 48>(ctrlValue != 0 ? 1 : 0);
  }
};

// The sum of the last ReduceSum by count. GetAccVal is the older name.
template <typename T>
BELAY_API T GetReduceRepeatSumSpr() {
  BELAY_TAKES(T, "GetReduceRepeatSumSpr", BELAY_HALF_FLOAT)
  return belay::api::RegisterAs<T>(belay::abi::Register::kReducedSum);
}
template <typename T>
BELAY_API T GetAccVal() {
  BELAY_TAKES(T, "GetAccVal", BELAY_HALF_FLOAT)
  return belay::api::RegisterAs<T>(belay::abi::Register::kReducedSum);
}

// The extremum over all repeats of the last maximum or minimum, and its index
// as bits of T. GetReduceMaxMinCount is the older name.
#define BELAY_REDUCED_EXTREMUM(name)                                    \
  template <typename T>                                                 \
  BELAY_API void name(T& maxMinValue, T& maxMinIndex) {                 \
    maxMinValue =                                                       \
        belay::api::RegisterAs<T>(belay::abi::Register::kReducedValue); \
    maxMinIndex =                                                       \
        belay::api::RegisterAs<T>(belay::abi::Register::kReducedIndex); \
  }                                                                     \
  template <typename T>                                                 \
  BELAY_API void name(T& maxMinValue) {                                 \
    maxMinValue =                                                       \
        belay::api::RegisterAs<T>(belay::abi::Register::kReducedValue); \
  }
BELAY_REDUCED_EXTREMUM(GetReduceRepeatMaxMinSpr)
BELAY_REDUCED_EXTREMUM(GetReduceMaxMinCount)
#undef BELAY_REDUCED_EXTREMUM

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_REGISTERS_H_
