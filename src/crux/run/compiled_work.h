// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_COMPILED_WORK_H_
#define BELAY_CRUX_RUN_COMPILED_WORK_H_

// How much scalar work the toolchain counts in a kernel that is printed and
// compiled, statement by statement.

#include <map>

#include "crux/run/program.h"

namespace belay::crux::run {

struct CompiledWork {
  struct OfStmt {
    Work work;  // of a loop: in front of it
    Work turn;  // of each turn of a loop
  };

  Work start;  // of a block, before Process()
  std::map<const code::Stmt*, OfStmt> statements;
  // Second operands of && and || that are worked out only if they matter, and
  // operands of kSelect that are chosen: of scalars by where Scalar::args holds
  // them, of a branch's condition by the branch and Int::identity().
  std::map<std::pair<const code::Stmt*, const void*>, Work> seconds;

  Work SecondOf(const code::Stmt* branch, const void* which) const {
    const auto found = seconds.find({branch, which});
    return found == seconds.end() ? Work{} : found->second;
  }
};

CompiledWork CompiledWorkOf(const code::Kernel& kernel);

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_COMPILED_WORK_H_
