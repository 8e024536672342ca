// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_MATMUL_PRODUCT_BENCH_H_
#define BELAY_TESTS_MATMUL_PRODUCT_BENCH_H_

// Runs a matrix product through the library as a Matmul object asks for it,
// and computes it again by plain loops over logical matrices.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "belay/matmul.h"
#include "runtime/device.h"

namespace belay::runtime::matmul {

// A matrix by its elements, as they are meant.
struct Matrix {
  int rows = 0;
  int columns = 0;
  std::vector<double> values;

  double& At(int row, int column) {
    return values[static_cast<size_t>(row) * columns + column];
  }
  double At(int row, int column) const {
    return values[static_cast<size_t>(row) * columns + column];
  }
};

// One product: what is declared, how it is cut, what it computes.
struct Problem {
  abi::MatmulSpec spec{};
  AscendC::tiling::TCubeTiling tiling{};
  int m = 1;
  int n = 1;
  int k = 1;
  bool transpose_a = false;
  bool transpose_b = false;
  bool bias = false;
  std::string Text() const;
};

class ProductBench {
 public:
  explicit ProductBench(bool check = true);
  ~ProductBench();

  // Draws the inputs of a problem from `seed` and puts them into global
  // memory, in the formats the problem names.
  void Prepare(const Problem& problem, uint64_t seed);

  // Runs `ask` on one cube core with the object ready and both matrices set.
  // False when the launch failed; faults() then says why.
  using Ask = std::function<void(abi::MatmulState& state)>;
  bool Run(const std::string& kind, const Ask& ask);
  // Runs `code` on every core of one block.
  bool Launch(const std::string& kind, const std::function<void()>& code);

  // C as the kernel left it.
  Matrix Result() const;
  // C by plain loops.
  Matrix Expected() const;

  abi::Operand result() const { return result_; }
  uint64_t a_place() const { return a_place_; }
  uint64_t b_place() const { return b_place_; }
  uint64_t bias_place() const { return bias_place_; }
  const std::vector<npu::Fault>& faults() const { return faults_; }
  std::string FaultText() const;
  Device& device() { return device_; }

 private:
  uint64_t Store(const Matrix& matrix, const abi::MatmulMatrix& type);

  Device device_;
  std::vector<npu::Fault> faults_;
  Problem problem_;
  Matrix a_;
  Matrix b_;
  Matrix bias_;
  uint64_t a_place_ = 0;
  uint64_t b_place_ = 0;
  uint64_t bias_place_ = 0;
  abi::Operand result_{};
};

abi::Operand GlobalOperand(uint64_t address, abi::DType dtype);

}  // namespace belay::runtime::matmul

#endif  // BELAY_TESTS_MATMUL_PRODUCT_BENCH_H_
