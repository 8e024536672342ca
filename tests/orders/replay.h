// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_ORDERS_REPLAY_H_
#define BELAY_TESTS_ORDERS_REPLAY_H_

// Does again what was recorded, in the recorded order, through the chip's front
// door: requirements, observers, execution.

#include <optional>
#include <string>
#include <vector>

#include "recording.h"

namespace belay::orders {

// Puts global memory back to what it was before the launch, and the cores to
// what they are when one starts.
void RestoreStart(const Recording& recording, npu::Chip& chip);

// `events` in the place of the recording's own. The code of the trap that ended
// it early, if one did. The chip must not have been launched on since the
// recording.
std::optional<std::string> Replay(const Recording& recording,
                                  const std::vector<Event>& events,
                                  npu::Chip& chip);

// One finding of the checkers, without its words.
struct Finding {
  std::string code;
  bool is_note;
  uint64_t pc;
  uint64_t other_pc;
  auto operator<=>(const Finding&) const = default;
};

// A replay under all checkers. What it did is recorded anew: lengths and
// addresses may have changed since.
struct CheckedReplay {
  std::optional<std::string> trap;
  std::vector<Finding> findings;
  Recording recording;
};

// Adds observers to the chip that it cannot lose again: once for a process.
CheckedReplay ReplayUnderCheckers(const Recording& recording,
                                  const std::vector<Event>& events,
                                  bool auto_sync, npu::Chip& chip);

}  // namespace belay::orders

#endif  // BELAY_TESTS_ORDERS_REPLAY_H_
