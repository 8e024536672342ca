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

// What is read or written for `run` bytes at a time, per byte, when runs begin
// at multiples of `alignment`.
double LineFactor(int64_t run, int64_t alignment, int64_t line) {
  const int64_t step = std::gcd(alignment, line);
  const double touched = static_cast<double>(run + line - step);
  return std::max(1.0, touched / static_cast<double>(run));
}

double CopyFactor(const MatmulProblem& problem, const MatmulProblem::Rows& rows,
                  int64_t along_k, int64_t single_k, int64_t across,
                  int64_t single_across, int64_t line) {
  if (rows.are_one_piece) return 1;
  const int64_t block = rows.along_k ? along_k : across;
  const int64_t single = rows.along_k ? single_k : single_across;
  const int64_t run = std::min(block, single);
  if (run == rows.pitch) return 1;
  const int64_t alignment = std::gcd(std::gcd(block, single), rows.pitch);
  return LineFactor(run * problem.bits / 8, alignment * problem.bits / 8, line);
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
  const auto rows = static_cast<double>(AlignUp(single.m, 16));
  const auto columns = static_cast<double>(AlignUp(single.n, 16));
  const auto depth =
      static_cast<double>(AlignUp(single.k, problem.base_step.k));

  MatmulWork work;
  work.results = static_cast<double>(blocks_m * blocks_n);
  const double products =
      work.results * static_cast<double>(CeilDivide(single.k, base.k));
  work.cube =
      products * rates.mmad_start +
      rows / 16 * columns / 16 * depth / static_cast<double>(problem.fractal_k);
  work.load =
      2 * products * rates.load_start +
      rows * depth * bytes * static_cast<double>(blocks_n) / rates.l1_to_l0a +
      columns * depth * bytes * static_cast<double>(blocks_m) / rates.l1_to_l0b;
  const auto copied = [&](bool is_in_l1, int64_t elements) {
    return is_in_l1 ? 0
                    : static_cast<double>(elements) * bytes / rates.gm_to_l1;
  };
  work.copy_a = copied(problem.a_is_in_l1, single.m * single.k);
  work.copy_b = copied(problem.b_is_in_l1, single.n * single.k);
  const int64_t row = std::min(base.n, single.n) * problem.c_bits / 8;
  const int64_t aligned =
      std::gcd(std::gcd(base.n, single.n), problem.shape.n) * problem.c_bits /
      8;
  work.result = work.results * rates.fixpipe_start +
                static_cast<double>(single.m * single.n) * problem.c_bits /
                    8.0 / rates.l0c_to_gm *
                    LineFactor(row, aligned, rates.gm_line);
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
  // Copied at once, along K and across.
  const bool steps = problem.request.copies_steps != 0;
  const double a_factor = CopyFactor(
      problem, problem.a_rows, base.k * (steps ? split.step_ka : 1), single.k,
      base.m * (steps ? split.step_m : 1), single.m, rates.gm_line);
  const double b_factor = CopyFactor(
      problem, problem.b_rows, base.k * (steps ? split.step_kb : 1), single.k,
      base.n * (steps ? split.step_n : 1), single.n, rates.gm_line);
  work.copy_a =
      work.pieces_a * rates.copy_start + work.copy_a * a_times * a_factor;
  work.copy_b =
      work.pieces_b * rates.copy_start + work.copy_b * b_times * b_factor;

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
