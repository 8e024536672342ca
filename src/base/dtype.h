// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASE_DTYPE_H_
#define BELAY_BASE_DTYPE_H_

// Element types of tensors, by the names the ecosystem uses.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "belay/instruction.h"

namespace belay {

using DType = abi::DType;

// Width of one element in bits (4 for int4).
int BitsOf(DType dtype);

// Bytes `count` elements take, packed; int4 counts must be even.
size_t BytesOf(DType dtype, size_t count = 1);

// Short name: "f16", "bf16", "f32", "i8", "u8", "i4", "bool", "c64", …
std::string_view NameOf(DType dtype);

// AscendC's name: "half", "bfloat16_t", "float", "int8_t", …
std::string_view AscendNameOf(DType dtype);

// Accepts short names, AscendC's and numpy's ("float16"); nothing if unknown.
std::optional<DType> ParseDType(std::string_view name);

bool IsFloating(DType dtype);
bool IsSigned(DType dtype);

}  // namespace belay

#endif  // BELAY_BASE_DTYPE_H_
