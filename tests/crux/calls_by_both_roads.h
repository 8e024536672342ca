// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_CALLS_BY_BOTH_ROADS_H_
#define BELAY_TESTS_CRUX_CALLS_BY_BOTH_ROADS_H_

// A test of many calls, each executed directly and printed, compiled and run:
// the same bits, times that agree, and nothing that a checker finds.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "printed_batch.h"

namespace belay::testing {

// Calls that are compiled together: more save no more time.
inline constexpr size_t kCallsInBatch = 40;

class CallsByBothRoads : public ::testing::Test {
 protected:
  // Takes ownership of nothing: kernel and arguments must live until
  // batch_is_empty().
  void Add(const std::string& name, const crux::typed::Kernel& kernel,
           const crux::interpret::Arguments& arguments, bool all_variants);
  bool batch_is_empty() const { return batch_.empty(); }
  // Runs what was added since the last time.
  void Flush();

  // How many calls there were, and those whose times lie farthest apart.
  void PrintWorst();
  int calls() const { return calls_; }
  int refused() const { return refused_; }

 private:
  struct Timed {
    std::string name;
    RoadResult result;
  };

  std::vector<RoadCall> batch_;
  std::vector<Timed> times_;
  int calls_ = 0;
  int refused_ = 0;
};

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_CALLS_BY_BOTH_ROADS_H_
