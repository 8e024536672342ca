// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_ORDERS_JUDGE_H_
#define BELAY_TESTS_ORDERS_JUDGE_H_

// Runs a program or an operator, records its launches, and executes each of
// them, and mutants of them, in legal orders.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "guest/operator_run.h"
#include "guest/program.h"

namespace belay::orders {

struct JudgeOptions {
  bool auto_sync = true;
  uint64_t seed = 1;
  int orders = 200;
  // Every how many-th mutant is tried; 0: none.
  int mutant_step = 0;
  int mutant_offset = 0;
};

// What became of one kernel or mutant.
struct Verdict {
  std::string group;  // empty: the kernel itself
  std::string what;
  std::vector<std::string> found;  // codes of traps and findings, notes not
  bool trapped = false;            // the chip stopped it in program order
  int differing = 0;  // orders that gave other bits than program order
  int orders = 0;     // orders tried
  // Two accesses conflict that no path of the graph orders, and whether
  // racecheck said anything, if only as a note.
  bool races = false;
  bool race_told = false;
  // Program order by the executor gave what the chip did.
  bool reproduced = true;
  bool crashed = false;  // the executor did; a bug of ours

  bool is_missed() const {
    return (differing > 0 && found.empty()) || (races && !race_told);
  }
};

struct Judgement {
  std::vector<Verdict> kernels;  // one for each launch
  std::vector<Verdict> mutants;
  std::vector<std::string> errors;  // why it did not run at all
};

Judgement JudgeProgram(guest::ProgramOptions program,
                       const JudgeOptions& options);
Judgement JudgeOperator(guest::OperatorOptions call,
                        const JudgeOptions& options);

// The rate as text: mutants by group, how many differed, were found, missed.
std::string Summarize(const Judgement& judgement);

}  // namespace belay::orders

#endif  // BELAY_TESTS_ORDERS_JUDGE_H_
