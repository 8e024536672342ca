// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_SUITE_H_
#define BELAY_BENCH_SUITE_H_

// All tasks of a folder, with the version and the hash that results carry.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bench/task.h"

namespace belay::bench {

struct Suite {
  std::string name;     // of suite.toml
  std::string version;  // of suite.toml
  std::string hash;     // over the ids and hashes of all tasks
  std::filesystem::path root;
  std::vector<Task> tasks;  // sorted by id
};

// Reads every task and family below `root` (a folder with suite.toml). Throws
// TaskError at the first file that cannot be read.
Suite LoadSuite(const std::filesystem::path& root);

// The tasks Belay ships.
Suite LoadShippedSuite();

// Reads one task (a folder with task.toml and reference.py) outside any suite;
// its id is the name of the folder.
Task LoadTask(const std::filesystem::path& folder);

// A whole id, its end ("Math/AbsMath", "AbsMath"), in any case of letters.
// Throws TaskError when none or several match, with suggestions.
const Task& FindTask(const Suite& suite, std::string_view name);

// Tasks whose id matches one of the patterns: an id, a prefix that ends at a
// slash ("level1", "level2/Norm"), or a name as in FindTask. All tasks if
// there are no patterns; each once, in the order of the suite.
std::vector<const Task*> SelectTasks(const Suite& suite,
                                     const std::vector<std::string>& patterns);

}  // namespace belay::bench

#endif  // BELAY_BENCH_SUITE_H_
