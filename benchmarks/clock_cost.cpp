// SPDX-License-Identifier: Apache-2.0
// What the clock costs: the shipped examples and operators on large tensors,
// plainly and under the clock, in turn. Prints the speed under the clock
// (recorded launches and their replay) as a share of the plain speed, and the
// geometric mean.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "clock/log_file.h"
#include "clock/replay.h"
#include "example_calls.h"

namespace belay::benchmarks {
namespace {

constexpr int kRounds = 5;

// Milliseconds the launches of one run took.
double Run(const CallInputs& inputs, const std::string& command,
           const std::string& words) {
  const std::string out = inputs.Path("out.json");
  const int status = std::system(fmt::format("{} {} {} >{} 2>/dev/null",
                                             BELAY_PROGRAM, command, words, out)
                                     .c_str());
  std::ifstream in(out);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  if (status != 0 || !json.is_object()) {
    throw UserError(fmt::format("'belay {} {}' failed: {}", command, words,
                                json.is_object() ? json.dump() : ""));
  }
  return json.at("launch_milliseconds").get<double>();
}

struct Replayed {
  double milliseconds = 0;
  uint64_t records = 0;
  uint64_t folded = 0;
};

Replayed ReplayLog(const std::string& file) {
  const std::vector<clock::LaunchLog> logs = clock::LogFile::Read(file);
  Replayed replayed;
  for (const clock::LaunchLog& log : logs) {
    for (const clock::BlockLog& block : log.logs) {
      replayed.records += block.records.size();
      replayed.folded += block.records.folded_size();
    }
    const clock::ClockSpec spec = clock::LoadClockSpec(log.chip);
    const auto start = std::chrono::steady_clock::now();
    clock::Replay(log, spec);
    replayed.milliseconds += std::chrono::duration<double, std::milli>(
                                 std::chrono::steady_clock::now() - start)
                                 .count();
  }
  return replayed;
}

int Main() {
  const CallInputs inputs;
  const std::string file = inputs.Path("launches.log");
  double logarithms = 0;
  const std::vector<Call> calls = ExampleCalls(inputs);
  fmt::print("{:<20}{:>10}{:>13}{:>11}{:>9}{:>12}{:>9}\n", "", "plain ms",
             "recorded ms", "replay ms", "speed", "records", "kept");
  for (const Call& call : calls) {
    double plain = 1e300;
    double recorded = 1e300;
    Replayed best{1e300};
    for (int round = 0; round < kRounds; ++round) {
      plain = std::min(
          plain,
          Run(inputs, "run", WithOptions(call.words, "--json --no-check")));
      recorded = std::min(
          recorded, Run(inputs, "profile",
                        WithOptions(call.words, "--json --save-log " + file)));
      const Replayed replayed = ReplayLog(file);
      if (replayed.milliseconds < best.milliseconds) best = replayed;
    }
    const double speed = plain / (recorded + best.milliseconds);
    logarithms += std::log(speed);
    fmt::print("{:<20}{:>10.1f}{:>13.1f}{:>11.1f}{:>9.2f}{:>12}{:>9}\n",
               call.name, plain, recorded, best.milliseconds, speed,
               best.records, best.folded);
    std::fflush(stdout);
  }
  fmt::print("geometric mean of the speed under the clock: {:.2f}\n",
             std::exp(logarithms / static_cast<double>(calls.size())));
  return 0;
}

}  // namespace
}  // namespace belay::benchmarks

int main() {
  try {
    return belay::benchmarks::Main();
  } catch (const belay::UserError& error) {
    fmt::print(stderr, "clock_cost: {}\n", error.what());
    return 2;
  }
}
