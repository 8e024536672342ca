// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_API_NOT_YET_H_
#define BELAY_TESTS_API_NOT_YET_H_

// Expected cells of the sweep that are not green yet, with reasons.

#include <array>

namespace belay::sweep {

// Expected cells that are not green yet: all cells of a row, or of a row and
// a mark. An entry without such cells fails the run: the list only shrinks.
struct NotYet {
  const char* table;
  const char* row;
  const char* mark;  // "" for every mark
  const char* reason;
};

inline constexpr std::array<NotYet, 0> kNotYet{};

}  // namespace belay::sweep

#endif  // BELAY_TESTS_API_NOT_YET_H_
