// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_OUTPUT_SHORTCUTS_H_
#define BELAY_BENCH_OUTPUT_SHORTCUTS_H_

// Shortcuts that leave one output wrong and all others right: constants,
// copies of an input, unwritten parts, values in the noise.

#include <vector>

#include "bench/shortcuts.h"

namespace belay::bench {

void AddOutputShortcuts(const Task& task, size_t output,
                        std::vector<Shortcut>& shortcuts);

}  // namespace belay::bench

#endif  // BELAY_BENCH_OUTPUT_SHORTCUTS_H_
