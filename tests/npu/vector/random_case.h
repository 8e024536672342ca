// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_NPU_VECTOR_RANDOM_CASE_H_
#define BELAY_TESTS_NPU_VECTOR_RANDOM_CASE_H_

// Random vector instructions over a buffer of the size of UB.

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "npu/vector_state.h"

namespace belay::npu {

inline constexpr uint64_t kUbBytes = 192 * 1024;

// The seed of this run: BELAY_SEED, or a fixed one. Printed once.
uint64_t TestSeed();

// 64-byte aligned memory.
class UbBuffer {
 public:
  UbBuffer();
  uint8_t* data() { return data_; }
  const uint8_t* data() const { return data_; }
  uint64_t address(uint64_t offset = 0) const {
    return reinterpret_cast<uint64_t>(data_) + offset;
  }
  void CopyFrom(const UbBuffer& other);

 private:
  std::vector<uint8_t> storage_;
  uint8_t* data_;
};

struct RandomCase {
  abi::Instruction instruction;  // addresses are offsets into the buffer
  VectorState state;
};

class CaseMaker {
 public:
  explicit CaseMaker(uint64_t seed) : random_(seed) {}

  // An instruction of operation `op` with random types, form, mask, repeats,
  // strides, overlap and registers, and memory filled to suit it.
  RandomCase Make(abi::Op op, UbBuffer& ub);

  // Bits of an element: special values, whole numbers, or anything.
  uint64_t Element(abi::DType dtype);

 private:
  uint64_t Below(uint64_t limit) {
    return std::uniform_int_distribution<uint64_t>(0, limit - 1)(random_);
  }
  bool Chance(int percent) {
    return Below(100) < static_cast<uint64_t>(percent);
  }
  template <typename T>
  T OneOf(std::initializer_list<T> values) {
    return values.begin()[Below(values.size())];
  }

  void ChooseTypes(abi::Instruction& instruction);
  void ChooseMode(abi::Instruction& instruction);
  void ChooseLanes(abi::Instruction& instruction, VectorState& state,
                   uint32_t per_repeat);
  void ChooseStrides(abi::Operand& operand, uint32_t repeats, bool is_dst);
  void ChooseDequantisation(const abi::Instruction& instruction,
                            VectorState& state);
  void Place(abi::Instruction& instruction, uint32_t repeats);
  void FillMemory(const abi::Instruction& instruction, UbBuffer& ub,
                  uint32_t repeats);

  std::mt19937_64 random_;
  std::array<uint64_t, 16> dequant_words_{};  // of the last case
};

// The instruction in words, for failures.
std::string Describe(const RandomCase& test);

}  // namespace belay::npu

#endif  // BELAY_TESTS_NPU_VECTOR_RANDOM_CASE_H_
