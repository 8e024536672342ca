// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_CONCAT_H_
#define BELAY_CRUX_PRINT_CONCAT_H_

// Texts behind one another, for lines that are printed by the thousand: a format
// would have to be read for each.

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace belay::crux::print {

inline std::string Concat(std::initializer_list<std::string_view> texts) {
  size_t size = 0;
  for (const std::string_view text : texts) size += text.size();
  std::string result;
  result.reserve(size);
  for (const std::string_view text : texts) result += text;
  return result;
}

// With `between` between any two.
inline std::string Joined(std::span<const std::string> texts,
                          std::string_view between) {
  size_t size = 0;
  for (const std::string& text : texts) size += text.size() + between.size();
  std::string result;
  result.reserve(size);
  for (const std::string& text : texts) {
    if (&text != texts.data()) result += between;
    result += text;
  }
  return result;
}

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_CONCAT_H_
