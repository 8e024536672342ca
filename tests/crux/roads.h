// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_ROADS_H_
#define BELAY_TESTS_CRUX_ROADS_H_

// One call by both roads: executed directly, and printed as an operator project
// that the toolchain compiles and runs.

#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "crux/interpret/interpret.h"
#include "crux/source.h"
#include "crux/typed.h"

namespace belay::testing {

struct Roads {
  // What is not the same, or went wrong; empty: nothing.
  std::string difference;
  double direct_us = 0;  // simulated
  double printed_us = 0;

  // Of the printed road's time.
  double TimeError() const {
    return printed_us == 0 ? 0 : (direct_us - printed_us) / printed_us;
  }
};

// `folder` is emptied and holds the project and its tensors afterwards.
Roads CompareRoads(const crux::typed::Kernel& kernel,
                   const crux::Source* source,
                   const crux::interpret::Arguments& arguments,
                   const std::filesystem::path& folder);

// Several calls of one project.
std::vector<Roads> CompareRoads(
    const crux::typed::Kernel& kernel, const crux::Source* source,
    const std::deque<crux::interpret::Arguments>& calls,
    const std::filesystem::path& folder);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_ROADS_H_
