// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_VIEWS_H_
#define BELAY_CRUX_RUN_VIEWS_H_

// LocalTensor and GlobalTensor without their element type, and arguments of
// AscendC calls with values.

#include <array>
#include <cstdint>

#include "base/dtype.h"

namespace belay::crux::run {

struct LocalView {
  uint64_t address = 0;
  uint32_t bytes = 0;
  uint8_t position = 0;  // a TPosition
  // What it may touch.
  uint64_t buffer = 0;
  uint64_t buffer_bytes = 0;

  // From `bytes` on, as operator[] counts.
  LocalView From(uint64_t skipped) const {
    LocalView view = *this;
    view.address += skipped;
    view.bytes =
        skipped < bytes ? bytes - static_cast<uint32_t>(skipped) : uint32_t{0};
    return view;
  }
};

struct GlobalView {
  uint64_t address = 0;
  uint64_t buffer = 0;  // as SetGlobalBuffer was told, with its size
  uint64_t elements = 0;
  bool past_l2 = false;

  GlobalView From(uint64_t skipped) const {
    return {address + skipped, buffer, elements, past_l2};
  }
};

// One argument of a call. Which member counts follows from the function.
struct Argument {
  LocalView local;
  GlobalView global;
  int64_t whole = 0;  // integers and words
  float real = 0;     // numbers of floating dtypes
  bool is_real = false;
  std::array<int64_t, 8> fields{};  // of a struct
};

// Of one call.
inline constexpr size_t kMostArguments = 12;

// Of a float or integer argument: C++'s conversion, halves to nearest even.
template <typename T>
T NumberAs(const Argument& argument) {
  return argument.is_real ? static_cast<T>(argument.real)
                          : static_cast<T>(argument.whole);
}

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_VIEWS_H_
