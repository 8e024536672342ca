// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_RACE_SITES_H_
#define BELAY_CHECK_RACE_SITES_H_

// The places in a kernel that touch memory, numbered so that a shadow cell can
// name one in 16 bits.

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "belay/instruction.h"

namespace belay::check {

struct RaceSite {
  enum class Call : uint8_t { kInstruction, kScalar, kValue, kRegister };

  uint64_t pc = 0;
  abi::Op op = abi::Op::kInvalid;  // of an instruction
  Call call = Call::kInstruction;  // kValue: GetValue or SetValue
  abi::Atomic atomic = abi::Atomic::kNone;
  abi::DType atomic_dtype = abi::DType::kNone;

  bool operator==(const RaceSite&) const = default;
};

class RaceSites {
 public:
  RaceSites() { Clear(); }

  // Its number. All sites beyond 65,535 share number 0, which has no place.
  uint16_t Number(const RaceSite& site) {
    uint16_t& recent = recent_[(site.pc ^ site.pc >> 8) % kRecent];
    if (sites_[recent] != site) recent = Find(site);
    return recent;
  }

  const RaceSite& operator[](uint16_t number) const { return sites_[number]; }

  void Clear();

 private:
  static constexpr size_t kRecent = 512;

  uint16_t Find(const RaceSite& site);

  std::vector<RaceSite> sites_;
  std::unordered_multimap<uint64_t, uint16_t> by_pc_;
  std::array<uint16_t, kRecent> recent_{};  // by hash of the place
};

}  // namespace belay::check

#endif  // BELAY_CHECK_RACE_SITES_H_
