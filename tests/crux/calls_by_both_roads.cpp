// SPDX-License-Identifier: Apache-2.0
#include "calls_by_both_roads.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>

namespace belay::testing {

void CallsByBothRoads::Add(const std::string& name,
                           const crux::typed::Kernel& kernel,
                           const crux::interpret::Arguments& arguments,
                           bool all_variants) {
  batch_.push_back({name, &kernel, &arguments, all_variants});
  if (batch_.size() == kCallsInBatch) Flush();
}

void CallsByBothRoads::Flush() {
  const std::vector<RoadResult> results = CompareRoads(
      batch_, std::filesystem::temp_directory_path() /
                  ("belay_both_roads_" + std::to_string(getpid())));
  for (size_t i = 0; i < results.size(); ++i) {
    const RoadResult& one = results[i];
    ++calls_;
    if (!one.refusal.empty()) {
      ++refused_;
      continue;
    }
    EXPECT_EQ(one.difference, "") << batch_[i].name;
    if (!one.difference.empty()) continue;
    EXPECT_LE(std::abs(one.TimeError()) - one.unsure, AllowedTimeError(one))
        << batch_[i].name << ": direct " << one.direct_us << " us, printed "
        << one.printed_us << " us";
    times_.push_back({batch_[i].name, one});
  }
  batch_.clear();
}

void CallsByBothRoads::PrintWorst() {
  const auto part = [](const Timed& one) {
    return std::abs(one.result.TimeError()) / AllowedTimeError(one.result);
  };
  std::ranges::sort(times_, std::greater(), part);
  const auto means = std::ranges::count_if(
      times_, [](const Timed& one) { return one.result.is_mean; });
  std::printf(
      "%d calls, %d refused, %td by means over chips; nearest "
      "to what is allowed:\n",
      calls_, refused_, means);
  for (size_t i = 0; i < std::min<size_t>(times_.size(), 8); ++i) {
    const RoadResult& one = times_[i].result;
    const std::string means =
        one.is_mean ? " (means, within " +
                          std::to_string(100 * one.unsure).substr(0, 4) + " %)"
                    : "";
    std::printf("  %+.2f %%: direct %.2f us, printed %.2f us%s, %s\n",
                100 * one.TimeError(), one.direct_us, one.printed_us,
                means.c_str(),
                times_[i].name.substr(0, times_[i].name.find('\n')).c_str());
  }
}

}  // namespace belay::testing
