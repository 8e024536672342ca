// SPDX-License-Identifier: Apache-2.0
// Rules about how work is dealt to blocks and cores.

#include <fmt/format.h>

#include <algorithm>

#include "base/catalogue.h"
#include "clock/advice_rules.h"
#include "clock/what_if.h"

namespace belay::clock {
namespace {

constexpr double kUneven = 1.05;  // slowest core to their mean

}  // namespace

void AdviseBlocks(Advisor& advisor) {
  const LaunchTime& time = advisor.profiled().time;
  const LaunchLog& log = advisor.log();
  const int cores = advisor.profiled().spec.vector_cores();
  if (time.core_times.empty()) return;
  Ticks longest = 0;
  Ticks sum = 0;
  for (const CoreTime& core : time.core_times) {
    if (core.cube) return;
    longest = std::max(longest, core.end - core.begin);
    sum += core.end - core.begin;
  }
  const double mean =
      static_cast<double>(sum) / static_cast<double>(time.core_times.size());
  const int used = static_cast<int>(time.core_times.size());
  const auto save = [&](int blocks) {
    const auto dealt = WithBlocks(log, blocks);
    return dealt ? advisor.Saved(*dealt) : 0;
  };
  const uint64_t place = advisor.MainMove();
  if (log.blocks > cores) {
    const double saved = save(cores);
    advisor.Add(
        code::kP108, place, saved,
        fmt::format("{} blocks on {} cores: cores run them one after the other "
                    "and not all have the same number; {} blocks with the same "
                    "work in a loop would save {:.1f} µs",
                    log.blocks, cores, cores, saved),
        fmt::format("launch {} blocks and let each take several parts", cores));
    return;
  }
  if (used < cores) {
    const double saved = save(cores);
    advisor.Add(
        code::kP106, place, saved,
        fmt::format("{} of {} vector cores work; all of them would "
                    "save {:.1f} µs",
                    used, cores, saved),
        fmt::format("launch {} blocks and deal the tiles out to them", cores));
  }
  if (static_cast<double>(longest) > kUneven * mean) {
    const double saved = save(log.blocks);
    advisor.Add(
        code::kP107, place, saved,
        fmt::format("the slowest core works {:.0f} % longer than the mean; "
                    "dealt out evenly the work would save {:.1f} µs",
                    100 * (static_cast<double>(longest) / mean - 1), saved),
        "give every block the same number of tiles, the first ones one more "
        "where it does not divide");
  }
}

}  // namespace belay::clock
