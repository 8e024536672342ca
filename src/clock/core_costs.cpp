// SPDX-License-Identifier: Apache-2.0
#include "clock/core_costs.h"

#include <algorithm>

namespace belay::clock {

CoreCosts::CoreCosts(const ClockSpec& spec) {
  const auto cycles = [&](std::string_view key) {
    return FromCycles(spec.Value(key));
  };
  const auto microseconds = [&](std::string_view key) {
    return FromCycles(spec.Value(key) * spec.clock_mhz());
  };
  for (const VectorCost& cost : spec.vector_costs()) {
    vector_.push_back({FromCycles(cost.start.value),
                       FromCycles(cost.slope.value), cost.per_unit});
  }
  scalar_ = {cycles("scalar.simple"),      cycles("scalar.multiply"),
             cycles("scalar.divide"),      cycles("scalar.floating"),
             cycles("scalar.stack_load"),  cycles("scalar.stack_store"),
             cycles("scalar.local_load"),  cycles("scalar.local_store"),
             cycles("scalar.cached_load"), cycles("scalar.cached_store")};
  tail_ = cycles("bank.tail");
  conflict_ = cycles("bank.conflict");
  delay_ = cycles("bank.delay");
  cube_start_ = cycles("cube.start");
  load_ = cycles("cube.load");
  load_3d_ = cycles("cube.load_3d");
  load_table_ = cycles("cube.load_table");
  l0c_start_ = cycles("cube.l0c_start");
  l0a_rate_ = spec.Value("cube.l0a_rate");
  l0b_rate_ = spec.Value("cube.l0b_rate");
  table_rate_ = spec.Value("cube.table_rate");
  l0c_rate_ = spec.Value("cube.l0c_rate");
  queue_depth_ = std::max(1, static_cast<int>(spec.Value("sync.queue_depth")));
  issue_ = cycles("scalar.issue");
  dispatch_ = cycles("sync.dispatch");
  hand_over_ = cycles("sync.hand_over");
  barrier_ = cycles("sync.barrier");
  meet_ = microseconds("sync.meet_us");
  notify_ = microseconds("sync.notify_us");
  clean_line_ = cycles("scalar.clean_line");
  read_clock_ = cycles("scalar.read_clock");
}

Ticks CoreCosts::Load(const CubeWork& work) const {
  const auto bytes = static_cast<double>(work.bytes);
  switch (work.to) {
    case abi::Memory::kL0a:
      return (work.three_d ? load_3d_ : load_) + FromCycles(bytes / l0a_rate_);
    case abi::Memory::kL0b:
      return (work.three_d ? load_3d_ : load_) + FromCycles(bytes / l0b_rate_);
    case abi::Memory::kL1:
      return l0c_start_ + FromCycles(bytes / l0c_rate_);
    default:
      return load_table_ + FromCycles(bytes / table_rate_);
  }
}

Ticks CoreCosts::Scalar(const ScalarWork& work) const {
  return work.simple * scalar_.simple + work.multiply * scalar_.multiply +
         work.divide * scalar_.divide + work.floating * scalar_.floating +
         work.stack_load * scalar_.stack_load +
         work.stack_store * scalar_.stack_store +
         work.local_load * scalar_.local_load +
         work.local_store * scalar_.local_store +
         work.cached_load * scalar_.cached_load +
         work.cached_store * scalar_.cached_store;
}

}  // namespace belay::clock
