// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_PLACE_FAULT_H_
#define BELAY_GUEST_PLACE_FAULT_H_

// Turns a fault's program counters into lines of the guest's source.

#include <functional>
#include <vector>

#include "npu/fault.h"
#include "toolchain/symbolize.h"

namespace belay::guest {

// The diagnostic of a decoded fault (offsets for program counters), with its
// location, the chain of calls that led there, and names from the source.
Diagnostic PlaceFault(const npu::Fault& fault,
                      toolchain::Symbolizer& symbolizer);

// The same where the fault's program counters lie in several modules:
// `frames_at` gives what Symbolizer::Frames gives for one.
using FramesAt = std::function<std::vector<SourceLocation>(uint64_t pc)>;
Diagnostic PlaceFault(const npu::Fault& fault, const FramesAt& frames_at);

// Places the fault and adds it to `all`. A warning or a note of one place that
// says what one before says of the same place came through another copy of the
// code (inlining, templates, both types of core): it only adds to the count of
// that one.
void AddPlaced(const npu::Fault& fault, const FramesAt& frames_at,
               std::vector<Diagnostic>& all);
void AddPlaced(const npu::Fault& fault, toolchain::Symbolizer& symbolizer,
               std::vector<Diagnostic>& all);

// The first argument of the call that starts at or after `column` (from 1) of
// a line of source; "?" if there is none. Exposed for its tests.
std::string FirstArgument(const std::string& line, int column);

}  // namespace belay::guest

#endif  // BELAY_GUEST_PLACE_FAULT_H_
