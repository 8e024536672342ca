// SPDX-License-Identifier: Apache-2.0
#include "profile/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace belay::profile {

Progress::Progress(const clock::LaunchLog& log, std::string title)
    : title_(std::move(title)),
      next_(std::chrono::steady_clock::now() + std::chrono::seconds(1)) {
  for (const clock::BlockLog& block : log.logs) all_ += block.records.size();
}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r{:60}\r", "");
}

void Progress::OnSpan(const clock::Span& span) {
  if (span.pipe != abi::Pipe::kS) return;
  constexpr uint64_t kSeldom = 1 << 14;
  if (++seen_ % kSeldom == 0) Show();
}

void Progress::Show() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(500);
  shown_ = true;
  const uint64_t percent =
      all_ == 0 ? 0 : std::min<uint64_t>(99, 100 * seen_ / all_);
  fmt::print(stderr, "\rreplaying {:.40}: {} %", title_, percent);
  std::fflush(stderr);
}

}  // namespace belay::profile
