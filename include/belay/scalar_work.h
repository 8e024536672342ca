// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_SCALAR_WORK_H_
#define BELAY_SCALAR_WORK_H_

// How kernel code counts its scalar work. All of it is taken off belay_budget;
// what is not simple is counted by class, too, in the two words of
// belay_scalar_work. A class must not advance by 2^21 or more between two
// readings; belay_tick comes before that.

#include <stdint.h>

namespace belay::abi {

enum class ScalarClass : uint8_t {
  kStackLoad,   // of the kernel's own variables, as far as compiled code knows
  kStackStore,  // likewise
  kFloating,    // float arithmetic and conversions
  kMultiply,
  kDivide,
  kIdle,    // turns of loops that do nothing of the kernel's own: no work
  kSimple,  // all the rest: integer, logic, compare, branch; a call counts two
};

// Those that are counted by themselves.
inline constexpr int kScalarClasses = static_cast<int>(ScalarClass::kSimple);
inline constexpr int kScalarClassBits = 21;

constexpr int ScalarWordOf(ScalarClass which) {
  return static_cast<int>(which) / 3;
}
constexpr int ScalarShiftOf(ScalarClass which) {
  return static_cast<int>(which) % 3 * kScalarClassBits;
}

// One class of the difference of two readings of belay_scalar_work.
constexpr uint64_t ScalarCount(const uint64_t difference[2],
                               ScalarClass which) {
  return difference[ScalarWordOf(which)] >> ScalarShiftOf(which) &
         ((uint64_t{1} << kScalarClassBits) - 1);
}

}  // namespace belay::abi

#endif  // BELAY_SCALAR_WORK_H_
