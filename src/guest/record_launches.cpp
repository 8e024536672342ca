// SPDX-License-Identifier: Apache-2.0
#include "guest/record_launches.h"

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

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

}  // namespace

LaunchRecording* LaunchRecording::at_exit_ = nullptr;

LaunchRecording::LaunchRecording(runtime::Device& device, std::string path,
                                 uint64_t base, const SendLine& send)
    : recorder_(device.recorder()), path_(std::move(path)), send_(send) {
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
  clock::LogFile::Write(path_, recorder_->TakeLaunches());
  send_(nlohmann::json{{"unrecorded", recorder_->dropped()}}.dump());
  recorder_ = nullptr;
}

RecordedLaunches LoadLaunches(const std::string& path,
                              const std::vector<std::string>& lines,
                              toolchain::Symbolizer& symbolizer,
                              const RecordOptions& options) {
  RecordedLaunches recorded;
  if (std::filesystem::exists(path)) {
    recorded.launches = clock::LogFile::Read(path);
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
