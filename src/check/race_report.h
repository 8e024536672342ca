// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_RACE_REPORT_H_
#define BELAY_CHECK_RACE_REPORT_H_

// What racecheck says about two accesses: the rule, both places, and what
// would order them.

#include <cstdint>
#include <string_view>

#include "check/findings.h"
#include "check/race_shadow.h"
#include "check/race_sites.h"
#include "npu/chip.h"

namespace belay::check {

// Registers have a place in the shadow too, at addresses no memory has.
struct RegisterShadow {
  static constexpr uint64_t kBytes = 8;
  static constexpr uint64_t kEnd = uint64_t{1} << 20;

  static uint64_t Place(int slot, abi::Register which) {
    return (static_cast<uint64_t>(slot) * 16 + static_cast<uint64_t>(which)) *
           kBytes;
  }
  static bool Holds(uint64_t address) { return address < kEnd; }
};

// Two accesses to [begin, end).
struct RacePair {
  enum class Rule : uint8_t {
    kUnordered,   // nothing orders them
    kNotCleaned,  // the earlier store may still lie in a data cache
    kStaleLine,   // the later load finds old bytes in its data cache
    kSharedLine,  // a whole line is written back over the other's bytes
  };
  Rule rule = Rule::kUnordered;
  RaceAccess earlier;
  RaceAccess::Kind later = RaceAccess::Kind::kRead;
  std::string_view role;  // of the later access
  uint64_t begin = 0;
  uint64_t end = 0;
  bool equal_bytes = false;  // both write the same bytes there
};

class RaceReporter {
 public:
  RaceReporter(const npu::Chip& chip, const RaceSites& sites,
               Findings& findings)
      : chip_(chip), sites_(sites), findings_(findings) {}

  void Report(const npu::Core& core, const RaceAccess& later,
              const RacePair& pair);

 private:
  std::string CoreName(int slot) const;
  bool IsCube(int slot) const { return slot >= chip_.spec().vector_cores; }
  std::string CallName(const RaceAccess& access, RaceAccess::Kind kind) const;
  std::string Place(const RacePair& pair, int slot) const;

  const npu::Chip& chip_;
  const RaceSites& sites_;
  Findings& findings_;
};

}  // namespace belay::check

#endif  // BELAY_CHECK_RACE_REPORT_H_
