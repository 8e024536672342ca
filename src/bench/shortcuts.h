// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_SHORTCUTS_H_
#define BELAY_BENCH_SHORTCUTS_H_

// Wrong kernels that a task must refuse: constants, copies, kernels that skip
// an input, an attribute or part of the data, or compute too coarsely.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/compare.h"

namespace belay::bench {

// Which cases must refuse a shortcut: one of the task, or one of each column
// of dtypes, because kernels have a path for each.
enum class ShortcutScope { kTask, kTypes };

struct Shortcut {
  std::string name;  // "constant:y": what waivers name, the output after ':'
  std::string what;  // "writes zeros to y"
  ShortcutScope scope = ShortcutScope::kTask;
  // What the wrong kernel would write. Nothing: this case does not tell. No
  // arguments at all: the kernel cannot be written for this case.
  std::function<std::optional<Arguments>(const Truth&, ReferenceRunner&)> make;
  // Where only long sums tell: how many terms the longest had in the case that
  // `make` was called for last. Else null.
  std::shared_ptr<int64_t> terms = {};
};

// Sums of fewer terms in 16 bits are no worse than the rounding of the result.
inline constexpr int64_t kLongSum = 64;

// All that apply to the task's signature and these cases of it.
std::vector<Shortcut> ShortcutsOf(const Task& task,
                                  const std::vector<Case>& cases);

// The values an attribute takes in the cases, its default among them, each
// once, in the order met.
std::vector<Value> ValuesTaken(const AttributeSpec& attribute,
                               const std::vector<Case>& cases);

}  // namespace belay::bench

#endif  // BELAY_BENCH_SHORTCUTS_H_
