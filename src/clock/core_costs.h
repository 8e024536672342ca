// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_CORE_COSTS_H_
#define BELAY_CLOCK_CORE_COSTS_H_

// What work costs inside one core, in ticks: the constants of a ClockSpec
// looked up once.

#include <vector>

#include "clock/clock_spec.h"
#include "clock/record.h"
#include "clock/ticks.h"

namespace belay::clock {

class CoreCosts {
 public:
  explicit CoreCosts(const ClockSpec& spec);

  Ticks Vector(const VectorWork& work) const {
    const VectorTicks& cost = vector_[work.cost];
    const Ticks base =
        cost.per_unit ? cost.start + static_cast<Ticks>(work.units) * cost.slope
                      : cost.start * static_cast<Ticks>(work.units) +
                            static_cast<Ticks>(work.repeats) * cost.slope;
    return base + work.odd_tail * tail_ + Conflicts(work);
  }
  // The part of it that is lost to bank conflicts.
  Ticks Conflicts(const VectorWork& work) const {
    return work.conflict_cycles * conflict_ + work.delayed_repeats * delay_;
  }
  Ticks Mmad(const CubeWork& work) const {
    return cube_start_ + static_cast<Ticks>(work.steps) * kTicksPerCycle;
  }
  Ticks Load(const CubeWork& work) const;
  Ticks Scalar(const ScalarWork& work) const;

  int queue_depth() const { return queue_depth_; }
  Ticks issue() const { return issue_; }
  Ticks dispatch() const { return dispatch_; }
  Ticks hand_over() const { return hand_over_; }
  Ticks barrier() const { return barrier_; }
  Ticks meet() const { return meet_; }
  Ticks notify() const { return notify_; }
  Ticks clean_line() const { return clean_line_; }
  Ticks read_clock() const { return read_clock_; }
  Ticks cached_store() const { return scalar_.cached_store; }

 private:
  struct VectorTicks {
    Ticks start;
    Ticks slope;
    bool per_unit;
  };
  struct ScalarTicks {
    Ticks simple, multiply, divide, floating, stack_load, stack_store,
        local_load, local_store, cached_load, cached_store;
  };

  std::vector<VectorTicks> vector_;
  ScalarTicks scalar_;
  Ticks tail_, conflict_, delay_;
  Ticks cube_start_, load_, load_3d_, load_table_, l0c_start_;
  double l0a_rate_, l0b_rate_, table_rate_, l0c_rate_;  // bytes a cycle
  int queue_depth_;
  Ticks issue_, dispatch_, hand_over_, barrier_, meet_, notify_, clean_line_,
      read_clock_;
};

}  // namespace belay::clock

#endif  // BELAY_CLOCK_CORE_COSTS_H_
