// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_VECTOR_COST_H_
#define BELAY_CLOCK_VECTOR_COST_H_

// From a vector instruction to the work it is: which cost it has, how many
// repeats, and what its addresses lose in the banks of the Unified Buffer.

#include <array>
#include <cstdint>
#include <vector>

#include "clock/bank_conflicts.h"
#include "clock/clock_spec.h"
#include "clock/record.h"
#include "npu/observer.h"

namespace belay::clock {

class VectorPricer {
 public:
  explicit VectorPricer(const ClockSpec& spec);

  // The work of an instruction on pipe V: of a vector family, or a DataCopy
  // inside UB. Reads no guest memory. Typically well below 100 ns: patterns of
  // addresses are remembered.
  VectorWork Price(const npu::InstructionEvent& event);

 private:
  struct Remembered {
    BankPattern pattern;
    BankConflicts conflicts;
  };

  uint16_t CostOf(const abi::Instruction& instruction) const;
  VectorWork PriceLocalCopy(const abi::Instruction& instruction) const;
  void AddConflicts(const abi::Instruction& instruction,
                    const npu::Lanes& lanes, VectorWork& work);

  static constexpr uint16_t kNoCost = 0xFFFF;
  using CostByWidth = std::array<uint16_t, 4>;  // 8, 16, 32, 64 bits

  std::array<CostByWidth, static_cast<size_t>(abi::Op::kCount)> costs_;
  std::vector<double> slopes_;  // by cost
  uint32_t write_delay_;
  std::vector<Remembered> remembered_;  // by hash of the pattern
};

// Bits of an instruction's widest element, 8 at least.
int WidestBits(const abi::Instruction& instruction);

}  // namespace belay::clock

#endif  // BELAY_CLOCK_VECTOR_COST_H_
