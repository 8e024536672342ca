// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_HEADERS_EXPECT_OPERAND_H_
#define BELAY_TESTS_HEADERS_EXPECT_OPERAND_H_

// Comparison of records with the tensors and lanes a test asked for.

#include <gtest/gtest.h>

#include "kernel_operator.h"
#include "recorder.h"

namespace belay::header_test {

using abi::DType;
using abi::Form;
using abi::Memory;
using abi::Op;

// A tensor in UB, `offset` bytes from its start.
template <typename T>
AscendC::LocalTensor<T> InUb(uint32_t offset, uint32_t count = 1024) {
  return AscendC::LocalTensor<T>(AscendC::TPosition::VECCALC, offset, count);
}

// Where offset bytes into UB lie.
inline uint64_t Ub(uint64_t offset) {
  return belay_memory_base(Memory::kUb) + offset;
}

inline void ExpectOperand(const abi::Operand& operand, uint64_t address,
                          DType dtype, uint32_t block_stride,
                          uint32_t repeat_stride) {
  EXPECT_EQ(operand.address, address);
  EXPECT_EQ(operand.dtype, dtype);
  EXPECT_EQ(operand.memory, Memory::kUb);
  EXPECT_EQ(operand.block_stride, block_stride);
  EXPECT_EQ(operand.repeat_stride, repeat_stride);
}

// What the record says about the operation and its lanes.
inline void ExpectFirst(const abi::Instruction& record, Op op, uint64_t count) {
  EXPECT_EQ(record.op, op);
  EXPECT_EQ(record.form, Form::kCount);
  EXPECT_EQ(record.count, count);
}
inline void ExpectContinuous(const abi::Instruction& record, Op op,
                             uint64_t mask, uint32_t repeat) {
  EXPECT_EQ(record.op, op);
  EXPECT_EQ(record.form, Form::kContinuous);
  EXPECT_EQ(record.count, mask);
  EXPECT_EQ(record.repeat, repeat);
}
inline void ExpectBitwise(const abi::Instruction& record, Op op, uint64_t low,
                          uint64_t high, uint32_t repeat) {
  EXPECT_EQ(record.op, op);
  EXPECT_EQ(record.form, Form::kBitwise);
  EXPECT_EQ(record.mask[0], low);
  EXPECT_EQ(record.mask[1], high);
  EXPECT_EQ(record.repeat, repeat);
}
inline void ExpectRegister(const abi::Instruction& record, Op op,
                           uint32_t repeat) {
  EXPECT_EQ(record.op, op);
  EXPECT_EQ(record.form, Form::kRegister);
  EXPECT_EQ(record.repeat, repeat);
}

// Starts every test with nothing recorded.
class Headers : public ::testing::Test {
 protected:
  void SetUp() override { Forget(); }
};

}  // namespace belay::header_test

#endif  // BELAY_TESTS_HEADERS_EXPECT_OPERAND_H_
