// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_TASK_READER_H_
#define BELAY_BENCH_TASK_READER_H_

// Turns the text of a task.toml into a Task.

#include <filesystem>
#include <string>

#include "bench/task.h"

namespace belay::bench {

struct TaskText {
  std::string id;
  std::filesystem::path file;
  std::filesystem::path reference_file;
  std::string toml;
  std::string reference;
  std::string answer;  // "FILE:KERNEL", unless the text gives it
};

// Checks everything that needs neither libtorch nor a case: keys, names,
// types, expressions and the names they use. Throws TaskError.
Task ReadTask(const TaskText& text);

}  // namespace belay::bench

#endif  // BELAY_BENCH_TASK_READER_H_
