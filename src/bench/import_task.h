// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_IMPORT_TASK_H_
#define BELAY_BENCH_IMPORT_TASK_H_

// Writes a task from a KernelBench or MultiKernelBench file.

#include <filesystem>
#include <string>

namespace belay::bench {

struct ImportOptions {
  int level = 1;
  std::string source = "KernelBench";
};

struct Imported {
  size_t edge_cases = 0;
  size_t real_cases = 0;
  size_t unknown_shapes = 0;  // outputs whose shape only the data tells
};

// Reads the model, finds sizes on which its forward() runs and the shapes of
// its outputs there, and writes task.toml and reference.py into `folder`.
// Throws TaskError BLY-K160 to K164; then nothing is left in the folder.
Imported ImportModel(const std::filesystem::path& file,
                     const std::filesystem::path& folder,
                     const ImportOptions& options);

}  // namespace belay::bench

#endif  // BELAY_BENCH_IMPORT_TASK_H_
