// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_CLASS_FACTS_H_
#define BELAY_CRUX_PRINT_CLASS_FACTS_H_

// What printing must know about a code::Kernel before the first line: dtypes of
// its tensors, and which of its integers are never negative.

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "crux/ir/code.h"
#include "crux/ir/name_set.h"

namespace belay::crux::print {

// Integers that every device has without a declaration.
inline constexpr std::string_view kBlockIndex = "block_idx";
inline constexpr std::string_view kBlockCount = "block_num";

struct ClassFacts {
  std::unordered_map<std::string, DType> locals;
  std::unordered_map<std::string, DType> globals;
  ir::NameSet variables;                     // declared on the device
  ir::NameSet hosted;                        // of ir::Kernel::host
  std::unordered_set<std::string> negative;  // those that may be
  // Of loop variables: one past the last.
  std::unordered_map<std::string, ir::Int> bounds;
  std::set<std::string> calls;  // of AscendC
  // Tensors that functions get and hand to a queue: not const.
  ir::NameSet handed_on;
  // Tensors that functions get under the name they have outside: members.
  std::set<std::string> kept;
  bool syncs_all = false;

  bool MayBeNegative(const std::string& name) const;
  // a is the bound of a loop whose variable is b.
  bool AtLeast(const ir::Int& a, const ir::Int& b) const;
};

ClassFacts FactsOf(const code::Kernel& kernel);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_CLASS_FACTS_H_
