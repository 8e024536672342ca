// SPDX-License-Identifier: Apache-2.0
// What the checkers cost: the shipped examples and operators on large tensors,
// with and without them, in turn. Prints the speed under all checkers as a
// share of the unchecked speed, and the geometric mean.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "example_calls.h"

namespace belay::benchmarks {
namespace {

constexpr int kRounds = 5;

// Milliseconds the launches of one run took.
double Run(const CallInputs& inputs, const Call& what, bool checked) {
  const std::string out = inputs.Path("out.json");
  const std::string call =
      WithOptions(what.words, checked ? "--json" : "--json --no-check");
  const std::string command =
      fmt::format("{} run {} >{} 2>/dev/null", BELAY_PROGRAM, call, out);
  const int status = std::system(command.c_str());
  std::ifstream in(out);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  if (status != 0 || !json.is_object()) {
    throw UserError(fmt::format("'belay run {}' failed: {}", call,
                                json.is_object() ? json.dump() : ""));
  }
  return json.at("launch_milliseconds").get<double>();
}

int Main() {
  const CallInputs inputs;
  double logarithms = 0;
  const std::vector<Call> cases = ExampleCalls(inputs);
  fmt::print("{:<20}{:>14}{:>14}{:>10}\n", "", "unchecked ms", "checked ms",
             "speed");
  for (const Call& what : cases) {
    double plain = 1e300;
    double checked = 1e300;
    for (int round = 0; round < kRounds; ++round) {
      plain = std::min(plain, Run(inputs, what, false));
      checked = std::min(checked, Run(inputs, what, true));
    }
    logarithms += std::log(plain / checked);
    fmt::print("{:<20}{:>14.1f}{:>14.1f}{:>10.2f}\n", what.name, plain, checked,
               plain / checked);
  }
  fmt::print("geometric mean of the speed under all checkers: {:.2f}\n",
             std::exp(logarithms / static_cast<double>(cases.size())));
  return 0;
}

}  // namespace
}  // namespace belay::benchmarks

int main() {
  try {
    return belay::benchmarks::Main();
  } catch (const belay::UserError& error) {
    fmt::print(stderr, "check_cost: {}\n", error.what());
    return 2;
  }
}
