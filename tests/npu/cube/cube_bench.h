// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_NPU_CUBE_CUBE_BENCH_H_
#define BELAY_TESTS_NPU_CUBE_CUBE_BENCH_H_

// A chip with one cube core in use: short ways to write cube instructions, and
// logical matrices to hand to the chip and to a naive model.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "npu/chip.h"

namespace belay::npu {

// The seed of a random test: BELAY_SEED, or a fixed one. Prints it.
uint64_t TestSeed();

// A matrix as mathematics has it. Every value is one the type can hold.
struct Matrix {
  abi::DType dtype;
  uint32_t rows;
  uint32_t columns;
  std::vector<double> values;  // by rows

  double& At(uint32_t row, uint32_t column) {
    return values[size_t{row} * columns + column];
  }
  double At(uint32_t row, uint32_t column) const {
    return values[size_t{row} * columns + column];
  }
  Matrix Transposed() const;
};

Matrix RandomMatrix(abi::DType dtype, uint32_t rows, uint32_t columns,
                    std::mt19937_64& random);

// Row-major, packed; int4 rows must have an even length.
std::vector<uint8_t> BytesOfMatrix(const Matrix& matrix);

class CubeTest : public ::testing::Test {
 protected:
  CubeTest();

  uint64_t Base(abi::Memory memory) const;
  abi::Operand Local(abi::Memory memory, uint64_t offset,
                     abi::DType dtype) const;
  static abi::Operand Global(uint64_t address, abi::DType dtype);

  // A fresh allocation of global memory with these bytes.
  uint64_t Put(const std::vector<uint8_t>& bytes);

  // The code of the trap an instruction raises, or "" when it executes.
  std::string CodeOf(abi::Instruction instruction);
  // Expects no trap.
  void Run(const abi::Instruction& instruction);

  template <typename T>
  T* At(abi::Memory memory, uint64_t offset = 0) const {
    return reinterpret_cast<T*>(Base(memory) + offset);
  }

  // Row-major global memory to NZ in L1, rows rounded up to `row_unit`.
  // Returns the rows in L1.
  uint32_t CopyToL1(uint64_t gm, uint64_t l1, const Matrix& matrix,
                    uint32_t row_unit);

  abi::Instruction Load2D(abi::Op op, abi::Memory to, uint64_t to_offset,
                          uint64_t l1, abi::DType dtype, abi::Load2D load);
  // Sets the registers for a matrix of `rows` in L1, then loads all of it.
  void Load3D(abi::Memory to, uint64_t l1, abi::DType dtype, uint32_t rows,
              uint32_t l1_rows, uint32_t columns, bool transpose);

  Chip chip_;
  Core& core_;
  std::string message_;
};

}  // namespace belay::npu

#endif  // BELAY_TESTS_NPU_CUBE_CUBE_BENCH_H_
