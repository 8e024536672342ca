// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_APPEND_TEXT_H_
#define BELAY_BENCH_APPEND_TEXT_H_

// Text that is written piece by piece.

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

namespace belay::bench {

template <typename... Arguments>
void Append(std::string& text, fmt::format_string<Arguments...> format,
            Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format,
                 std::forward<Arguments>(arguments)...);
}

}  // namespace belay::bench

#endif  // BELAY_BENCH_APPEND_TEXT_H_
