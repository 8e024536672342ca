// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_PART_OF_LAUNCH_H_
#define BELAY_CRUX_RUN_PART_OF_LAUNCH_H_

// What is run and looked at of a launch that is too large to be run in full.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace belay::crux::run {

struct PartOfLaunch {
  // What an input shows over and over, as npu::MapRepeated wants it.
  struct Pattern {
    std::string parameter;
    size_t index = 0;  // in a list
    const void* data = nullptr;
    uint64_t bytes = 0;
  };
  // Bytes of an output, from `begin` to before `end`.
  struct Window {
    std::string parameter;
    size_t index = 0;
    uint64_t begin = 0;
    uint64_t end = 0;
  };
  std::vector<Pattern> patterns;
  std::vector<Window> windows;
};

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_PART_OF_LAUNCH_H_
