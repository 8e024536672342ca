// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/fill_pattern.h"

#include <bit>
#include <cstring>

#include "base/float16.h"
#include "register/op_param_def.h"

namespace belay::runtime {

std::vector<std::byte> FillPattern(
    const std::vector<abi::HostInitialValue>& values, size_t column) {
  using ops::ScalarType;
  if (values.empty()) return {};
  const abi::HostInitialValue& value =
      values.size() == 1 ? values.front() : values[column];
  if (value.type < 0) return {std::byte{0}};

  uint64_t bits = value.bits;
  size_t bytes = 0;
  switch (static_cast<ScalarType>(value.type)) {
    case ScalarType::UINT64:
    case ScalarType::INT64:
      bytes = 8;
      break;
    case ScalarType::UINT32:
    case ScalarType::INT32:
    case ScalarType::FLOAT32:
      bytes = 4;
      break;
    case ScalarType::FLOAT16:
      bits =
          HalfFromFloat(std::bit_cast<float>(static_cast<uint32_t>(bits))).bits;
      bytes = 2;
      break;
    case ScalarType::UINT16:
    case ScalarType::INT16:
      bytes = 2;
      break;
    default:
      bytes = 1;
  }
  std::vector<std::byte> pattern(bytes);
  std::memcpy(pattern.data(), &bits, bytes);
  return pattern;
}

}  // namespace belay::runtime
