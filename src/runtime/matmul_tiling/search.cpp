// SPDX-License-Identifier: Apache-2.0
#include "runtime/matmul_tiling/search.h"

#include <algorithm>
#include <utility>

namespace belay::runtime {
namespace {

// What is weighed beside the model, as parts of its time. Kernels that know
// nothing of a last, smaller share are common, and so are those that take a
// small result in one block or walk fixed blocks along one dimension only.
constexpr double kUnequalShares = 0.35;
constexpr double kUnequalSharesOfK = 1;
constexpr double kSharedColumns = 0.03;
constexpr double kUnequalBlocks = 0.01;
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

// Base sizes for one dimension, from the largest: those that are the least for
// their number of blocks, as a larger one would only take more room, and whole
// or half lines of GM (`line` elements).
std::vector<int64_t> BaseSizes(int64_t single, int64_t step, int64_t limit,
                               int64_t line, int32_t fixed, int32_t least,
                               int32_t most) {
  if (fixed > 0) return {fixed};
  std::vector<int64_t> sizes;
  const int64_t least_base = least > 0 ? AlignUp(least, step) : step;
  int64_t last = 0;
  for (int64_t size = std::min(AlignUp(single, step), limit / step * step);
       size >= step; size -= step) {
    const int64_t balanced =
        AlignUp(CeilDivide(single, CeilDivide(single, size)), step);
    const bool is_lines = size % (line / 2) == 0;
    const int64_t base = std::max(is_lines ? size : balanced, least_base);
    if (base == last || (most > 0 && base > AlignUp(most, step))) continue;
    sizes.push_back(base);
    last = base;
  }
  return sizes;
}

// Passes of all cores over the shares.
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

double LeastCycles(const MatmulWork& work) {
  return std::max(
      {work.cube, work.load, work.copy_a + work.copy_b, work.result});
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

// Loads overlap with products wherever blocks of any K fit twice.
int BuffersOfL0(const MatmulProblem& problem, const Extent& base) {
  const int32_t fixed_k = problem.request.base.k;
  const int64_t least_k = fixed_k > 0 ? fixed_k : problem.base_step.k;
  return FitsL0(problem, {base.m, base.n, least_k}, 2) ? 2 : 1;
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

class Search {
 public:
  Search(const MatmulProblem& problem, const npu::ChipSpec::MatmulRates& rates)
      : problem_(problem), request_(problem.request), rates_(rates) {}

  std::optional<FoundSplit> Run() {
    std::vector<std::pair<double, CoreGrid>> grids;
    for (const CoreGrid& grid : PossibleGrids(problem_)) {
      const MatmulWork work =
          LeastWork(problem_, grid.single, grid.single, rates_);
      grids.emplace_back(LeastOfGrid(grid, work), grid);
    }
    // The most promising first; what cannot win is not looked at.
    std::stable_sort(
        grids.begin(), grids.end(),
        [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [least, grid] : grids) {
      if (best_ && least >= best_->cycles) break;
      TryGrid(grid);
    }
    return best_;
  }

 private:
  double LeastOfGrid(const CoreGrid& grid, const MatmulWork& work) const {
    return Rounds(problem_, grid) * ShareWeight(problem_, grid) *
           LeastCycles(work);
  }

  // The largest base size that could fit with the other one at its least.
  int64_t MostAcross(uint64_t l0_bytes, int64_t step_across) const {
    const auto l0 = static_cast<int64_t>(l0_bytes) * 8 /
                    (problem_.bits * problem_.base_step.k);
    const auto l0c =
        static_cast<int64_t>(request_.l0c_bytes) / (4 * step_across);
    return std::min(l0, l0c);
  }

  int64_t LineElements() const { return rates_.gm_burst * 8 / problem_.bits; }

  void TryGrid(const CoreGrid& grid) {
    const Extent& step = problem_.base_step;
    const std::vector<int64_t> bases_m =
        BaseSizes(grid.single.m, step.m, MostAcross(request_.l0a_bytes, step.n),
                  LineElements(), request_.base.m, request_.least_base.m,
                  request_.most_base.m);
    const std::vector<int64_t> bases_n =
        BaseSizes(grid.single.n, step.n, MostAcross(request_.l0b_bytes, step.m),
                  LineElements(), request_.base.n, request_.least_base.n,
                  request_.most_base.n);
    for (const int64_t base_m : bases_m) {
      for (const int64_t base_n : bases_n) {
        if (static_cast<uint64_t>(base_m * base_n) * 4 > request_.l0c_bytes) {
          continue;
        }
        TryBase(grid, base_m, base_n);
      }
    }
  }

  void TryBase(const CoreGrid& grid, int64_t base_m, int64_t base_n) {
    MatmulSplit split;
    split.single = grid.single;
    split.base = {base_m, base_n, problem_.base_step.k};
    split.buffers_l0c =
        static_cast<uint64_t>(base_m * base_n) * 8 <= request_.l0c_bytes ? 2
                                                                         : 1;
    const int buffers = BuffersOfL0(problem_, split.base);
    split.buffers_l0a = split.buffers_l0b = buffers;
    const int64_t room_a = RoomForK(request_.l0a_bytes, buffers,
                                    AlignUp(base_m, problem_.a_rows_step));
    const int64_t room_b = RoomForK(request_.l0b_bytes, buffers,
                                    AlignUp(base_n, problem_.b_columns_step));
    const std::vector<int64_t> bases_k =
        BaseSizes(grid.single.k, problem_.base_step.k, std::min(room_a, room_b),
                  LineElements(), request_.base.k, request_.least_base.k,
                  request_.most_base.k);
    // Few of them differ in anything but the number of instructions.
    constexpr size_t kTried = 4;
    for (size_t i = 0; i < std::min(bases_k.size(), kTried); ++i) {
      split.base.k = bases_k[i];
      if (!CannotWin(grid, split)) TryL1(grid, split);
    }
  }

  bool CannotWin(const CoreGrid& grid, const MatmulSplit& split) const {
    if (!best_) return false;
    MatmulWork work = LeastWork(problem_, grid.single, split.base, rates_);
    if (split.buffers_l0a == 1) work.cube += work.load;
    if (split.buffers_l0c == 1) work.cube += work.result;
    // Unless L1 holds all of one operand, the walk over C reads it again.
    const auto l1 = static_cast<int64_t>(request_.l1_bytes);
    const int64_t blocks_k = split.BlocksK();
    const bool holds_a =
        BlockBytesA(problem_, split.base) * split.BlocksM() * blocks_k <= l1;
    const bool holds_b =
        BlockBytesB(problem_, split.base) * split.BlocksN() * blocks_k <= l1;
    const auto times_a = static_cast<double>(holds_a ? 1 : split.BlocksN());
    const auto times_b = static_cast<double>(holds_b ? 1 : split.BlocksM());
    if (work.copy_a * times_a + work.copy_b <
        work.copy_a + work.copy_b * times_b) {
      work.copy_a *= times_a;
    } else {
      work.copy_b *= times_b;
    }
    return LeastOfGrid(grid, work) >= best_->cycles;
  }

  int64_t RoomForK(uint64_t l0_bytes, int buffers, int64_t across) const {
    return static_cast<int64_t>(l0_bytes) * 8 /
           (buffers * across * problem_.bits);
  }

  // What of an operand L1 holds: some of K, all of K for one row of blocks, or
  // everything.
  enum class Held { kPart, kRow, kAll };

  void TryL1(const CoreGrid& grid, const MatmulSplit& base) {
    for (const Held a : {Held::kAll, Held::kRow, Held::kPart}) {
      for (const Held b : {Held::kAll, Held::kRow, Held::kPart}) {
        for (const int buffers_a : {2, 1}) {
          for (const int buffers_b : {2, 1}) {
            TryHeld(grid, base, a, b, buffers_a, buffers_b);
          }
        }
      }
    }
  }

  void TryHeld(const CoreGrid& grid, MatmulSplit split, Held a, Held b,
               int buffers_a, int buffers_b) {
    const int64_t blocks_k = split.BlocksK();
    split.step_m = a == Held::kAll ? split.BlocksM() : 1;
    split.step_n = b == Held::kAll ? split.BlocksN() : 1;
    split.step_ka = split.step_kb = blocks_k;
    // What is copied once needs no second buffer.
    split.buffers_a1 = a == Held::kAll ? 1 : buffers_a;
    split.buffers_b1 = b == Held::kAll ? 1 : buffers_b;
    if ((a == Held::kAll && buffers_a == 2) ||
        (b == Held::kAll && buffers_b == 2)) {
      return;
    }
    const int64_t most =
        a == Held::kPart || b == Held::kPart ? PartOfK(split, a, b) : blocks_k;
    // Smaller pieces let the first product begin earlier; of many, some do.
    constexpr int64_t kEvery = 8;
    for (int64_t step = most; step >= 1;
         step = step > kEvery ? step / 2 : step - 1) {
      if (a == Held::kPart) split.step_ka = step;
      if (b == Held::kPart) split.step_kb = step;
      for (const bool first_m : {true, false}) {
        split.first_m = first_m;
        Consider(grid, split);
      }
      if (a != Held::kPart && b != Held::kPart) break;
    }
  }

  // Blocks along K that fit when those held in part hold the same number; 0
  // when none does.
  int64_t PartOfK(const MatmulSplit& split, Held a, Held b) const {
    int64_t room = static_cast<int64_t>(request_.l1_bytes) -
                   BesideBlocks(problem_, split.base);
    int64_t per_step = 0;
    const auto take = [&](Held held, int64_t block, int64_t step, int buffers) {
      if (held == Held::kPart) {
        per_step += block * buffers;
      } else {
        room -= block * step * split.BlocksK() * buffers;
      }
    };
    take(a, BlockBytesA(problem_, split.base), split.step_m, split.buffers_a1);
    take(b, BlockBytesB(problem_, split.base), split.step_n, split.buffers_b1);
    if (room < per_step) return 0;
    const int64_t step = std::min(room / per_step, split.BlocksK());
    // As few pieces as that takes, of equal size.
    return CeilDivide(split.BlocksK(), CeilDivide(split.BlocksK(), step));
  }

  void Consider(const CoreGrid& grid, const MatmulSplit& split) {
    if (!IsAllowed(problem_, split) || !Fits(problem_, split)) return;
    const double cycles = GridCycles(problem_, grid, split, rates_);
    if (!best_ || cycles < best_->cycles) {
      best_ = FoundSplit{grid, split, cycles};
    }
  }

  const MatmulProblem& problem_;
  const abi::MatmulTilingRequest& request_;
  const npu::ChipSpec::MatmulRates& rates_;
  std::optional<FoundSplit> best_;
};

}  // namespace

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

std::optional<FoundSplit> FindSplit(const MatmulProblem& problem,
                                    const npu::ChipSpec::MatmulRates& rates) {
  return Search(problem, rates).Run();
}

}  // namespace belay::runtime
