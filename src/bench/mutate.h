// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_MUTATE_H_
#define BELAY_BENCH_MUTATE_H_

// Variants of tasks that nobody can have seen: other names of tensors and
// attributes, other shapes and values of attributes, other inputs.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "bench/task.h"

namespace belay::bench {

struct Variant {
  std::string toml;                            // of task.toml
  std::string reference;                       // of reference.py
  std::map<std::string, std::string> renamed;  // old name -> new name
  int changed_groups = 0;  // groups of cases with other shapes or attributes
  int kept_groups = 0;     // groups whose shapes depend on each other
};

// The same seed gives the same variant. Changed shapes and attributes are tried
// on the reference; a group of cases on which it fails keeps what it had.
// Throws TaskError where the task itself does not run.
Variant MutateTask(const Task& task, uint64_t seed);

// Writes task.toml and reference.py. Throws TaskError BLY-K128 if the folder
// has files already or cannot be written, or if what was written is no task.
void WriteVariant(const Variant& variant, const std::filesystem::path& folder);

// Renames words of an expression or a text; members (`.x`) and, inside
// parentheses of code, keywords (`x=`) stay.
std::string RenameWords(const std::string& text,
                        const std::map<std::string, std::string>& renamed,
                        bool is_code);

}  // namespace belay::bench

#endif  // BELAY_BENCH_MUTATE_H_
