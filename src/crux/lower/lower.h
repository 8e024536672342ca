// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_LOWER_LOWER_H_
#define BELAY_CRUX_LOWER_LOWER_H_

// From the typed tree to tiles: one choice of dtypes and of host conditions
// becomes one ir::Kernel.

#include <utility>
#include <vector>

#include "crux/ir/tile.h"
#include "crux/typed.h"

namespace belay::crux {

// Answers what the host knows. Each condition is asked once in a lowering;
// those that dtypes, constants or earlier answers settle are not asked.
class HostOracle {
 public:
  virtual ~HostOracle() = default;

  // A host bool that selects code. In it names of host lines are written out
  // (see ir::HostValue); it belongs to the kernel that is being lowered.
  virtual bool Decide(const typed::Expr& condition) = 0;
  // `if fits():` with an else.
  virtual bool Fits(const typed::Statement& statement) = 0;
  // Whether to compile what is best where `condition` holds, as for Decide;
  // null: it always does, and what is best may not fit on chip. What is
  // compiled else is right for every call: false always will do.
  virtual bool Prefer(const typed::Expr* condition);
};

// `dtypes` in the order of typed::Kernel::dtypes. Throws ir::Refusal.
ir::Kernel Lower(const typed::Kernel& kernel, const std::vector<DType>& dtypes,
                 HostOracle& oracle);

// What is compiled for one set of answers.
struct Variant {
  // In the order they were asked: a later one may make sense only if those
  // before it hold.
  std::vector<std::pair<const typed::Expr*, bool>> conditions;
  std::vector<std::pair<const typed::Statement*, bool>> fits;
  ir::Kernel kernel;
};

inline constexpr int kMostVariants = 64;

// Every set of answers that is not contradictory; true before false, so that
// the first variant whose conditions hold and whose plan fits is the one to
// run. Throws ir::Refusal, also when there are more than kMostVariants.
std::vector<Variant> EnumerateVariants(const typed::Kernel& kernel,
                                       const std::vector<DType>& dtypes);

}  // namespace belay::crux

#endif  // BELAY_CRUX_LOWER_LOWER_H_
