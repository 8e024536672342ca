// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_ORDERS_CASES_H_
#define BELAY_TESTS_ORDERS_CASES_H_

// The kernels that are executed in legal orders: shipped programs, operators,
// and those of tests/orders/kernels, at sizes that keep 200 orders quick and
// all sums of floats exact, because atomic additions of several cores come in
// any order.

#include <functional>
#include <string>
#include <vector>

#include "judge.h"

namespace belay::orders {

struct Case {
  std::string name;
  std::function<Judgement(const JudgeOptions&)> judge;
  bool auto_sync = true;  // as the kernel needs it

  Judgement Run(JudgeOptions options) const {
    options.auto_sync = auto_sync;
    return judge(options);
  }
};

// `file`: in the source tree.
Case ProgramCase(const std::string& name, const std::string& file,
                 const std::vector<std::string>& arguments,
                 bool auto_sync = true,
                 const std::vector<std::string>& defines = {});

std::vector<Case> ProgramCases();
std::vector<Case> OperatorCases();
// The programs of tests/seeded: with their faults, or repaired.
std::vector<Case> SeededCases(bool repaired);

// BELAY_SEED, or 1.
uint64_t Seed();

}  // namespace belay::orders

#endif  // BELAY_TESTS_ORDERS_CASES_H_
