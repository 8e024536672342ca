// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_ORDERS_SOURCE_MUTANTS_H_
#define BELAY_TESTS_ORDERS_SOURCE_MUTANTS_H_

// Mutants of programs made from their text: calls left out, fewer buffers,
// other lengths and places.

#include <string>
#include <vector>

#include "judge.h"

namespace belay::orders {

struct SourceMutant {
  std::string group;
  std::string what;  // the line as it was
  std::string text;  // the whole program
};

// Only what stands before main is changed.
std::vector<SourceMutant> MakeSourceMutants(const std::string& text);

// Of the shipped programs and those of tests/orders/kernels. Mutants that do
// not compile are left out.
Judgement JudgeSourceMutants(const JudgeOptions& options);

}  // namespace belay::orders

#endif  // BELAY_TESTS_ORDERS_SOURCE_MUTANTS_H_
