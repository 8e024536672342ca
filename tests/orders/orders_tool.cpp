// SPDX-License-Identifier: Apache-2.0
// Judges one program by hand:
//   belay_orders_tool FILE.asc [--orders N] [--seed N] [--mutants STEP]
//                     [--no-auto-sync] [--verbose] [-- ARGUMENTS]
// Prints the rate of mutants found and every one that was missed.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstring>

#include "judge.h"

int main(int argc, char** argv) {
  belay::guest::ProgramOptions program;
  belay::orders::JudgeOptions options;
  bool verbose = false;
  int at = 1;
  for (; at < argc && std::strcmp(argv[at], "--") != 0; ++at) {
    const std::string word = argv[at];
    const auto number = [&] { return ++at < argc ? std::atoi(argv[at]) : 0; };
    if (word == "--orders") {
      options.orders = number();
    } else if (word == "--seed") {
      options.seed = static_cast<uint64_t>(number());
    } else if (word == "--mutants") {
      options.mutant_step = number();
    } else if (word == "--no-auto-sync") {
      options.auto_sync = false;
    } else if (word == "--verbose") {
      verbose = true;
    } else {
      program.sources.push_back(word);
    }
  }
  for (++at; at < argc; ++at) program.arguments.push_back(argv[at]);
  const auto judgement = belay::orders::JudgeProgram(program, options);
  for (const std::string& error : judgement.errors) {
    fmt::print("error: {}\n", error);
  }
  bool good = judgement.errors.empty();
  for (const auto& kernel : judgement.kernels) {
    fmt::print("{}: {} of {} orders differ, reproduced {}, found [{}]{}\n",
               kernel.what, kernel.differing, kernel.orders, kernel.reproduced,
               fmt::join(kernel.found, " "), kernel.crashed ? " CRASHED" : "");
    good = good && !kernel.is_missed() && !kernel.crashed && kernel.reproduced;
  }
  for (const auto& mutant : judgement.mutants) {
    const bool bad = mutant.is_missed() || mutant.crashed || !mutant.reproduced;
    good = good && !bad;
    if (!bad && !verbose) continue;
    fmt::print("{} [{}] {}: {} of {} differ{}, found [{}]{}\n",
               mutant.is_missed() ? "MISSED"
               : bad              ? "BROKEN"
                                  : "ok",
               mutant.group, mutant.what, mutant.differing, mutant.orders,
               mutant.races ? ", races" : "", fmt::join(mutant.found, " "),
               mutant.crashed ? " CRASHED" : "");
  }
  if (!judgement.mutants.empty()) {
    fmt::print("{}", belay::orders::Summarize(judgement));
  }
  return good ? 0 : 1;
}
