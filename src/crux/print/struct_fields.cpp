// SPDX-License-Identifier: Apache-2.0
#include "crux/print/struct_fields.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <map>

#include "base/error.h"

namespace belay::crux::print {

const std::vector<std::string_view>& FieldTypesOf(std::string_view type) {
  using Types = std::vector<std::string_view>;
  static const std::map<std::string_view, Types> kStructs = {
      {"BinaryRepeatParams",
       {"uint8_t", "uint8_t", "uint8_t", "uint8_t", "uint8_t", "uint8_t"}},
      {"BrcbRepeatParams", {"uint16_t", "uint16_t"}},
      {"CopyRepeatParams", {"uint16_t", "uint16_t", "uint16_t", "uint16_t"}},
      {"DataCopyExtParams",
       {"uint16_t", "uint32_t", "uint32_t", "uint32_t", "uint32_t"}},
      {"DataCopyPadExtParams", {"bool", "uint8_t", "uint8_t", "T"}},
      {"DataCopyParams", {"uint16_t", "uint16_t", "uint16_t", "uint16_t"}},
      {"GatherMaskParams", {"uint8_t", "uint16_t", "uint16_t", "uint8_t"}},
      {"GatherRepeatParams", {"uint8_t", "uint16_t"}},
      {"TransDataTo5HDParams",
       {"bool", "bool", "uint8_t", "uint16_t", "uint16_t"}},
      {"UnaryRepeatParams", {"uint16_t", "uint16_t", "uint8_t", "uint8_t"}},
  };
  const auto found = kStructs.find(type);
  if (found == kStructs.end()) {
    throw InternalError(
        fmt::format("[crux] the fields of {} are not known", type));
  }
  return found->second;
}

std::string PaddingText(const code::Scalar& value, DType dtype,
                        const ScalarContext& context) {
  const bool zero =
      (value.kind == code::ScalarKind::kReal && value.real == 0) ||
      (value.kind == code::ScalarKind::kInt && value.integer.Is(0));
  if (zero) return "0";
  if (dtype != DType::kBfloat16) return ArgumentOf(value, dtype, context);
  const bool whole =
      value.kind == code::ScalarKind::kInt && value.integer.is_constant();
  if (whole || value.kind == code::ScalarKind::kReal) {
    const auto bits = std::bit_cast<uint32_t>(
        whole ? static_cast<float>(value.integer.value())
              : static_cast<float>(value.real));
    // To nearest even; NaN keeps a bit of its fraction.
    const uint32_t rounded = (bits & 0x7fffffffu) > 0x7f800000u
                                 ? bits >> 16 | 0x40u
                                 : (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
    return fmt::format("{:#06x}", rounded);
  }
  context.integers->helpers->insert(Helper::kBitCast);
  return fmt::format("BitCast<uint16_t>({})",
                     ArgumentOf(value, dtype, context));
}

}  // namespace belay::crux::print
