// SPDX-License-Identifier: Apache-2.0
#include "base/kernel_name.h"

#include <cctype>

namespace belay {
namespace {

bool IsCapital(char c) { return std::isupper(static_cast<unsigned char>(c)); }
bool IsSmall(char c) { return std::islower(static_cast<unsigned char>(c)); }
bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

}  // namespace

std::string KernelNameOf(std::string_view type) {
  std::string name;
  for (size_t i = 0; i < type.size(); ++i) {
    if (IsCapital(type[i]) && i > 0) {
      const char before = type[i - 1];
      const bool small_follows = i + 1 < type.size() && IsSmall(type[i + 1]);
      if (IsSmall(before) || IsDigit(before) ||
          (IsCapital(before) && small_follows)) {
        name += '_';
      }
    }
    name +=
        static_cast<char>(std::tolower(static_cast<unsigned char>(type[i])));
  }
  return name;
}

}  // namespace belay
