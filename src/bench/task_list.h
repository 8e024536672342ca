// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_TASK_LIST_H_
#define BELAY_BENCH_TASK_LIST_H_

// The page that lists every task with its dtypes, cases and formula.

#include <string>
#include <vector>

#include "bench/suite.h"

namespace belay::bench {

// Each dtype a word of the signature may mean, once, in the order of
// [[types]]; the word itself if it is a dtype.
std::vector<std::string> DTypesOf(const Task& task, const std::string& word);

// "x: f16, f32 [*S, N]; bias?: f32 [N]": the inputs for a reader. A list has
// "[]" after its name, an optional one "?".
std::string InputsInShort(const Task& task);

// Markdown: one table per folder of tasks. Depends on the tasks and the suite's
// version alone, so that the page can be compared with the code.
std::string MarkdownList(const Suite& suite,
                         const std::vector<const Task*>& tasks);

}  // namespace belay::bench

#endif  // BELAY_BENCH_TASK_LIST_H_
