// SPDX-License-Identifier: Apache-2.0
#include "base/rounding.h"

#include <array>

namespace belay {
namespace {

constexpr std::array<std::string_view, 7> kNames = {
    "CAST_NONE",  "CAST_RINT",  "CAST_FLOOR", "CAST_CEIL",
    "CAST_ROUND", "CAST_TRUNC", "CAST_ODD",
};

}  // namespace

std::string_view NameOf(Round mode) {
  const auto index = static_cast<size_t>(mode);
  return index < kNames.size() ? kNames[index] : "CAST_?";
}

std::optional<Round> ParseRound(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Round>(i);
  }
  return std::nullopt;
}

}  // namespace belay
