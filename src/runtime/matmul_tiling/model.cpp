// SPDX-License-Identifier: Apache-2.0
#include "runtime/matmul_tiling/model.h"

#include <algorithm>
#include <numeric>

#include "tiling/matmul/matmul_tiling_types.h"

namespace belay::runtime {
namespace {

// Of an element of L0C: float or int32.
constexpr int64_t kAccumulatorBytes = 4;

uint64_t Unsigned(int64_t bytes) { return static_cast<uint64_t>(bytes); }

// How often one core copies A or B in whole. `stays`: one piece holds all.
// `along`: the walk over C stays with one part until it is done; it comes back
// to it `sweeps` times otherwise.
double TimesCopied(bool stays, bool along, bool whole_k, int64_t sweeps) {
  return stays || (along && whole_k) ? 1 : static_cast<double>(sweeps);
}

// What is read or written of lines of GM, per byte, when `elements` of a row of
// `pitch` elements go in blocks.
double LineFactor(int64_t elements, int64_t block, int64_t pitch, int bits,
                  int64_t line) {
  if (std::min(elements, block) == pitch) return 1;
  const int64_t aligned = std::gcd(std::gcd(elements, block), pitch);
  const int64_t step = std::gcd(aligned * bits / 8, line);
  const double run = static_cast<double>(elements) * bits / 8 /
                     static_cast<double>(CeilDivide(elements, block));
  return std::max(1.0, (run + static_cast<double>(line - step)) / run);
}

// One core's share of A or B.
struct OperandShare {
  const MatmulProblem::Rows& rows;
  bool is_in_l1;
  int64_t k;
  int64_t across;
};

OperandShare OperandA(const MatmulProblem& problem, const Extent& single) {
  return {problem.a_rows, problem.a_is_in_l1, single.k, single.m};
}
OperandShare OperandB(const MatmulProblem& problem, const Extent& single) {
  return {problem.b_rows, problem.b_is_in_l1, single.k, single.n};
}

// Of all of it, in blocks of `k` × `across`; starts aside.
double CopyCycles(const MatmulProblem& problem, const OperandShare& share,
                  int64_t k, int64_t across,
                  const npu::ChipSpec::MatmulRates& rates) {
  if (share.is_in_l1) return 0;
  const double bytes =
      static_cast<double>(share.k * share.across) * problem.bits / 8;
  if (share.rows.are_one_piece) return bytes / rates.gm_to_l1;
  const bool along_k = share.rows.along_k;
  const double factor =
      LineFactor(along_k ? share.k : share.across, along_k ? k : across,
                 share.rows.pitch, problem.bits, rates.gm_burst);
  return bytes * factor / rates.gm_to_l1;
}

}  // namespace

int64_t BlockBytesA(const MatmulProblem& problem, const Extent& base) {
  return AlignUp(base.m, problem.a_rows_step) * base.k * problem.bits / 8;
}

int64_t BlockBytesB(const MatmulProblem& problem, const Extent& base) {
  return AlignUp(base.n, problem.b_columns_step) * base.k * problem.bits / 8;
}

int64_t BesideBlocks(const MatmulProblem& problem, const Extent& base) {
  return base.n * (problem.bias_bytes + problem.quant_bytes);
}

int64_t L1Bytes(const MatmulProblem& problem, const MatmulSplit& split) {
  return BlockBytesA(problem, split.base) * split.step_m * split.step_ka *
             split.buffers_a1 +
         BlockBytesB(problem, split.base) * split.step_n * split.step_kb *
             split.buffers_b1 +
         BesideBlocks(problem, split.base);
}

int64_t L0cBytes(const MatmulSplit& split) {
  return split.base.m * split.base.n * kAccumulatorBytes * split.buffers_l0c;
}

bool Fits(const MatmulProblem& problem, const MatmulSplit& split) {
  const abi::MatmulTilingRequest& request = problem.request;
  const Extent& base = split.base;
  const int64_t l0a = AlignUp(base.m, problem.a_rows_step) * base.k *
                      problem.bits / 8 * split.buffers_l0a;
  const int64_t l0b = AlignUp(base.n, problem.b_columns_step) * base.k *
                      problem.bits / 8 * split.buffers_l0b;
  const bool has_bias = problem.bias_bytes > 0;
  const bool to_ub = request.c.position ==
                     static_cast<int32_t>(matmul_tiling::TPosition::VECIN);
  return Unsigned(l0a) <= request.l0a_bytes &&
         Unsigned(l0b) <= request.l0b_bytes &&
         Unsigned(L0cBytes(split)) <= request.l0c_bytes &&
         Unsigned(L1Bytes(problem, split)) <= request.l1_bytes &&
         (!has_bias ||
          Unsigned(base.n * kAccumulatorBytes) <= request.bt_bytes) &&
         base.n * problem.quant_bytes <= problem.quant_room &&
         (!to_ub ||
          Unsigned(base.m * base.n * problem.c_bits / 8) <= request.ub_bytes);
}

MatmulWork LeastWork(const MatmulProblem& problem, const Extent& single,
                     const Extent& base,
                     const npu::ChipSpec::MatmulRates& rates) {
  const int64_t blocks_m = CeilDivide(single.m, base.m);
  const int64_t blocks_n = CeilDivide(single.n, base.n);
  const double bytes = problem.bits / 8.0;
  // Every size in whole fractals, however it is cut.
  const auto rows = static_cast<double>(AlignUp(single.m, kFractal));
  const auto columns = static_cast<double>(AlignUp(single.n, kFractal));
  const auto depth =
      static_cast<double>(AlignUp(single.k, problem.base_step.k));

  MatmulWork work;
  work.results = static_cast<double>(blocks_m * blocks_n);
  const double products =
      work.results * static_cast<double>(CeilDivide(single.k, base.k));
  work.cube = products * rates.mmad_start +
              rows / kFractal * columns / kFractal * depth /
                  static_cast<double>(problem.fractal_k);
  work.load =
      2 * products * rates.load_start +
      rows * depth * bytes * static_cast<double>(blocks_n) / rates.l1_to_l0a +
      columns * depth * bytes * static_cast<double>(blocks_m) / rates.l1_to_l0b;
  // Of the longest runs that any number of steps gives.
  const Extent& copied = problem.request.copies_steps != 0 ? single : base;
  work.copy_a =
      CopyCycles(problem, OperandA(problem, single), copied.k, copied.m, rates);
  work.copy_b =
      CopyCycles(problem, OperandB(problem, single), copied.k, copied.n, rates);
  work.result = work.results * rates.fixpipe_start +
                static_cast<double>(single.m * single.n) * problem.c_bits /
                    8.0 / rates.l0c_to_gm *
                    LineFactor(single.n, base.n, problem.shape.n,
                               problem.c_bits, rates.gm_burst);
  return work;
}

double ModelledCycles(const MatmulProblem& problem, const MatmulSplit& split,
                      const npu::ChipSpec::MatmulRates& rates) {
  const Extent& base = split.base;
  const Extent& single = split.single;
  MatmulWork work = LeastWork(problem, single, base, rates);

  const int64_t blocks_m = split.BlocksM();
  const int64_t blocks_n = split.BlocksN();
  const int64_t blocks_k = split.BlocksK();
  const int64_t pieces_ka = CeilDivide(blocks_k, split.step_ka);
  const int64_t pieces_kb = CeilDivide(blocks_k, split.step_kb);
  const int64_t pieces_m = CeilDivide(blocks_m, split.step_m);
  const int64_t pieces_n = CeilDivide(blocks_n, split.step_n);
  const double a_times = TimesCopied(pieces_m == 1 && pieces_ka == 1,
                                     !split.first_m, pieces_ka == 1, blocks_n);
  const double b_times = TimesCopied(pieces_n == 1 && pieces_kb == 1,
                                     split.first_m, pieces_kb == 1, blocks_m);
  work.pieces_a = a_times * static_cast<double>(pieces_m * pieces_ka);
  work.pieces_b = b_times * static_cast<double>(pieces_n * pieces_kb);
  if (problem.request.copies_steps != 0) {
    work.copy_a =
        CopyCycles(problem, OperandA(problem, single), base.k * split.step_ka,
                   base.m * split.step_m, rates);
    work.copy_b =
        CopyCycles(problem, OperandB(problem, single), base.k * split.step_kb,
                   base.n * split.step_n, rates);
  }
  work.copy_a = work.pieces_a * rates.copy_start + work.copy_a * a_times;
  work.copy_b = work.pieces_b * rates.copy_start + work.copy_b * b_times;

  // What cannot overlap stands in one row.
  const bool loads_overlap = split.buffers_l0a > 1 && split.buffers_l0b > 1;
  const double compute = work.cube + (loads_overlap ? 0 : work.load) +
                         (split.buffers_l0c > 1 ? 0 : work.result);
  // Before the first product and behind the last, and wherever a copy has no
  // second buffer.
  const double lead =
      (split.buffers_a1 > 1 ? work.copy_a / work.pieces_a : work.copy_a) +
      (split.buffers_b1 > 1 ? work.copy_b / work.pieces_b : work.copy_b) +
      work.result / work.results;
  const double copy = work.copy_a + work.copy_b;
  const double slowest = std::max({compute, work.load, copy, work.result});
  const double others = work.cube + work.load + copy + work.result - slowest;
  return slowest + lead +
         std::max(0.0, others) * rates.lost_overlap_percent / 100;
}

}  // namespace belay::runtime
