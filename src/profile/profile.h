// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_PROFILE_PROFILE_H_
#define BELAY_PROFILE_PROFILE_H_

// Everything `belay profile` says of one launch, as values.

#include <optional>
#include <string>
#include <vector>

#include "clock/advice.h"
#include "clock/bound.h"
#include "clock/model_error.h"
#include "clock/replay.h"
#include "clock/statistics.h"

namespace belay::profile {

// One line of the kernel's source on one pipe.
struct Line {
  SourceLocation location;  // unknown where no line is known
  abi::Op op = abi::Op::kInvalid;
  abi::Pipe pipe = abi::Pipe::kS;
  uint64_t instructions = 0;
  double busy = 0;     // microseconds, all cores together
  double stalled = 0;  // before it
  double conflict = 0;
  uint64_t bytes = 0;
};

// Times in microseconds. Cores of one type only count where both could.
struct LaunchProfile {
  std::string kernel;
  std::string chip;   // "ascend910b1"
  std::string title;  // "Ascend 910B1"
  double clock_mhz = 0;
  int blocks = 0;
  int vector_cores = 0;  // the chip's
  int cube_cores = 0;
  bool timing_only = false;
  clock::L2State l2 = clock::L2State::kCold;
  std::optional<clock::ModelError> model_error;

  clock::LaunchTime time;
  clock::Bound bound;
  // The share of the time that rests on assumed constants: how the time changes
  // with them, up or down, all made worse by a tenth.
  double assumed_percent = 0;

  std::vector<clock::Stall> stalls;
  std::vector<Line> lines;  // longest busy first
  clock::MoveSizes reads;
  clock::MoveSizes writes;
  uint64_t flops = 0;
  double vector_share = 0;    // of the chip's vector peak, over the whole task
  double vector_rate = 0;     // operations a second
  double vector_peak = 0;     // for the same mix of element widths
  uint64_t cube_flops = 0;    // two for each product
  double cube_share = 0;      // the cubes' steps alone, of the whole task
  double cube_rate = 0;       // operations a second
  double cube_peak = 0;       // for the same mix of types and sizes
  double hbm_peak = 0;        // bytes a second, the best published
  uint64_t buffer_bytes = 0;  // of UB (of L1 for launches of cube cores only)
  uint64_t l1_bytes = 0;
  std::vector<clock::Advice> advice;

  double Microseconds(clock::Ticks ticks) const {
    return clock::ToMicroseconds(ticks, clock_mhz);
  }
};

struct ProfileOptions {
  clock::L2State l2 = clock::L2State::kCold;
  clock::TimelineSink* sink = nullptr;  // sees the launch's replay as well
  bool advise = true;
};

// Replays the launch, once more for what rests on assumptions (long launches
// on a part of their passes) and as often as advice needs.
LaunchProfile ProfileLaunch(const clock::LaunchLog& log,
                            const clock::ClockSpec& spec,
                            const ProfileOptions& options);

// How many cores of a type worked.
int CoresOf(const clock::LaunchTime& time, bool cube);

// Sums over all cores, or over those of one type.
clock::PipeTime SumOf(const clock::LaunchTime& time, abi::Pipe pipe,
                      std::optional<bool> cube = {});

std::string_view NameOf(clock::Cause cause);

}  // namespace belay::profile

#endif  // BELAY_PROFILE_PROFILE_H_
