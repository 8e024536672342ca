// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_PRINTED_BATCH_H_
#define BELAY_TESTS_CRUX_PRINTED_BATCH_H_

// Calls by both roads: executed directly, and printed as AscendC that the
// toolchain compiles and runs. Many calls go into one .asc, because most of the
// time is the compiler's start.

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crux/interpret/interpret.h"
#include "crux/typed.h"

namespace belay::testing {

// Kernel and arguments must outlive it.
struct RoadCall {
  std::string name;  // of messages
  const crux::typed::Kernel* kernel = nullptr;
  const crux::interpret::Arguments* arguments = nullptr;
  // Prints every variant for the call's dtypes, else the one it takes.
  bool all_variants = false;
};

struct RoadResult {
  std::string refusal;     // not compiled, and told so
  std::string difference;  // or what went wrong; empty: nothing
  double direct_us = 0;    // simulated
  double printed_us = 0;
  bool is_mean = false;  // both are, over chips that hardly differ
  double unsure = 0;     // by how much means may be wrong, as a share

  // Of the printed road's time; nothing to compare: 0.
  double TimeError() const {
    return printed_us == 0 ? 0 : (direct_us - printed_us) / printed_us;
  }
};

// `folder` is emptied and removed.
std::vector<RoadResult> CompareRoads(std::span<const RoadCall> calls,
                                     const std::filesystem::path& folder);

// How far the times of the two roads may lie apart, as a share.
double AllowedTimeError(const RoadResult& result);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_PRINTED_BATCH_H_
