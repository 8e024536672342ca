// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_PROFILE_PROGRESS_H_
#define BELAY_PROFILE_PROGRESS_H_

// How far a long replay is, on standard error.

#include <chrono>
#include <cstdint>
#include <string>

#include "clock/replay.h"

namespace belay::profile {

// Says nothing of replays that take less than a second.
class Progress : public clock::TimelineSink {
 public:
  Progress(const clock::LaunchLog& log, std::string title);
  // Takes the line back.
  ~Progress() override;

  void OnSpan(const clock::Span& span) override;

 private:
  void Show();

  const std::string title_;
  uint64_t all_ = 0;   // records of the log
  uint64_t seen_ = 0;  // of them, as the scalar unit issues them
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace belay::profile

#endif  // BELAY_PROFILE_PROGRESS_H_
