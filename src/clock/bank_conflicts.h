// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_BANK_CONFLICTS_H_
#define BELAY_CLOCK_BANK_CONFLICTS_H_

// What a vector instruction loses because its accesses to the Unified Buffer
// meet in the same banks.
//
// UB has 16 groups of banks, 32 bytes wide: address bits 5 to 8 name the group,
// bits 16 and 17 the bank in it. In one cycle a group gives one block and takes
// one; a bank does one of the two. Blocks that several lanes or sources read
// at one address are read once. A repeat's result reaches UB some cycles after
// its sources were read; then it goes first and reading waits.

#include <cstdint>

namespace belay::clock {

// One operand of all repeats, in blocks of 32 bytes of UB.
struct BankAccess {
  uint32_t first = 0;  // block in UB
  uint32_t block_stride = 0;
  uint32_t repeat_stride = 0;
  uint8_t blocks = 0;  // bit i: block i of a repeat is touched; 0: no operand

  bool operator==(const BankAccess&) const = default;
};

// A repeat takes `interval` cycles when nothing meets, and reads its sources in
// `beats` equal parts, one a cycle.
struct BankPattern {
  BankAccess write;
  BankAccess read[2];
  uint32_t repeats = 0;
  uint16_t interval = 1;
  uint8_t beats = 1;

  bool operator==(const BankPattern&) const = default;
};

struct BankConflicts {
  uint32_t conflict_cycles = 0;  // reads with reads, writes with writes
  uint32_t delayed = 0;          // cycles that reading waited for writes

  bool operator==(const BankConflicts&) const = default;
};

// The same pattern as low in the banks as it can be: patterns that differ by
// whole rows of 16 blocks, as those of one loop do, become one.
BankPattern Lowered(const BankPattern& pattern);

// `write_delay`: cycles from the last read of a repeat to its write. Time
// O(repeats).
BankConflicts CountBankConflicts(const BankPattern& pattern,
                                 uint32_t write_delay);

}  // namespace belay::clock

#endif  // BELAY_CLOCK_BANK_CONFLICTS_H_
