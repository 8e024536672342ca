// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_JSON_H_
#define BELAY_RUNTIME_OPERATORS_JSON_H_

// Pieces that signatures, calls and plans have in common as JSON.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "runtime/operators/signature.h"

namespace belay::runtime {

// Two hexadecimal digits per byte.
std::string HexOf(const std::vector<std::byte>& bytes);
// Throws UserError when it is not that.
std::vector<std::byte> BytesFromHex(const std::string& text);

// The short name; "none" for kNone. The inverse throws UserError.
std::string DTypeToText(DType dtype);
DType DTypeFromText(const std::string& name);

// {"type": "Int", "value": 3}; null for no value. Floats that JSON does not
// have are texts: "inf", "-inf", "nan".
nlohmann::json ValueToJson(const AttributeValue& value);
AttributeValue ValueFromJson(const nlohmann::json& json);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_OPERATORS_JSON_H_
