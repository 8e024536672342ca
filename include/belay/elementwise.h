// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ELEMENTWISE_H_
#define BELAY_ELEMENTWISE_H_

// A function of single elements in the high-level library, as a value: the
// headers a kernel includes hand it over, the library issues the vector
// instructions it is made of, all at the caller's line.

#include <stdint.h>

#include "belay/instruction.h"

namespace belay::abi {

enum class Elementwise : uint16_t {
#define BELAY_ELEMENTWISE(name, registers, masks) k##name,
#include "belay/elementwise.def"
#undef BELAY_ELEMENTWISE
  kCount,
};

// The temporary memory a function works in: `registers` floats and `masks`
// bits for each element of a piece. Pieces hold multiples of 64 elements.
struct ElementwiseWork {
  uint32_t registers;
  uint32_t masks;

  static constexpr uint64_t kLanes = 64;

  // Bytes that a piece of `lanes` lanes takes; `lanes` a multiple of 64.
  constexpr uint64_t Bytes(uint64_t lanes) const {
    return registers * lanes * 4 + masks * ((lanes / 8 + 31) / 32 * 32);
  }
  // The least a function can work in.
  constexpr uint64_t Least() const { return Bytes(kLanes); }
  // Lanes of the largest piece in `bytes`, which are not less than Least().
  constexpr uint64_t Lanes(uint64_t bytes) const {
    const uint64_t lanes = (bytes - 32 * masks) * 8 / (32 * registers + masks);
    return lanes < kLanes ? kLanes : lanes / kLanes * kLanes;
  }
};

inline constexpr ElementwiseWork kElementwiseWork[] = {
#define BELAY_ELEMENTWISE(name, registers, masks) {registers, masks},
#include "belay/elementwise.def"
#undef BELAY_ELEMENTWISE
};

constexpr ElementwiseWork WorkOf(Elementwise function) {
  return kElementwiseWork[static_cast<int>(function)];
}

// dst[i] = function(src0[i] [, src1[i]]) for the first `count` elements. A
// source without a type is `scalar` in every lane.
struct ElementwiseCall {
  const char* name;  // as the kernel calls it, for messages
  Elementwise function;
  uint8_t level;  // Exp: terms of the series
  uint64_t count;
  float scalar;        // of floats; a parameter of Swish and SwiGLU
  int32_t scalar_int;  // of integers
  Operand dst;
  Operand src0;
  Operand src1;
  Operand temporary;
  uint64_t temporary_bytes;
};

}  // namespace belay::abi

extern "C" {

void belay_elementwise(const belay::abi::ElementwiseCall* call);
}

#endif  // BELAY_ELEMENTWISE_H_
