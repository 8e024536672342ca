// SPDX-License-Identifier: Apache-2.0
#include "library/user_frames.h"

#include <algorithm>

namespace belay::library {
namespace fs = std::filesystem;
namespace {

std::string Canonical(const fs::path& path) {
  std::error_code ignored;
  return fs::weakly_canonical(path, ignored).string();
}

// The name of a function that belay/host_launch.h has its hand in, in source
// form or as the linker knows it.
bool CarriesLaunch(const std::string& function) {
  return function.find("belay::host::") != std::string::npos ||
         function.find("5belay4host") != std::string::npos;
}

}  // namespace

UserFrames::UserFrames(const fs::path& headers)
    : headers_(Canonical(headers) + "/") {}

bool UserFrames::IsOurs(const std::string& file) {
  const auto [entry, is_new] = known_.try_emplace(file, false);
  if (is_new) entry->second = Canonical(file).starts_with(headers_);
  return entry->second;
}

std::vector<SourceLocation> UserFrames::Keep(
    std::vector<SourceLocation> frames) {
  std::erase_if(frames, [this](const SourceLocation& frame) {
    return CarriesLaunch(frame.function) || IsOurs(frame.file);
  });
  return frames;
}

}  // namespace belay::library
