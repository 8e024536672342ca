// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_PROFILE_JSON_H_
#define BELAY_PROFILE_JSON_H_

// A launch's profile as JSON: everything that is known of it.

#include <nlohmann/json_fwd.hpp>

#include "profile/profile.h"

namespace belay::profile {

// Times in microseconds (names end in _us), sizes in bytes, rates per second.
nlohmann::json ToJson(const LaunchProfile& profile);

}  // namespace belay::profile

#endif  // BELAY_PROFILE_JSON_H_
