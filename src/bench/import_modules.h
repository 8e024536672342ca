// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_IMPORT_MODULES_H_
#define BELAY_BENCH_IMPORT_MODULES_H_

// Modules of torch.nn that an imported Model may hold, as calls of functions.

#include <string>
#include <string_view>
#include <vector>

namespace belay::bench {

struct ModuleParameter {
  std::string_view name;
  std::string_view fallback;  // "" if it must be given
};

// A module without learned state, or whose state has its first values (weight
// 1, bias 0, the statistics of the batch).
struct ModuleCall {
  std::string_view module;  // "LeakyReLU"
  std::vector<ModuleParameter> parameters;
  std::string_view call;  // "F.leaky_relu({}, {negative_slope})"
};

// Null if there is none of this name.
const ModuleCall* FindModule(std::string_view name);

// "AvgPool1d, …": for messages.
std::string ModuleNames();

}  // namespace belay::bench

#endif  // BELAY_BENCH_IMPORT_MODULES_H_
