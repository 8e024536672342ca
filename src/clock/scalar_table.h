// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_SCALAR_TABLE_H_
#define BELAY_CLOCK_SCALAR_TABLE_H_

// Numbers for amounts of scalar work: the same amount has the same number.

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "clock/record.h"

namespace belay::clock {

class ScalarTable {
 public:
  ScalarTable() { Clear(); }

  // Number 0 is no work.
  uint32_t NumberOf(const ScalarWork& work);

  const std::vector<ScalarWork>& all() const { return all_; }
  void Clear();

 private:
  struct Hash {
    size_t operator()(const ScalarWork& work) const;
  };
  static constexpr size_t kRecent = 256;

  std::vector<ScalarWork> all_;
  std::unordered_map<ScalarWork, uint32_t, Hash> numbers_;
  std::array<uint32_t, kRecent> recent_;  // by hash
};

}  // namespace belay::clock

#endif  // BELAY_CLOCK_SCALAR_TABLE_H_
