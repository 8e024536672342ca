// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_SAME_COURSE_H_
#define BELAY_GUEST_SAME_COURSE_H_

// Runs for time only answer reads of values that were not computed with
// pretended ones. Whether a kernel's course depends on them shows when it runs
// again with others.

#include <functional>
#include <optional>

#include "base/diagnostic.h"
#include "guest/record_launches.h"
#include "npu/timing_only.h"

namespace belay::guest {

// How a run with the first of npu::kPretences is made again with another one;
// nothing it prints or reports may be seen.
using Rerun = std::function<RecordedLaunches(npu::Pretence)>;

// The error of a kernel that does not do the same with every pretence, at the
// place where it first read a value; nothing for one that does. Runs again only
// when values were read at all. `first` is what the first run did.
std::optional<Diagnostic> FindDependence(const RecordedLaunches& first,
                                         const Rerun& rerun);

}  // namespace belay::guest

#endif  // BELAY_GUEST_SAME_COURSE_H_
