// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REWRITE_REWRITE_FILES_H_
#define BELAY_REWRITE_REWRITE_FILES_H_

// Rewrites a source file and the headers of its project that need it.

#include <filesystem>
#include <string>
#include <vector>

namespace belay::rewrite {

struct FileOptions {
  std::filesystem::path source;
  std::filesystem::path output;
  // Where quoted includes are looked for after the folder of the including
  // file.
  std::vector<std::filesystem::path> include_dirs;
  // Folder for aclrtlaunch_<kernel>.h; empty: no launch functions.
  std::filesystem::path launch_headers;
  // Make rule of everything that was read; empty: none.
  std::filesystem::path dependencies;
};

// Writes `output`, whose lines name the source; headers that hold launches or
// raw attributes, and those that include such headers, are written beside it.
// Headers whose text would not change are left alone. Throws UserError when a
// file cannot be read or written.
void RewriteFile(const FileOptions& options);

}  // namespace belay::rewrite

#endif  // BELAY_REWRITE_REWRITE_FILES_H_
