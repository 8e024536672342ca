// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_STRUCT_FIELDS_H_
#define BELAY_CRUX_PRINT_STRUCT_FIELDS_H_

// The parameter structs of AscendC's calls: types of their fields, in the order
// braces take them.

#include <string>
#include <string_view>
#include <vector>

#include "base/dtype.h"
#include "crux/print/scalar_text.h"

namespace belay::crux::print {

// Throws InternalError for a struct that printed kernels never use.
const std::vector<std::string_view>& FieldTypesOf(std::string_view type);

// The padding of DataCopyPadExtParams<dtype>: of bfloat16_t the bits.
std::string PaddingText(const code::Scalar& value, DType dtype,
                        const ScalarContext& context);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_STRUCT_FIELDS_H_
