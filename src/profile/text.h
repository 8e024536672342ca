// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_PROFILE_TEXT_H_
#define BELAY_PROFILE_TEXT_H_

// A launch's profile as text for a terminal.

#include <string>

#include "profile/profile.h"

namespace belay::profile {

// The longest report section is the table of lines; advice comes last, the five
// that save most.
std::string ToText(const LaunchProfile& profile);

}  // namespace belay::profile

#endif  // BELAY_PROFILE_TEXT_H_
