// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_AHEAD_LOOPS_H_
#define BELAY_CRUX_PRINT_AHEAD_LOOPS_H_

// Loops over items that load for the turn behind, where other variants have one
// that loads for its own. The first,
//
//   for (int64_t i = first - 1; i < end; ++i) {
//     if (i + 1 < end) {
//       const int64_t r = (i + 1) * rows;
//       CopyIn(r);
//     }
//     if (first <= i) {
//       const int64_t r = i * rows;
//       Compute();
//       CopyOut(r);
//     }
//   }
//
// is the second with 1 for 0, so that one text does for both.

#include <optional>

#include "crux/print/statement_tree.h"

namespace belay::crux::print {

// `plain` as a loop that loads 0 turns ahead, its statements with the shapes of
// those of `ahead`; nothing where they differ in more than names and numbers.
std::optional<Statement> LoadingAhead(const Statement& plain,
                                      const Statement& ahead,
                                      Vocabulary& vocabulary);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_AHEAD_LOOPS_H_
