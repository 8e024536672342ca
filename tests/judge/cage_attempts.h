// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_JUDGE_CAGE_ATTEMPTS_H_
#define BELAY_TESTS_JUDGE_CAGE_ATTEMPTS_H_

// What a guest may try inside the cage, by name.

#include <functional>
#include <map>
#include <string>

#include "guest/channel.h"

namespace belay::guest {

// Gives 0 when the guest got what it wanted, otherwise an error number.
using Attempt =
    std::function<int(const nlohmann::json& request, Channel& channel)>;

const std::map<std::string, Attempt>& Attempts();

}  // namespace belay::guest

#endif  // BELAY_TESTS_JUDGE_CAGE_ATTEMPTS_H_
