// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_CUBE_QUANTISE_H_
#define BELAY_NPU_CUBE_QUANTISE_H_

// What Fixpipe does to one element of L0C on its way out.
//
// The parameter of the modes with one, by bits: 0 to 31 the scale, a float of
// which the low 13 bits do not count; 32 to 35 a shift less one and 36 whether
// int32 is shifted right by it and clamped to 16 bits first; 37 to 45 a signed
// offset and 46 the result's sign, for 8-bit results. With ReLU what is below
// zero is scaled by zero.

#include <cstdint>

#include "belay/instruction.h"

namespace belay::npu {

constexpr bool TakesVector(abi::Quant quant) {
  return quant == abi::Quant::kVDeqF16 || quant == abi::Quant::kVQF322B8 ||
         quant == abi::Quant::kVReq8;
}
constexpr bool TakesParameter(abi::Quant quant) {
  return quant > abi::Quant::kF322BF16;
}

// AscendC's name of the mode: "VDEQF16".
const char* NameOf(abi::Quant quant);

// The bits of a 4-byte element as float or int32 (`from` says which) to the
// bits of one element of the mode's type. Saturating, half and bfloat16
// results clamp infinity and turn NaN to 0.
uint32_t Quantise(abi::Quant quant, abi::DType from, bool relu, bool saturate,
                  uint64_t parameter, uint32_t bits);

// Whether the chip has the mode from L0C's type to `to`.
bool Converts(abi::Quant quant, abi::DType from, abi::DType to);

}  // namespace belay::npu

#endif  // BELAY_NPU_CUBE_QUANTISE_H_
