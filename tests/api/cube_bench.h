// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_API_CUBE_BENCH_H_
#define BELAY_TESTS_API_CUBE_BENCH_H_

// A cube core whose memories a test fills before a kernel and reads after it.

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "bench.h"
#include "kernel_operator.h"

namespace belay::sweep {

class CubeBench {
 public:
  using Bytes = std::vector<uint8_t>;

  // `global_bytes` of global memory, random as all memories are.
  explicit CubeBench(uint64_t global_bytes);
  ~CubeBench();
  CubeBench(const CubeBench&) = delete;
  CubeBench& operator=(const CubeBench&) = delete;

  // What the kernel finds, and after Run what it has left.
  uint8_t* global() { return global_; }
  Bytes& In(abi::Memory memory) {
    return memories_[static_cast<size_t>(memory)];
  }

  template <typename T>
  AscendC::GlobalTensor<T> Tensor(uint64_t offset = 0) {
    AscendC::GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<T*>(global_ + offset));
    return tensor;
  }

  // Runs `kernel` on a cube core; false, with the diagnostic, when it fails.
  bool Run(const Kernel& kernel, std::string& what);

  // Runs it and notes for `cell` whether `memory` then holds `expected`.
  void Check(const Cell& cell, abi::Memory memory, const Bytes& expected,
             const Kernel& kernel);

 private:
  Bench& bench_ = Bench::Get();
  uint64_t global_bytes_;
  uint8_t* global_;
  Bytes memories_[8];  // by Memory; that of GM stays empty
};

}  // namespace belay::sweep

#endif  // BELAY_TESTS_API_CUBE_BENCH_H_
