// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_TASK_ERROR_H_
#define BELAY_BENCH_TASK_ERROR_H_

// What is wrong with a task file, as a diagnostic with code, file and line.

#include <filesystem>
#include <string>
#include <utility>

#include "base/catalogue.h"
#include "base/error.h"

namespace belay::bench {

class TaskError : public UserError {
 public:
  explicit TaskError(Diagnostic diagnostic)
      : UserError(ToText(diagnostic)), diagnostic_(std::move(diagnostic)) {}
  // `line` 0 is unknown; `fix` may be empty.
  TaskError(std::string code, const std::filesystem::path& file, int line,
            std::string message, std::string fix = "");

  const Diagnostic& diagnostic() const { return diagnostic_; }

 private:
  Diagnostic diagnostic_;
};

}  // namespace belay::bench

#endif  // BELAY_BENCH_TASK_ERROR_H_
