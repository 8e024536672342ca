// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CHECK_INIT_PROGRAMS_H_
#define BELAY_TESTS_CHECK_INIT_PROGRAMS_H_

// Random programs on one vector core in which defined and undefined bytes mix:
// moves, every vector family, scalar accesses, queue and host calls.

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>

#include "npu/chip.h"

namespace belay::check {

class InitProgram {
 public:
  static constexpr uint64_t kGlobalBytes = 12000;

  // Takes one allocation of global memory, told to the chip's observers.
  InitProgram(npu::Chip& chip, npu::Core& core, uint64_t global, uint64_t seed);

  // Does something random, at a place of its own. False when the chip refused
  // it, so that nobody saw it.
  bool Step();

  // What the last step was.
  const std::string& last() const { return last_; }

 private:
  uint64_t Below(uint64_t limit) {
    return std::uniform_int_distribution<uint64_t>(0, limit - 1)(random_);
  }
  bool Chance(uint64_t percent) { return Below(100) < percent; }
  template <typename T>
  T OneOf(std::initializer_list<T> values) {
    return values.begin()[Below(values.size())];
  }

  bool Issue(abi::Instruction instruction);
  void FillGlobal();
  // Operands with random strides: among the data, or where only results go.
  abi::Operand Local(uint64_t low, uint64_t bytes, abi::DType dtype);
  abi::Operand Data(abi::DType dtype);
  abi::Operand Apart(abi::DType dtype);
  abi::Operand Strided(abi::Operand operand);
  void ChooseLanes(abi::Instruction& instruction);

  bool Load();
  bool Store();
  bool Elementwise();
  bool Bits();
  bool Reduce();
  bool Move();
  bool GatherSomething();
  bool SortSomething();
  bool TransposeSomething();
  bool Scalar();
  bool Surroundings();

  npu::Chip& chip_;
  npu::Core& core_;
  uint64_t ub_;
  uint64_t global_;
  uint64_t pc_ = 1000;
  std::mt19937_64 random_;
  std::string last_;
  uint64_t row_lists_[2][16];
};

}  // namespace belay::check

#endif  // BELAY_TESTS_CHECK_INIT_PROGRAMS_H_
