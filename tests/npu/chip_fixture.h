// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_NPU_CHIP_FIXTURE_H_
#define BELAY_TESTS_NPU_CHIP_FIXTURE_H_

// A chip with one vector core in use, and short ways to write instructions.

#include <gtest/gtest.h>

#include "npu/chip.h"

namespace belay::npu {

class ChipTest : public ::testing::Test {
 protected:
  ChipTest() : chip_(LoadChip(kDefaultChip)), core_(chip_.VectorCore(3)) {
    chip_.on_chip().Poison(core_.slot);
    chip_.SetReporter(
        [this](Fault fault) { reported_.push_back(fault.diagnostic); });
  }

  uint64_t Ub(uint64_t offset) const {
    return chip_.on_chip().Base(core_.slot, abi::Memory::kUb) + offset;
  }

  abi::Operand Local(uint64_t offset, abi::DType dtype) const {
    return {Ub(offset), 1, 8, dtype, abi::Memory::kUb};
  }

  static abi::Operand Global(uint64_t address, abi::DType dtype) {
    return {address, 0, 0, dtype, abi::Memory::kGm};
  }

  abi::Instruction AddFloats(uint64_t dst, uint64_t src0, uint64_t src1,
                             uint64_t count) const {
    abi::Instruction add{};
    add.op = abi::Op::kAdd;
    add.form = abi::Form::kCount;
    add.count = count;
    add.dst = Local(dst, abi::DType::kFloat);
    add.src0 = Local(src0, abi::DType::kFloat);
    add.src1 = Local(src1, abi::DType::kFloat);
    return add;
  }

  // The code of the trap an instruction raises, or "" when it executes.
  std::string CodeOf(abi::Instruction instruction) {
    try {
      chip_.Issue(core_, instruction);
    } catch (Trap& trap) {
      message_ = trap.fault().diagnostic.message;
      return trap.fault().diagnostic.code;
    }
    return "";
  }

  template <typename T>
  T* At(uint64_t offset) const {
    return reinterpret_cast<T*>(Ub(offset));
  }

  Chip chip_;
  Core& core_;
  std::vector<Diagnostic> reported_;
  std::string message_;
};

}  // namespace belay::npu

#endif  // BELAY_TESTS_NPU_CHIP_FIXTURE_H_
