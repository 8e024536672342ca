// SPDX-License-Identifier: Apache-2.0
#include "runs/progress.h"

#include <fmt/format.h>

namespace belay::runs {
namespace {

constexpr std::chrono::seconds kBetweenStatusLines{10};
constexpr size_t kMostReason = 100;

std::string Duration(double seconds) {
  const auto whole = static_cast<int64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60,
                     whole % 60);
}

// The first line, cut.
std::string Short(const std::string& reason) {
  std::string text = reason.substr(0, reason.find('\n'));
  if (text.size() > kMostReason) text = text.substr(0, kMostReason) + "…";
  return text;
}

std::string LineOfResult(const Result& result) {
  const judge::Verdict& verdict = result.verdict;
  std::string text =
      fmt::format("{:<14} {}", NameOf(verdict.outcome), verdict.task);
  if (!result.sample.only_case.empty()) text += " " + verdict.problem;
  text += " " + result.sample.name;
  if (verdict.passed()) {
    if (verdict.speedup() > 0) {
      text += fmt::format("  {:.2f}x eager, {:.0f} % of bound",
                          verdict.speedup(), 100 * ShareOfBound(verdict));
    }
  } else {
    text += "  " + Short(verdict.reason);
  }
  return text;
}

}  // namespace

Progress::~Progress() { ClearStatus(); }

void Progress::Begin(size_t samples, size_t reused) {
  samples_ = samples;
  reused_ = reused;
  begin_ = last_status_ = Clock::now();
  if (reused > 0 && options_.status) {
    fmt::print(out_, "{} of {} samples are judged already\n", reused, samples);
  }
}

void Progress::Ended(const Result& result) {
  ++judged_;
  ++outcomes_[std::string(NameOf(result.verdict.outcome))];
  if (options_.results) {
    ClearStatus();
    fmt::print(out_, "{}\n", LineOfResult(result));
  }
  if (options_.terminal) ShowStatus();
  std::fflush(out_);
}

void Progress::Tick() {
  if (!options_.status) return;
  if (!options_.terminal && Clock::now() - last_status_ < kBetweenStatusLines) {
    return;
  }
  ShowStatus();
  std::fflush(out_);
}

std::string Progress::StatusText() const {
  const size_t done = reused_ + judged_;
  std::string text = fmt::format("{}/{}", done, samples_);
  const std::chrono::duration<double> passed = Clock::now() - begin_;
  if (judged_ > 0 && passed.count() > 0) {
    const double rate = static_cast<double>(judged_) / passed.count();
    text += rate >= 1 ? fmt::format("  {:.1f}/s", rate)
                      : fmt::format("  {:.1f}/min", 60 * rate);
    if (done < samples_) {
      text += fmt::format(
          "  {} left", Duration(static_cast<double>(samples_ - done) / rate));
    }
  }
  for (const auto& [name, count] : outcomes_) {
    text += fmt::format("  {} {}", name, count);
  }
  return text;
}

void Progress::ClearStatus() {
  if (!status_shown_) return;
  fmt::print(out_, "\r\033[K");
  status_shown_ = false;
}

void Progress::ShowStatus() {
  if (!options_.status) return;
  last_status_ = Clock::now();
  if (options_.terminal) {
    ClearStatus();
    fmt::print(out_, "{}", StatusText());
    status_shown_ = true;
  } else {
    fmt::print(out_, "{}\n", StatusText());
  }
}

}  // namespace belay::runs
