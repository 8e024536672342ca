// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASE_NPY_HEADER_H_
#define BELAY_BASE_NPY_HEADER_H_

// The header of a .npy file: a Python dictionary in text.

#include <string>
#include <string_view>

#include "base/dtype.h"
#include "base/shape.h"

namespace belay::npy {

struct Header {
  DType dtype = DType::kNone;
  bool fortran_order = false;
  Shape shape;
};

// Reads "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }".
// `file` stands in messages. Throws UserError.
Header ParseHeader(std::string_view text, std::string_view file);

// The same text as numpy writes it, without padding. Throws UserError for a
// type that numpy does not have.
std::string FormatHeader(const Header& header);

}  // namespace belay::npy

#endif  // BELAY_BASE_NPY_HEADER_H_
