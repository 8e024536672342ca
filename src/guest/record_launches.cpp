// SPDX-License-Identifier: Apache-2.0
#include "guest/record_launches.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "clock/log_file.h"

namespace belay::guest {
namespace {

void AddPlaces(toolchain::Symbolizer& symbolizer, clock::LaunchLog& log) {
  const auto add = [&](uint64_t place) {
    if (place == 0) return;
    const auto [entry, is_new] = log.places.try_emplace(place);
    if (!is_new) return;
    const auto frames = symbolizer.Frames(place);
    if (!frames.empty()) entry->second = frames.front();
  };
  add(log.first_pretended_place);
  for (const clock::BlockLog& block : log.logs) {
    block.records.ForEachFolded(
        [&](const clock::Record& record, uint64_t) { add(record.place); });
  }
}

void WriteAll(int file, const std::string& bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = write(file, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      throw UserError(fmt::format("[log] no room for {} bytes: {}",
                                  bytes.size(), std::strerror(errno)));
    }
    done += static_cast<size_t>(count);
  }
}

std::string ReadWhole(int file) {
  struct stat status{};
  if (fstat(file, &status) != 0) return {};
  std::string bytes(static_cast<size_t>(status.st_size), '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = pread(file, bytes.data() + done, bytes.size() - done,
                                static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace

Descriptor MakeLogFile() {
  Descriptor file(memfd_create("belay-launches", MFD_CLOEXEC));
  if (!file.valid()) {
    throw InternalError(
        fmt::format("[log] no memory for the logs: {}", std::strerror(errno)));
  }
  return file;
}

LaunchRecording* LaunchRecording::at_exit_ = nullptr;

LaunchRecording::LaunchRecording(runtime::Device& device, int file,
                                 uint64_t base, const SendLine& send)
    : recorder_(device.recorder()), file_(file), send_(send) {
  if (recorder_ == nullptr) return;
  recorder_->SetModuleBase(base);
  at_exit_ = this;
  std::atexit([] {
    if (at_exit_ != nullptr) at_exit_->Finish();
  });
}

LaunchRecording::~LaunchRecording() { at_exit_ = nullptr; }

void LaunchRecording::Finish() {
  if (recorder_ == nullptr) return;
  WriteAll(file_, clock::LogFile::Format(recorder_->TakeLaunches()));
  send_(nlohmann::json{{"unrecorded", recorder_->dropped()}}.dump());
  recorder_ = nullptr;
}

RecordedLaunches LoadLaunches(int file, const std::vector<std::string>& lines,
                              toolchain::Symbolizer& symbolizer,
                              const RecordOptions& options) {
  RecordedLaunches recorded;
  if (std::string bytes = ReadWhole(file); !bytes.empty()) {
    recorded.launches = clock::LogFile::Parse(std::move(bytes), "the log");
  }
  for (clock::LaunchLog& log : recorded.launches) AddPlaces(symbolizer, log);
  for (const std::string& line : lines) {
    const auto message = nlohmann::json::parse(line, nullptr, false);
    if (message.is_object() && message.contains("unrecorded")) {
      message["unrecorded"].get_to(recorded.unrecorded);
    }
  }
  if (!options.save_log.empty()) {
    clock::LogFile::Write(options.save_log, recorded.launches);
  }
  return recorded;
}

}  // namespace belay::guest
