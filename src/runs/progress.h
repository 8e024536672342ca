// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_PROGRESS_H_
#define BELAY_RUNS_PROGRESS_H_

// What a run says while it is under way, on standard error: a line for each
// result as it comes; rate, time left and counts below it on a terminal, or
// every ten seconds elsewhere.

#include <chrono>
#include <cstdio>
#include <map>
#include <string>

#include "runs/results.h"

namespace belay::runs {

class Progress {
 public:
  struct Options {
    bool results = true;    // a line for each
    bool status = true;     // the line of counts
    bool terminal = false;  // that is written over
  };
  Progress(std::FILE* out, Options options) : out_(out), options_(options) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Of `samples`, `reused` are known from the store.
  void Begin(size_t samples, size_t reused);
  void Ended(const Result& result);
  void Tick();

 private:
  using Clock = std::chrono::steady_clock;
  std::string StatusText() const;
  void ClearStatus();
  void ShowStatus();

  std::FILE* out_;
  Options options_;
  size_t samples_ = 0;
  size_t reused_ = 0;
  size_t judged_ = 0;
  std::map<std::string, int64_t> outcomes_;
  Clock::time_point begin_;
  Clock::time_point last_status_;
  bool status_shown_ = false;
};

}  // namespace belay::runs

#endif  // BELAY_RUNS_PROGRESS_H_
