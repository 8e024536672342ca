// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_CORE_ESTIMATE_H_
#define BELAY_CLOCK_CORE_ESTIMATE_H_

// The time of one core as if it were alone, while its program still runs: what
// GetSystemCycle answers from.

#include <memory>

#include "clock/clock_spec.h"
#include "clock/record.h"
#include "clock/ticks.h"

namespace belay::clock {

class CoreEstimate {
 public:
  // `spec` must outlive it.
  CoreEstimate(const ClockSpec& spec, bool cube);
  ~CoreEstimate();

  // Records in program order, with the scalar work before each. Other blocks
  // are never waited for.
  void Feed(const Record& record, const ScalarWork& work);

  // Since the first record: when the scalar unit is behind the last one.
  Ticks Now() const;

 private:
  class Alone;
  std::unique_ptr<Alone> alone_;
};

}  // namespace belay::clock

#endif  // BELAY_CLOCK_CORE_ESTIMATE_H_
