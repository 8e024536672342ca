// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_OUTPUT_FILES_H_
#define BELAY_BENCH_OUTPUT_FILES_H_

// The outputs of a candidate, read from .npy files.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bench/inputs.h"

namespace belay::bench {

// Files by output; one for each tensor of a list.
using OutputFiles = std::map<std::string, std::vector<std::filesystem::path>>;

// The files of a folder as CaseFiles lays them out: ROLE.NAME.0.npy,
// ROLE.NAME.1.npy, … for each output that is present in the case. Throws
// UserError where the first of an output is missing.
OutputFiles FindOutputFiles(const Task& task, const Case& one_case,
                            const std::filesystem::path& folder,
                            const std::string& role);

// In the order of the signature; outputs that are absent in the case and have
// no files are not present. Files of uint16 hold what is declared as bf16.
// Throws UserError for a file that cannot be read, an output without files and
// a name that is no output.
Arguments ReadOutputs(const Task& task, const Case& one_case,
                      const OutputFiles& files);

}  // namespace belay::bench

#endif  // BELAY_BENCH_OUTPUT_FILES_H_
