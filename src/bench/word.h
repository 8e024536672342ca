// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_WORD_H_
#define BELAY_BENCH_WORD_H_

// Words of Python and C++ text.

#include <cctype>

namespace belay::bench {

// Whether `c` may stand in a name.
inline bool InWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace belay::bench

#endif  // BELAY_BENCH_WORD_H_
