// SPDX-License-Identifier: Apache-2.0
#include "runtime/matmul_tiling/rules.h"

#include <algorithm>

namespace belay::runtime {
namespace {

// What is weighed beside the model, as parts of its time. Kernels that know
// nothing of a last, smaller share are common, and so are those that take a
// small result in one block, walk fixed blocks along one dimension only, or
// give one operand more of L1 afterwards, up to half of it.
constexpr double kUnequalShares = 0.35;
constexpr double kUnequalSharesOfK = 1;
constexpr double kSharedColumns = 0.03;
constexpr double kUnequalBlocks = 0.01;
constexpr double kMoreThanHalfOfL1 = 0.02;
constexpr double kTwoWayWalk = 0.25;
constexpr double kSmallResultInBlocks = 0.25;

bool InRange(int64_t value, int32_t least, int32_t most) {
  return (least <= 0 || value >= least) && (most <= 0 || value <= most);
}

// Shares of one dimension, and how many cores each takes; every number of
// cores at most once.
struct Share {
  int64_t single;
  int64_t cores;
};

std::vector<Share> Shares(int64_t size, int64_t step, int64_t most_cores,
                          int32_t fixed, int32_t least, int32_t most) {
  if (fixed > 0) {
    const int64_t single = std::min<int64_t>(fixed, size);
    return {{single, CeilDivide(size, single)}};
  }
  std::vector<Share> shares;
  int64_t last = 0;
  for (int64_t cores = 1; cores <= most_cores; ++cores) {
    const int64_t single =
        std::min(size, AlignUp(CeilDivide(size, cores), step));
    if (single == last) continue;
    last = single;
    if (!InRange(single, least, most)) continue;
    shares.push_back({single, CeilDivide(size, single)});
  }
  return shares;
}

bool FitsL0(const MatmulProblem& problem, const Extent& base, int buffers) {
  const auto bytes = [&](int64_t across) {
    return static_cast<uint64_t>(across * base.k * problem.bits / 8 * buffers);
  };
  return bytes(AlignUp(base.m, problem.a_rows_step)) <=
             problem.request.l0a_bytes &&
         bytes(AlignUp(base.n, problem.b_columns_step)) <=
             problem.request.l0b_bytes;
}

// Whether A or B alone takes more than half of L1.
bool TakesMoreThanHalfOfL1(const MatmulProblem& problem,
                           const MatmulSplit& split) {
  const int64_t a = BlockBytesA(problem, split.base) * split.step_m *
                    split.step_ka * split.buffers_a1;
  const int64_t b = BlockBytesB(problem, split.base) * split.step_n *
                    split.step_kb * split.buffers_b1;
  return static_cast<uint64_t>(std::max(a, b)) * 2 > problem.request.l1_bytes;
}

// Whether all of a share could be one block of C.
bool FitsOneBlock(const MatmulProblem& problem, const Extent& single) {
  MatmulSplit split;
  split.single = single;
  split.base = {AlignUp(single.m, problem.base_step.m),
                AlignUp(single.n, problem.base_step.n), problem.base_step.k};
  split.buffers_l0a = split.buffers_l0b = BuffersOfL0(problem, split.base);
  return Fits(problem, split);
}

}  // namespace

double Rounds(const MatmulProblem& problem, const CoreGrid& grid) {
  const int64_t shares = grid.cores.m * grid.cores.n * grid.cores.k;
  return static_cast<double>(CeilDivide(shares, problem.request.cores));
}

double ShareWeight(const MatmulProblem& problem, const CoreGrid& grid) {
  double weight = 1;
  if (problem.shape.m % grid.single.m != 0) weight += kUnequalShares;
  if (problem.shape.n % grid.single.n != 0) weight += kUnequalShares;
  if (problem.shape.k % grid.single.k != 0) weight += kUnequalSharesOfK;
  if (grid.cores.n > 1) weight += kSharedColumns;
  return weight;
}

int BuffersOfL0(const MatmulProblem& problem, const Extent& base) {
  const int32_t fixed_k = problem.request.base.k;
  const int64_t least_k = fixed_k > 0 ? fixed_k : problem.base_step.k;
  return FitsL0(problem, {base.m, base.n, least_k}, 2) ? 2 : 1;
}

std::vector<CoreGrid> PossibleGrids(const MatmulProblem& problem) {
  const abi::MatmulTilingRequest& request = problem.request;
  const Extent& shape = problem.shape;
  const Extent& step = problem.single_step;
  const int64_t cores = request.cores;
  const int64_t cores_k = request.may_split_k != 0 ? cores : 1;
  const bool is_fixed =
      request.single.m > 0 || request.single.n > 0 || request.single.k > 0;
  // Every core has all of what the caller keeps in L1.
  const int64_t cores_m = problem.a_is_in_l1 ? 1 : cores;
  const int64_t cores_n = problem.b_is_in_l1 ? 1 : cores;
  std::vector<CoreGrid> grids;
  for (const Share& m : Shares(shape.m, step.m, cores_m, request.single.m,
                               request.least_single.m, request.most_single.m)) {
    for (const Share& n :
         Shares(shape.n, step.n, cores_n, request.single.n,
                request.least_single.n, request.most_single.n)) {
      for (const Share& k :
           Shares(shape.k, step.k, cores_k, request.single.k,
                  request.least_single.k, request.most_single.k)) {
        if (!is_fixed && m.cores * n.cores * k.cores > cores) continue;
        grids.push_back(
            {{m.single, n.single, k.single}, {m.cores, n.cores, k.cores}});
      }
    }
  }
  return grids;
}

bool IsAllowed(const MatmulProblem& problem, const MatmulSplit& split) {
  const abi::MatmulTilingRequest& request = problem.request;
  const Extent& base = split.base;
  const Extent& step = problem.base_step;
  if (base.m % step.m != 0 || base.n % step.n != 0 || base.k % step.k != 0) {
    return false;
  }
  const int buffers_l0 = BuffersOfL0(problem, base);
  if (split.buffers_l0a != buffers_l0 || split.buffers_l0b != buffers_l0) {
    return false;
  }
  const auto fits_share = [](int64_t size, int64_t single, int64_t rounding,
                             int32_t least) {
    return size <= AlignUp(single, rounding) ||
           size <= AlignUp(std::max<int64_t>(least, 0), rounding);
  };
  if (!fits_share(base.m, split.single.m, problem.a_rows_step,
                  request.least_base.m) ||
      !fits_share(base.n, split.single.n, problem.b_columns_step,
                  request.least_base.n)) {
    return false;
  }
  switch (request.traverse) {
    case abi::MatmulTraverse::kFirstM:
      if (!split.first_m) return false;
      break;
    case abi::MatmulTraverse::kFirstN:
      if (split.first_m) return false;
      break;
    case abi::MatmulTraverse::kAny:
      break;
  }

  const int64_t blocks_m = split.BlocksM();
  const int64_t blocks_n = split.BlocksN();
  const int64_t blocks_k = split.BlocksK();
  const int64_t pieces_ka = CeilDivide(blocks_k, split.step_ka);
  const int64_t pieces_kb = CeilDivide(blocks_k, split.step_kb);
  if ((pieces_ka > 1 && split.step_m > 1) ||
      (pieces_kb > 1 && split.step_n > 1) ||
      (pieces_ka % pieces_kb != 0 && pieces_kb % pieces_ka != 0)) {
    return false;
  }
  if ((problem.a_is_in_l1 && (split.step_m < blocks_m || pieces_ka > 1)) ||
      (problem.b_is_in_l1 && (split.step_n < blocks_n || pieces_kb > 1))) {
    return false;
  }
  switch (request.schedule) {
    case abi::MatmulSchedule::kInner:
      return true;
    case abi::MatmulSchedule::kOuter:
      // Two results at once, along the dimension that is not walked first.
      return blocks_k == 1 &&
             (split.first_m ? blocks_n == 1 || split.step_n > 1
                            : blocks_m == 1 || split.step_m > 1);
    case abi::MatmulSchedule::kBuffer33:
      return blocks_m <= 3 && blocks_k <= 3 && split.step_m == blocks_m &&
             pieces_ka == 1 && pieces_kb == 1 && split.step_n == 1;
  }
  return true;
}

double GridCycles(const MatmulProblem& problem, const CoreGrid& grid,
                  const MatmulSplit& split,
                  const npu::ChipSpec::MatmulRates& rates) {
  double weight = ShareWeight(problem, grid);
  if (split.single.m % split.base.m != 0) weight += kUnequalBlocks;
  if (split.single.n % split.base.n != 0) weight += kUnequalBlocks;
  if (TakesMoreThanHalfOfL1(problem, split)) weight += kMoreThanHalfOfL1;
  const abi::MatmulLimits& fixed = problem.request.base;
  if (fixed.m > 0 && fixed.n > 0 && split.BlocksM() > 1 &&
      split.BlocksN() > 1) {
    weight += kTwoWayWalk;
  }
  if (split.BlocksM() * split.BlocksN() > 1 &&
      FitsOneBlock(problem, split.single)) {
    weight += kSmallResultInBlocks;
  }
  return Rounds(problem, grid) * weight * ModelledCycles(problem, split, rates);
}

}  // namespace belay::runtime
