// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_ROW_PERIOD_H_
#define BELAY_JUDGE_ROW_PERIOD_H_

// Large cases whose rows along the leading axis do not depend on each other:
// a few rows over and over have a few rows over and over for results.

#include <optional>
#include <string>
#include <vector>

#include "bench/compare.h"
#include "judge/session.h"

namespace belay::judge {

struct RowPeriod {
  int64_t rows = 0;    // of the case
  int64_t period = 0;  // rows that are drawn
  std::vector<bool>
      inputs;          // that have these rows; others are the same for all
  bench::Truth truth;  // of the case with `period` rows
};

// Finds the size that is the leading one of all outputs and of at least one
// input and occurs nowhere else, and asks reference() whether the results of
// rows A and B together are those of A and those of B. Nothing, and why not in
// *reason, where that does not hold.
std::optional<RowPeriod> FindRowPeriod(const bench::Task& task,
                                       const bench::Case& one_case,
                                       bench::ReferenceRunner& runner,
                                       std::string* reason);

// The inputs of the case: rows come as patterns, other inputs with data.
struct RepeatedInputs {
  bench::Arguments inputs;
  std::vector<InputPattern> patterns;
};
RepeatedInputs RepeatRows(const bench::Task& task, const bench::Case& one_case,
                          const RowPeriod& period);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_ROW_PERIOD_H_
