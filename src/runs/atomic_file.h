// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_ATOMIC_FILE_H_
#define BELAY_RUNS_ATOMIC_FILE_H_

// Files that are there as a whole or not at all.

#include <filesystem>
#include <string>
#include <string_view>

namespace belay::runs {

// Writes beside the file, synchronises and renames: whoever reads sees the old
// text or the new one, whenever this process is killed. Throws UserError.
void WriteAtomically(const std::filesystem::path& file, std::string_view text,
                     unsigned mode = 0644);

// Throws UserError when it cannot be read.
std::string ReadWhole(const std::filesystem::path& file);

}  // namespace belay::runs

#endif  // BELAY_RUNS_ATOMIC_FILE_H_
