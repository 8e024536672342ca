// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_ITERATIONS_H_
#define BELAY_CRUX_INTERPRET_ITERATIONS_H_

// The iterations of `cores` loops while they run: which of them may meet in an
// element of global memory and which may not.

#include <cstdint>
#include <string>
#include <vector>

#include "crux/interpret/value.h"

namespace belay::crux::interpret {

// 0 is what happens once, outside `cores`.
using IterationId = uint32_t;
inline constexpr IterationId kLastIteration = (uint32_t{1} << 31) - 1;

class Iterations {
 public:
  explicit Iterations(Budget& budget) : budget_(&budget) {}

  // A `cores` loop begins and ends; loops may nest. The name must live on.
  void EnterLoop(const std::string& name, bool by_range);
  void LeaveLoop();

  // The next iteration of the innermost loop, and its end.
  void Enter(Range position);
  void Leave();

  IterationId current() const { return current_; }

  // Where the loops around stand, outermost first.
  std::vector<int64_t> Positions() const;

  // Whether two accesses have no order: both in iterations of one run of one
  // loop, and not in the same one.
  bool Independent(IterationId a, IterationId b) const;

  // Whether it belongs to the `cores` loops now running.
  bool InRunningLoop(IterationId id) const { return id >= base_; }

  // "r = 3, c = 64:128" of an iteration of the loops around.
  std::string ToText(IterationId id) const;

 private:
  struct LoopRun {
    const std::string* name = nullptr;
    bool by_range = false;
    uint32_t run = 0;
    IterationId outside = 0;  // where it was begun
  };
  struct Iteration {
    IterationId parent = 0;
    uint32_t run = 0;
    uint32_t depth = 0;  // of its loop
    bool by_range = false;
    const std::string* name = nullptr;
    Range position;
  };

  const Iteration& At(IterationId id) const { return iterations_[id - base_]; }

  Budget* budget_;
  std::vector<LoopRun> loops_;
  // Those of the outermost loop now running, and loops inside it.
  std::vector<Iteration> iterations_;
  Reservation memory_;
  size_t reserved_ = 0;
  IterationId base_ = 1;
  IterationId next_ = 1;
  IterationId current_ = 0;
  uint32_t runs_ = 0;
};

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_ITERATIONS_H_
