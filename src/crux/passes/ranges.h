// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_RANGES_H_
#define BELAY_CRUX_PASSES_RANGES_H_

// Between which numbers the elements of a floating tile, or one of i32, lie, as
// far as the statements that make it say: e^-|x| lies between 0 and 1. NaN may
// always be among them.

#include <limits>
#include <map>

#include "crux/ir/tile.h"

namespace belay::crux::passes {

// Both ends belong to it.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool Within(double least, double most) const {
    return least <= low && high <= most;
  }
};

class Ranges {
 public:
  // Of the tiles that `kernel` has now.
  explicit Ranges(const ir::Kernel& kernel);

  Range Of(const ir::Operand& operand) const;

 private:
  Range OfStatement(const ir::Stmt& stmt) const;
  Range OfWords(const ir::Stmt& stmt) const;

  const ir::Kernel& kernel_;
  std::map<int, Range> of_;  // of tiles that are assigned once
};

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_RANGES_H_
