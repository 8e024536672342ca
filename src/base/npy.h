// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASE_NPY_H_
#define BELAY_BASE_NPY_H_

// Tensors in numpy's .npy format, versions 1 and 2.
//
// numpy has no bfloat16: such tensors are written as uint16, and a caller that
// knows better sets Array::dtype after reading. int4 cannot be stored.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "base/dtype.h"
#include "base/shape.h"

namespace belay {

// A tensor in C order, little-endian.
struct Array {
  DType dtype = DType::kNone;
  Shape shape;
  std::vector<std::byte> data;
};

// Throws UserError naming the file, the rule and the value when the file is
// missing or malformed, big-endian or of a type that Belay does not have.
// Fortran order is converted.
Array ReadNpy(const std::filesystem::path& path);

// The same from bytes in memory; `name` stands for the file in messages.
Array ParseNpy(std::span<const std::byte> bytes, std::string_view name);

// Throws UserError when the file cannot be written or the type not stored, and
// InternalError when data and shape do not fit together.
void WriteNpy(const std::filesystem::path& path, const Array& array);

// The bytes of the file: version 1 where the header fits, data 64-byte aligned.
std::vector<std::byte> FormatNpy(const Array& array);

}  // namespace belay

#endif  // BELAY_BASE_NPY_H_
