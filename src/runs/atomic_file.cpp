// SPDX-License-Identifier: Apache-2.0
#include "runs/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "guest/channel.h"

namespace belay::runs {
namespace {

[[noreturn]] void CannotWrite(const std::filesystem::path& file) {
  throw UserError(fmt::format("[run] '{}' cannot be written: {}", file.string(),
                              std::strerror(errno)));
}

void WriteAll(int fd, std::string_view text,
              const std::filesystem::path& file) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) CannotWrite(file);
    text.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace

void WriteAtomically(const std::filesystem::path& file, std::string_view text,
                     unsigned mode) {
  const std::filesystem::path aside = file.string() + ".part";
  // Left by a process that was killed, perhaps with another mode.
  std::filesystem::remove(aside);
  const guest::Descriptor out(
      open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
  if (!out.valid()) CannotWrite(file);
  WriteAll(out.get(), text, file);
  if (fsync(out.get()) != 0) CannotWrite(file);
  if (rename(aside.c_str(), file.c_str()) != 0) CannotWrite(file);
  // The name, too: a folder is synchronised like a file.
  const std::filesystem::path folder =
      file.has_parent_path() ? file.parent_path() : ".";
  const guest::Descriptor name(
      open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (name.valid()) fsync(name.get());
}

std::string ReadWhole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in.is_open() || in.bad()) {
    throw UserError(fmt::format("[run] '{}' cannot be read: {}", file.string(),
                                std::strerror(errno)));
  }
  return text;
}

}  // namespace belay::runs
