// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_LINEAR_H_
#define BELAY_CRUX_IR_LINEAR_H_

// Integers as sums of multiples of what they are made of, so that terms which
// cancel are gone: (N - 4) + 4 - N is 0.

#include <cstdint>
#include <map>
#include <string>

#include "crux/ir/integer.h"

namespace belay::crux::ir {

struct Linear {
  struct Term {
    Int value;  // neither a sum nor a multiple of a constant
    int64_t factor = 0;
  };

  std::map<std::string, Term> terms;  // by their text; none has a factor of 0
  int64_t constant = 0;

  void Add(const Int& value, int64_t factor);
};

// b - a.
Linear Difference(const Int& b, const Int& a);

// The terms with positive factors, or those with negative ones as what they
// take off.
Int Added(const Linear& sum);
Int TakenOff(const Linear& sum);

}  // namespace belay::crux::ir

#endif  // BELAY_CRUX_IR_LINEAR_H_
