// SPDX-License-Identifier: Apache-2.0
// A matrix product of 1024³ halves through the simulated cube, by the
// instructions a kernel issues on one core: ND to NZ into L1, fractals into L0,
// Mmads of 128 × 128 × 64, results out by rows. Prints its time, the time of
// libtorch's product of floats on one thread, and their ratio; the exit status
// says whether it is at most 20.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "base/float16.h"
#include "npu/chip.h"
#include "torch_matmul.h"

namespace belay::benchmarks {
namespace {

using abi::DType;
using abi::Memory;

constexpr uint32_t kSide = 1024;
constexpr uint32_t kTile = 128;     // of m and n
constexpr uint32_t kDepth = 64;     // of k in one Mmad
constexpr uint32_t kL1Depth = 256;  // of k in L1
constexpr double kMost = 20;
constexpr int kRounds = 3;

class Product {
 public:
  Product()
      : chip_(npu::LoadChip(npu::kDefaultChip)), core_(chip_.CubeCore(0)) {
    for (uint64_t* matrix : {&a_, &b_}) {
      *matrix = chip_.global().Allocate(uint64_t{kSide} * kSide * 2);
      auto* elements = reinterpret_cast<uint16_t*>(*matrix);
      for (uint32_t i = 0; i < kSide * kSide; ++i) {
        elements[i] =
            HalfFromFloat(static_cast<float>(i * 7 % 31) / 16 - 1).bits;
      }
    }
    c_ = chip_.global().Allocate(uint64_t{kSide} * kSide * 4);
  }

  double Seconds() {
    const auto begin = std::chrono::steady_clock::now();
    for (uint32_t m = 0; m < kSide; m += kTile) {
      for (uint32_t n = 0; n < kSide; n += kTile) MakeTile(m, n);
    }
    const std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - begin;
    return time.count();
  }

  // Whether some results are what plain loops give.
  bool IsRight() const {
    const auto* a = reinterpret_cast<const Half*>(a_);
    const auto* b = reinterpret_cast<const Half*>(b_);
    const auto* c = reinterpret_cast<const float*>(c_);
    for (uint32_t at = 0; at < kSide * kSide; at += 99991) {
      float sum = 0;
      for (uint32_t k = 0; k < kSide; ++k) {
        sum += ToFloat(a[at / kSide * kSide + k]) *
               ToFloat(b[k * kSide + at % kSide]);
      }
      if (c[at] != sum) return false;
    }
    return true;
  }

 private:
  abi::Operand Local(Memory memory, uint64_t offset, DType dtype) const {
    return {chip_.on_chip().Base(core_.slot, memory) + offset, 0, 0, dtype,
            memory};
  }
  static abi::Operand Global(uint64_t address, DType dtype) {
    return {address, 0, 0, dtype, Memory::kGm};
  }

  void CopyIn(uint64_t l1, uint64_t gm, uint32_t rows, uint32_t columns) {
    abi::Instruction copy{};
    copy.op = abi::Op::kDataCopyNd2Nz;
    copy.dst = Local(Memory::kL1, l1, DType::kHalf);
    copy.src0 = Global(gm, DType::kHalf);
    copy.nd2nz = {1, rows, columns, 0, kSide, rows, 1, 0};
    chip_.Issue(core_, copy);
  }

  void Load(Memory to, uint64_t l0, uint64_t l1, uint32_t repeat,
            uint32_t stride, bool transpose) {
    abi::Instruction load{};
    load.op = abi::Op::kLoadData2D;
    load.dst = Local(to, l0, DType::kHalf);
    load.src0 = Local(Memory::kL1, l1, DType::kHalf);
    load.load2d.repeat = repeat;
    load.load2d.source_stride = stride;
    load.load2d.transpose = transpose;
    chip_.Issue(core_, load);
  }

  // NZ of kTile × kL1Depth to ZZ, and of kL1Depth × kTile to ZN.
  void LoadBoth(uint32_t k) {
    constexpr uint32_t kBlocks = kDepth / 16;
    for (uint32_t row = 0; row < kTile / 16; ++row) {
      Load(Memory::kL0a, uint64_t{row} * kBlocks * 512,
           (uint64_t{k} / 16 * (kTile / 16) + row) * 512, kBlocks, kTile / 16,
           false);
    }
    for (uint32_t row = 0; row < kBlocks; ++row) {
      Load(Memory::kL0b, uint64_t{row} * (kTile / 16) * 512,
           kRightInL1 + (uint64_t{k} / 16 + row) * 512, kTile / 16,
           kL1Depth / 16, true);
    }
  }

  void MakeTile(uint32_t m, uint32_t n) {
    for (uint32_t outer = 0; outer < kSide; outer += kL1Depth) {
      CopyIn(0, a_ + (uint64_t{m} * kSide + outer) * 2, kTile, kL1Depth);
      CopyIn(kRightInL1, b_ + (uint64_t{outer} * kSide + n) * 2, kL1Depth,
             kTile);
      for (uint32_t inner = 0; inner < kL1Depth; inner += kDepth) {
        LoadBoth(inner);
        abi::Instruction mmad{};
        mmad.op = abi::Op::kMmad;
        mmad.dst = Local(Memory::kL0c, 0, DType::kFloat);
        mmad.src0 = Local(Memory::kL0a, 0, DType::kHalf);
        mmad.src1 = Local(Memory::kL0b, 0, DType::kHalf);
        mmad.mmad = {
            kTile,
            kTile,
            kDepth,
            outer + inner == 0 ? abi::MmadInit::kZero : abi::MmadInit::kAccumulate,
            0,
            0};
        chip_.Issue(core_, mmad);
      }
    }
    abi::Instruction fixpipe{};
    fixpipe.op = abi::Op::kFixpipe;
    fixpipe.dst = Global(c_ + (uint64_t{m} * kSide + n) * 4, DType::kFloat);
    fixpipe.src0 = Local(Memory::kL0c, 0, DType::kFloat);
    fixpipe.fixpipe.n = kTile;
    fixpipe.fixpipe.m = kTile;
    fixpipe.fixpipe.source_stride = kTile;
    fixpipe.fixpipe.destination_stride = kSide;
    fixpipe.fixpipe.nz2nd = 1;
    chip_.Issue(core_, fixpipe);
  }

  static constexpr uint64_t kRightInL1 = 256 * 1024;

  npu::Chip chip_;
  npu::Core& core_;
  uint64_t a_ = 0;
  uint64_t b_ = 0;
  uint64_t c_ = 0;
};

int Main() {
  Product product;
  double best = 1e300;
  for (int round = 0; round < kRounds; ++round) {
    best = std::min(best, product.Seconds());
  }
  if (!product.IsRight()) {
    fmt::print("cube_speed: the product is wrong\n");
    return 1;
  }
  const double torch = TorchMatmulSeconds(kSide, kRounds);
  fmt::print(
      "1024³ halves through the simulated cube: {:.1f} ms\n"
      "1024³ floats by libtorch, one thread:    {:.1f} ms\n"
      "ratio: {:.1f} (at most {})\n",
      best * 1e3, torch * 1e3, best / torch, kMost);
  return best / torch <= kMost ? 0 : 1;
}

}  // namespace
}  // namespace belay::benchmarks

int main() { return belay::benchmarks::Main(); }
