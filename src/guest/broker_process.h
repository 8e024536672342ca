// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_BROKER_PROCESS_H_
#define BELAY_GUEST_BROKER_PROCESS_H_

// The broker's own process: forks caged children when its owner says so, and
// tells how each ended.

#include <map>
#include <string>

#include "guest/broker.h"

namespace belay::guest {

// Serves until the owner closes its end; every child is dead then. Messages
// from the owner:
//   {"start": SERVICE, "id": N, "options": …} with the child's channel, its
//     output and the end of a channel for {"ready": true} or {"failed": TEXT}
//     from the child and {"end": …} once it is dead;
//   {"kill": N};
//   {"quit": true}.
[[noreturn]] void BeBroker(Channel control,
                           const std::map<std::string, Service>& services);

nlohmann::json OptionsToJson(const CageOptions& options);
nlohmann::json EndToJson(const ChildEnd& end);
ChildEnd EndFromJson(const nlohmann::json& json);

}  // namespace belay::guest

#endif  // BELAY_GUEST_BROKER_PROCESS_H_
