// SPDX-License-Identifier: Apache-2.0
#include "guest/work_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <fstream>

#include "base/error.h"

namespace belay::guest {
namespace fs = std::filesystem;

WorkFolder::WorkFolder(const std::string& keep) : keep_(!keep.empty()) {
  if (keep_) {
    path_ = keep;
    std::error_code error;
    fs::create_directories(path_, error);
    if (error) {
      throw UserError(fmt::format("[run] cannot make folder '{}': {}", keep,
                                  error.message()));
    }
    return;
  }
  std::string pattern = (fs::temp_directory_path() / "belay-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw UserError(fmt::format("[run] cannot make a folder in '{}'",
                                fs::temp_directory_path().string()));
  }
  path_ = pattern;
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (!keep_) fs::remove_all(path_, ignored);
}

std::string WorkFolder::Write(std::string_view name,
                              std::string_view text) const {
  const std::string file = File(name);
  std::ofstream out(file, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!out.flush()) {
    throw UserError(fmt::format("[run] cannot write '{}'", file));
  }
  return file;
}

}  // namespace belay::guest
