// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_API_GLOBAL_BENCH_H_
#define BELAY_TESTS_API_GLOBAL_BENCH_H_

// A buffer in global memory beside UB: tests write what both must hold after
// a kernel, run it, and all bytes are compared.

#include <cstdint>
#include <vector>

#include "bench.h"
#include "kernel_operator.h"

namespace belay::sweep {

class GlobalBench {
 public:
  GlobalBench();
  ~GlobalBench();
  GlobalBench(const GlobalBench&) = delete;
  GlobalBench& operator=(const GlobalBench&) = delete;

  Draw& draw() { return bench_.draw; }

  // What the kernel finds.
  uint8_t* global() { return global_; }
  uint8_t* ub() { return bench_.image(); }

  // What it must leave: starts as what it finds.
  uint8_t* global_image() { return expected_global_.data(); }
  uint8_t* ub_image() { return expected_ub_.data(); }

  template <typename T>
  AscendC::GlobalTensor<T> Tensor() {
    AscendC::GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<T*>(global_));
    return tensor;
  }

  // Runs, compares, notes the cell; then both images start anew.
  void Check(const Cell& cell, const Kernel& kernel);

 private:
  static constexpr uint64_t kGlobalBytes = 16 * 1024;

  void Renew();

  Bench& bench_ = Bench::Get();
  uint8_t* global_;
  std::vector<uint8_t> expected_global_;
  std::vector<uint8_t> expected_ub_;
};

}  // namespace belay::sweep

#endif  // BELAY_TESTS_API_GLOBAL_BENCH_H_
