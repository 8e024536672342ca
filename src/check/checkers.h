// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_CHECKERS_H_
#define BELAY_CHECK_CHECKERS_H_

// Runs the checkers that are asked for, and hands over what they found when a
// launch ends.

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "check/findings.h"
#include "npu/chip.h"
#include "npu/observer.h"

namespace belay::check {

class AutoSyncLog;

struct CheckOptions {
  bool memcheck = true;
  bool initcheck = true;
  bool racecheck = true;
  bool synccheck = true;
  // Whether the compiler orders pipes where the documents say it does.
  bool auto_sync = true;
  // Lists what it ordered.
  bool auto_sync_log = false;
  // Blocks whose findings count; empty: all.
  std::set<int> blocks;
  // Kinds of findings kept of one launch.
  size_t max_findings = 100;
};

// Sets which tools run from a list such as "memcheck,racecheck"; "all" is all.
// Throws UserError for other words.
void SelectTools(const std::string& list, CheckOptions& options);

class Checkers {
 public:
  using Sink = std::function<void(npu::Fault)>;

  // Attaches the checkers to `chip`, which must not be used once this is gone.
  // Findings go to `sink` when a launch ends: each kind once, in the order they
  // were met, with a note that says how often.
  Checkers(npu::Chip& chip, CheckOptions options, Sink sink);
  ~Checkers();
  Checkers(const Checkers&) = delete;
  Checkers& operator=(const Checkers&) = delete;

  const CheckOptions& options() const { return options_; }

  // Kinds of findings beyond the limit, over all launches so far.
  uint64_t dropped() const { return dropped_; }

 private:
  class BlockGate;
  class Handover;

  // As notes: how many kinds the limit left out, and what the compiler
  // ordered, if that was asked for.
  void TellDropped();
  void TellAutoSync();

  const CheckOptions options_;
  Sink sink_;
  Findings findings_;
  std::vector<std::unique_ptr<npu::Observer>> observers_;
  const AutoSyncLog* log_ = nullptr;
  uint64_t dropped_ = 0;
};

}  // namespace belay::check

#endif  // BELAY_CHECK_CHECKERS_H_
