// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TRACE_HTML_WRITER_H_
#define BELAY_TRACE_HTML_WRITER_H_

// Launches as one page that opens from disk in any browser.

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "trace/timeline.h"
#include "trace/trace.h"

namespace belay::trace {

// Of a launch with more slices than `limit` some cores are left out, and the
// page says which. A page holds at most four times the limit; further launches
// have their times and no slices.
class HtmlWriter : public Writer {
 public:
  static constexpr uint64_t kDefaultLimit = 300'000;

  // Throws UserError when the file cannot be written.
  HtmlWriter(std::string path, RunFacts facts, uint64_t limit = kDefaultLimit);

  void BeginLaunch(const clock::LaunchLog& log) override;
  void EndLaunch(const clock::LaunchTime& time) override;
  void Finish() override;

  void OnSpan(const clock::Span& span) override { timeline_->OnSpan(span); }
  void OnFlow(const clock::Flow& flow) override { timeline_->OnFlow(flow); }
  void OnBuffer(int core, bool cube, clock::Ticks at,
                const clock::BufferWork& work) override {
    timeline_->OnBuffer(core, cube, at, work);
  }
  void OnMemory(const clock::MemorySample& sample) override {
    timeline_->OnMemory(sample);
  }

 private:
  void ReadSources();

  std::string path_;
  RunFacts facts_;
  uint64_t limit_;
  uint64_t kept_ = 0;  // slices, in all launches
  const clock::LaunchLog* log_ = nullptr;
  std::optional<Timeline> timeline_;
  nlohmann::json launches_ = nlohmann::json::array();
  std::map<std::string, std::string> sources_;  // text by file
};

}  // namespace belay::trace

#endif  // BELAY_TRACE_HTML_WRITER_H_
