// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_ADVICE_RULES_H_
#define BELAY_CLOCK_ADVICE_RULES_H_

// The rules behind advice.h. Each appends what it found worth saying.

#include <optional>
#include <string>
#include <vector>

#include "clock/advice.h"
#include "clock/repairs.h"

namespace belay::clock {

class Advisor {
 public:
  explicit Advisor(const Profiled& profiled);

  const Profiled& profiled() const { return profiled_; }
  // The log that rules change and have priced: the launch's own, or a part.
  const LaunchLog& log() const { return part_ ? *part_ : profiled_.log; }
  const std::vector<SiteFigures>& sites() const { return sites_; }

  double Microseconds(Ticks ticks) const {
    return ToMicroseconds(ticks, profiled_.spec.clock_mhz());
  }
  // All cores together times the time they take.
  double CoreMicroseconds() const;
  // What another log than log() saves, in microseconds of the whole launch.
  // Nothing if it cannot be replayed: changes to strange kernels may leave
  // waits without an end.
  double Saved(const LaunchLog& changed) const;
  // The same for a changed form of the whole launch's log, where a part would
  // mislead: what the L2 cache holds does not shrink with the launch.
  double SavedOnAll(const LaunchLog& changed) const;

  // Keeps the advice if it saves enough. `place` 0: no line.
  void Add(const char* code, uint64_t place, double saved, std::string message,
           std::string fix);

  // The load (or, without loads, store) that moves most bytes, of several the
  // first in the code; 0 without any.
  uint64_t MainMove() const;

  std::vector<Advice> Take();

 private:
  LaunchTime Price(const LaunchLog& log) const;
  double SavedOf(const LaunchTime& base, const LaunchLog& changed) const;

  const Profiled& profiled_;
  std::optional<LaunchLog> part_;
  LaunchTime base_;  // of log()
  std::vector<SiteFigures> sites_;
  std::vector<Advice> advice_;
};

// "2 KB", "96 bytes".
std::string SizeText(double bytes);

// Moves.
void AdviseLargerMoves(Advisor& advisor);  // P101
void AdviseAlignment(Advisor& advisor);    // P102
void AdviseBypass(Advisor& advisor);       // P109
void AdviseStaggering(Advisor& advisor);   // P110
// The core.
void AdviseBanks(Advisor& advisor);          // P103
void AdviseSecondBuffers(Advisor& advisor);  // P104
void AdviseScalarLoops(Advisor& advisor);    // P105
void AdviseLongerVectors(Advisor& advisor);  // P111
void AdviseFullBarriers(Advisor& advisor);   // P112
void AdviseReductions(Advisor& advisor);     // P113
void AdviseEarlierLoads(Advisor& advisor);   // P114
// Blocks.
void AdviseBlocks(Advisor& advisor);  // P106, P107, P108

}  // namespace belay::clock

#endif  // BELAY_CLOCK_ADVICE_RULES_H_
