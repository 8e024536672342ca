// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_LIBRARY_USER_FRAMES_H_
#define BELAY_LIBRARY_USER_FRAMES_H_

// Which frames of a call chain are the user's: compilers other than Belay's
// give functions of our headers lines of their own.

#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"

namespace belay::library {

class UserFrames {
 public:
  // `headers` is the folder of Belay's headers; may not exist.
  explicit UserFrames(const std::filesystem::path& headers);

  // The frames without those in Belay's headers and those that only carry a
  // launch from host code to the kernel; the order stays.
  std::vector<SourceLocation> Keep(std::vector<SourceLocation> frames);

 private:
  bool IsOurs(const std::string& file);

  std::string headers_;
  std::unordered_map<std::string, bool> known_;  // by file
};

}  // namespace belay::library

#endif  // BELAY_LIBRARY_USER_FRAMES_H_
