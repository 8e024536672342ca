// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_FLAT_INT_H_
#define BELAY_CRUX_RUN_FLAT_INT_H_

// An integer expression as a list: each shared part is worked out once, however
// often it occurs. For host formulas, which share much.

#include <map>
#include <string>
#include <vector>

#include "crux/ir/integer.h"

namespace belay::crux::run {

class FlatInt {
 public:
  explicit FlatInt(const ir::Int& expr);

  // As ir::Evaluate, but a division by zero gives 0: the part it stands in may
  // be one that is not taken.
  int64_t Evaluate(const ir::Lookup& lookup) const;

 private:
  struct Node {
    ir::IntKind kind = ir::IntKind::kConstant;
    int64_t value = 0;
    std::string name;
    size_t args[3] = {0, 0, 0};
  };
  size_t Add(const ir::Int& expr);

  std::vector<Node> nodes_;              // operands before what needs them
  std::map<const void*, size_t> known_;  // by the address of their operands
  std::map<std::string, size_t> names_;
};

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_FLAT_INT_H_
