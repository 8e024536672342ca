// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_FRAME_H_
#define BELAY_CRUX_RUN_FRAME_H_

// What one block of a running program holds, and the values of expressions in
// it.

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "crux/run/program.h"

namespace belay::crux::run {

// The host values of one call.
struct HostTable {
  std::map<std::string, int64_t, std::less<>> integers;
  std::map<std::string, double, std::less<>> reals;
  std::map<std::string, std::vector<int64_t>, std::less<>> arrays;
};

struct Frame {
  Frame(const Program& program, const HostTable& host);

  const Program& program;
  std::vector<int64_t> values;  // integers; numbers as the bits of a float
  std::vector<LocalView> locals;
  std::vector<GlobalView> globals;
  std::vector<const std::vector<int64_t>*> arrays;
};

inline float RealOfBits(int64_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}
inline int64_t BitsOfReal(float value) {
  return static_cast<int64_t>(std::bit_cast<uint32_t>(value));
}

// Division by zero is warned of and gives 0, as in compiled code.
int64_t EvaluateInt(const Frame& frame, IntRef position);

// A scalar expression of floating dtype, and one of integers or bool: cut to
// its dtype and extended again. They read elements through the chip.
float EvaluateReal(const Frame& frame, ScalarRef position);
int64_t EvaluateWhole(const Frame& frame, ScalarRef position);

inline bool IsReal(const Frame& frame, ScalarRef position) {
  return IsFloating(frame.program.scalars[static_cast<size_t>(position)].dtype);
}

// The value cut to the integer dtype.
int64_t WrapTo(DType dtype, int64_t value);

LocalView At(const Frame& frame, const TensorRef& tensor);
GlobalView GlobalAt(const Frame& frame, const TensorRef& tensor);

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_FRAME_H_
