// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_EXPORT_PROJECT_H_
#define BELAY_BENCH_EXPORT_PROJECT_H_

// A task as a question for whoever is to write its kernel: an operator project
// that `belay run` takes, with the kernel's body left out, and the question in
// words.

#include <filesystem>
#include <string>
#include <vector>

#include "bench/case.h"

namespace belay::bench {

struct ExportOptions {
  bool full = false;           // the host part may be changed, too
  const Case* only = nullptr;  // static: this one case; null: dynamic
};

struct ExportedFile {
  std::filesystem::path path;  // below the project's folder
  std::string text;
};

// question.md, op_host/, op_kernel/ and calls.sh.
std::vector<ExportedFile> ExportTask(const Task& task,
                                     const ExportOptions& options);

// Throws UserError where a file cannot be written.
void WriteProject(const std::vector<ExportedFile>& files,
                  const std::filesystem::path& folder);

// The arguments of `belay run` for one case, whose files lie in the folder
// `data` as `belay tasks run --write` leaves them: inputs, attributes, the
// shapes of the outputs and what they must be. An output whose shape only the
// data tell gets room for as many elements as the largest input has, and is
// not compared.
std::vector<std::string> CallArguments(const Task& task, const Case& one_case,
                                       const std::string& data);

// The value of an attribute as `belay run` takes it: "1e-05", "[0,1]".
std::string ValueText(const Value& value);

// Elements of the largest input: what an output has room for whose shape only
// the data tell.
int64_t LargestInput(const Task& task, const Case& one_case);

}  // namespace belay::bench

#endif  // BELAY_BENCH_EXPORT_PROJECT_H_
