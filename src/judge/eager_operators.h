// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_EAGER_OPERATORS_H_
#define BELAY_JUDGE_EAGER_OPERATORS_H_

// The operators of eager() on a case of any size, found on small ones.

#include <string>
#include <vector>

#include "bench/reference_runner.h"

namespace belay::judge {

struct EagerList {
  std::vector<bench::EagerOperator> operators;
  std::string note;  // how they were found; "" when eager() ran on the case
};

// Cases of up to 2^19 elements are run. Of larger ones one size (or two or
// three, one in the other) is cut to five lengths, and what every operator
// moves and computes is continued as the polynomial through four of them, which
// must meet the fifth: tensors grow with a power of a size. What does not,
// because it depends on the data, is taken to grow in proportion. Where no size
// can be cut, eager() runs on the case itself, up to 2^26 elements; beyond,
// there is no list.
EagerList ListEager(const bench::Task& task, const bench::Case& one_case,
                    bench::ReferenceRunner& runner);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_EAGER_OPERATORS_H_
