// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_FAMILY_H_
#define BELAY_BENCH_FAMILY_H_

// Families: one folder of templates that stands for many tasks.

#include <filesystem>
#include <string>
#include <vector>

#include "bench/task_reader.h"

namespace belay::bench {

// The texts of a family's tasks: for each [[member]] of members.toml the
// templates task.toml and reference.py with every ${key} replaced by the
// member's value, or that of [defaults]. Ids are `parent`/<member's name>.
// Values may use ${…} themselves. A member's `answer` is that of its task and
// no value. Throws TaskError BLY-K116 for a key without a value or a value that
// nothing uses.
std::vector<TaskText> ExpandFamily(const std::filesystem::path& folder,
                                   const std::filesystem::path& parent);

}  // namespace belay::bench

#endif  // BELAY_BENCH_FAMILY_H_
