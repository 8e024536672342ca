// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_INPUT_FILES_H_
#define BELAY_TOOLCHAIN_INPUT_FILES_H_

// What a compilation saw of the file system: enough to tell later whether it
// would see the same again.

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace belay::toolchain {

struct FileStamp {
  uint64_t bytes = 0;
  int64_t modified = 0;  // nanoseconds since 1970

  bool operator==(const FileStamp&) const = default;
};

struct InputFiles {
  // The user's files: XXH3 of their text, in hexadecimal.
  std::map<std::string, std::string> contents;
  // Belay's and the system's headers and precompiled ones, which change with
  // an installation only.
  std::map<std::string, FileStamp> stamps;
  // What was looked for and not found: one that appears may be found instead
  // of what was.
  std::set<std::string> absent;
  // The text asks for date or time.
  bool depends_on_time = false;
  // One of the user's files names what tells the types of core apart.
  bool asks_core_type = false;
};

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_INPUT_FILES_H_
