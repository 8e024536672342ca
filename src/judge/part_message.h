// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_PART_MESSAGE_H_
#define BELAY_JUDGE_PART_MESSAGE_H_

// A part of a call as JSON; the bytes of its patterns travel beside it.

#include <nlohmann/json.hpp>

#include "judge/session.h"

namespace belay::judge {

inline nlohmann::json ToJson(const PartRequest& request) {
  nlohmann::json patterns = nlohmann::json::array();
  for (const InputPattern& one : request.patterns) {
    patterns.push_back({{"input", one.input},
                        {"tensor", one.tensor},
                        {"bytes", one.bytes.size()}});
  }
  nlohmann::json windows = nlohmann::json::array();
  for (const OutputWindow& one : request.windows) {
    windows.push_back({{"output", one.output},
                       {"tensor", one.tensor},
                       {"begin", one.begin},
                       {"end", one.end}});
  }
  return {{"blocks", request.blocks},
          {"patterns", std::move(patterns)},
          {"windows", std::move(windows)}};
}

}  // namespace belay::judge

#endif  // BELAY_JUDGE_PART_MESSAGE_H_
