// SPDX-License-Identifier: Apache-2.0
#include "trace/html_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "trace/page.h"
#include "trace/page_data.h"

namespace belay::trace {
namespace {

constexpr uint64_t kPageLimit = 4;                 // times the launch's
constexpr uintmax_t kLargestSource = 1024 * 1024;  // bytes

// Empty when it cannot be read or is too large to be a kernel.
std::string ReadSource(const std::string& file) {
  std::error_code error;
  const uintmax_t bytes = std::filesystem::file_size(file, error);
  if (error || bytes > kLargestSource) return "";
  std::ifstream stream(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace

HtmlWriter::HtmlWriter(std::string path, RunFacts facts, uint64_t limit)
    : path_(std::move(path)), facts_(std::move(facts)), limit_(limit) {
  if (!std::ofstream(path_, std::ios::binary | std::ios::trunc)) {
    throw UserError(fmt::format("[trace] cannot write '{}'", path_));
  }
}

void HtmlWriter::BeginLaunch(const clock::LaunchLog& log) {
  log_ = &log;
  const uint64_t left = limit_ * kPageLimit - kept_;
  timeline_.emplace(std::min(limit_, left));
}

void HtmlWriter::EndLaunch(const clock::LaunchTime& time) {
  timeline_->Complete();
  kept_ += timeline_->kept();
  launches_.push_back(LaunchForPage(*log_, time, *timeline_));
  ReadSources();
  timeline_.reset();
  log_ = nullptr;
}

void HtmlWriter::ReadSources() {
  for (const SliceKind& kind : timeline_->kinds()) {
    const auto place = log_->places.find(kind.place);
    if (place == log_->places.end() || !place->second.known()) continue;
    const std::string& file = place->second.file;
    if (!sources_.contains(file)) sources_[file] = ReadSource(file);
  }
}

void HtmlWriter::Finish() {
  nlohmann::json sources = nlohmann::json::array();
  for (const auto& [file, text] : sources_) {
    if (!text.empty()) sources.push_back({{"file", file}, {"text", text}});
  }
  const nlohmann::json data{{"chip", facts_.chip},
                            {"clock_mhz", facts_.clock_mhz},
                            {"model_error", facts_.model_error},
                            {"program", facts_.program},
                            {"ticks_per_cycle", clock::kTicksPerCycle},
                            {"limit", limit_},
                            {"sources", std::move(sources)},
                            {"launches", std::move(launches_)}};
  const std::string title =
      facts_.program.empty() ? "timeline" : facts_.program + " – timeline";
  const std::string page = MakePage(
      title,
      data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  std::ofstream file(path_, std::ios::binary | std::ios::trunc);
  file << page;
  file.close();
  if (!file) {
    throw UserError(fmt::format("[trace] writing '{}' failed", path_));
  }
}

}  // namespace belay::trace
