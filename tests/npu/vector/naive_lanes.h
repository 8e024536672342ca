// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_NPU_VECTOR_NAIVE_LANES_H_
#define BELAY_TESTS_NPU_VECTOR_NAIVE_LANES_H_

// Lanes and strides for the naive model, one element at a time.

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "npu/vector_state.h"

namespace belay::npu::naive {

// The family of an operation, by its name in belay/operations.def.
std::string_view FamilyOf(abi::Op op);

// `bits` bits at an address; `shift` where they are fewer than 8.
uint64_t LoadAt(const uint8_t* at, int bits, int shift = 0);
void StoreAt(uint8_t* at, uint64_t value, int bits, int shift = 0);

uint64_t LoadLane(const abi::Operand& operand, uint32_t repeat, uint32_t lane);
void StoreLane(const abi::Operand& operand, uint32_t repeat, uint32_t lane,
               uint64_t value);

// The active lanes, repeat by repeat.
using Repeats = std::vector<std::vector<uint32_t>>;

// Those of an instruction; leaves mask register and mode as it would.
Repeats Resolve(const abi::Instruction& instruction, VectorState& state);

// Calls compute(repeat, lane) for all active lanes of a repeat, then stores
// what it gave, repeat after repeat.
template <typename Compute>
void ForLanes(const abi::Operand& dst, const Repeats& repeats,
              Compute compute) {
  for (uint32_t repeat = 0; repeat < repeats.size(); ++repeat) {
    std::map<uint32_t, uint64_t> results;
    for (const uint32_t lane : repeats[repeat]) {
      results[lane] = compute(repeat, lane);
    }
    for (const auto& [lane, value] : results) {
      StoreLane(dst, repeat, lane, value);
    }
  }
}

}  // namespace belay::npu::naive

#endif  // BELAY_TESTS_NPU_VECTOR_NAIVE_LANES_H_
