// SPDX-License-Identifier: Apache-2.0
#include "judge/protocol.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace belay::judge {

const std::vector<JudgeProtocol>& AllProtocols() {
  static const std::vector<JudgeProtocol> kProtocols = {
      {.name = "belay", .precision = "belay"},
      {.name = "npukernelbench",
       .edge_cases = false,
       .secret_seed = false,
       .checkers_count = false,
       .kernel_only = true,
       .static_shapes = true,
       .precision = "npukernelbench"},
      {.name = "multikernelbench",
       .edge_cases = false,
       .secret_seed = false,
       .checkers_count = false,
       .static_shapes = true,
       .precision = "multikernelbench"},
  };
  return kProtocols;
}

const JudgeProtocol& FindProtocol(std::string_view name) {
  std::vector<std::string> names;
  for (const JudgeProtocol& protocol : AllProtocols()) {
    if (protocol.name == name) return protocol;
    names.push_back(protocol.name);
  }
  throw UserError(fmt::format("[judge] there is no protocol '{}': {}", name,
                              fmt::join(names, ", ")));
}

}  // namespace belay::judge
