// SPDX-License-Identifier: Apache-2.0
#include "guest/work_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <mutex>

#include "base/error.h"

namespace belay::guest {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kPrefix = "belay-work-";
constexpr std::string_view kLock = ".in-use";

// Whoever makes a folder has locked it long before this.
constexpr std::chrono::minutes kYoung(1);

int OpenLocked(const fs::path& file, int flags) {
  const int lock = open(file.c_str(), flags | O_RDWR | O_CLOEXEC, 0600);
  if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0) {
    close(lock);
    return -1;
  }
  return lock;
}

// A folder that cannot be read or removed stays: it is not what the caller came
// for.
void RemoveAbandoned(const fs::path& folder) {
  std::error_code error;
  const auto made = fs::last_write_time(folder / kLock, error);
  if (error || fs::file_time_type::clock::now() - made < kYoung) return;
  const int lock = OpenLocked(folder / kLock, 0);
  if (lock < 0) return;
  fs::remove_all(folder, error);
  close(lock);
}

void RemoveAllAbandoned(const fs::path& parent) {
  std::error_code error;
  for (fs::directory_iterator i(parent, error), end; !error && i != end;
       i.increment(error)) {
    if (i->path().filename().string().starts_with(kPrefix)) {
      RemoveAbandoned(i->path());
    }
  }
}

}  // namespace

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
  const fs::path parent = fs::temp_directory_path();
  static std::once_flag removed;
  std::call_once(removed, RemoveAllAbandoned, parent);
  std::string pattern = (parent / fmt::format("{}XXXXXX", kPrefix)).string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw UserError(
        fmt::format("[run] cannot make a folder in '{}'", parent.string()));
  }
  path_ = pattern;
  lock_ = OpenLocked(path_ / kLock, O_CREAT);
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (!keep_) fs::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
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
