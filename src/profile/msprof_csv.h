// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_PROFILE_MSPROF_CSV_H_
#define BELAY_PROFILE_MSPROF_CSV_H_

// A launch's profile as the files that the vendor's operator profiler leaves,
// under its names and columns, so that tools which read those read these.

#include <string>

#include "profile/profile.h"

namespace belay::profile {

// Writes OpBasicInfo.csv, PipeUtilization.csv, Memory.csv and
// ResourceConflictRatio.csv into `folder`, which is made if it is not there.
// One row for each core; what the clock does not model, or a core does not
// have, is NA. Throws UserError when a file cannot be written.
void WriteMsprofCsv(const LaunchProfile& profile, const std::string& folder);

}  // namespace belay::profile

#endif  // BELAY_PROFILE_MSPROF_CSV_H_
