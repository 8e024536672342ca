// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_SMALLER_CASE_H_
#define BELAY_JUDGE_SMALLER_CASE_H_

// Cases like a large one, with one size cut.

#include <string>
#include <vector>

#include "bench/case.h"

namespace belay::judge {

// One integer among the sizes of a case.
struct SizePlace {
  std::string pointer;  // "/S/0", as JSON pointers have it
  int64_t size = 0;
};

// All of them, the largest first.
std::vector<SizePlace> SizesOf(const bench::Case& one_case);

// The case with another size there, and what the task computes from it. Throws
// UserError where such a case cannot be.
bench::Case WithSize(const bench::Task& task, const bench::Case& one_case,
                     const SizePlace& place, int64_t size);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_SMALLER_CASE_H_
