// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_CLASS_FACTS_H_
#define BELAY_CRUX_PRINT_CLASS_FACTS_H_

// What printing must know about a code::Kernel before the first line: dtypes of
// its tensors, and which of its integers are never negative.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "crux/ir/code.h"
#include "crux/ir/name_numbers.h"
#include "crux/ir/name_set.h"

namespace belay::crux::print {

// Integers that every device has without a declaration.
inline constexpr std::string_view kBlockIndex = "block_idx";
inline constexpr std::string_view kBlockCount = "block_num";

// Of an integer, a scalar or a LocalTensor.
struct NameFacts {
  DType dtype = DType::kNone;  // of a LocalTensor
  bool variable = false;       // an integer or scalar declared on the device
  bool hosted = false;         // of ir::Kernel::host
  bool negative = false;       // it may be
  bool handed_on = false;  // functions get it and hand it to a queue: not const
  bool kept = false;       // in ClassFacts::kept
  // Of a loop's variable: one past the last.
  std::optional<ir::Int> bound;

  bool is_local() const { return dtype != DType::kNone; }
};

class ClassFacts {
 public:
  // Nothing is known of a name that was not added.
  const NameFacts& Of(std::string_view name) const {
    return Of(name, ir::NameSet::HashOf(name));
  }
  const NameFacts& Of(std::string_view name, uint64_t hash) const;
  // To add to, until the next name is. The name must outlive the facts.
  NameFacts& Add(std::string_view name);

  // Of a LocalTensor.
  DType DtypeOf(const std::string& local) const;
  bool MayBeNegative(const std::string& name) const {
    return Of(name).negative;
  }
  // a is the bound of a loop whose variable is b.
  bool AtLeast(const ir::Int& a, const ir::Int& b) const;

  std::unordered_map<std::string, DType> globals;
  std::set<std::string> calls;  // of AscendC
  // Tensors that functions get under the name they have outside: members.
  std::set<std::string> kept;
  bool syncs_all = false;

 private:
  ir::NameNumbers numbers_;
  std::vector<NameFacts> known_;  // by number
};

// The kernel must outlive them.
ClassFacts FactsOf(const code::Kernel& kernel);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_CLASS_FACTS_H_
