// SPDX-License-Identifier: Apache-2.0
#include "runtime/matmul_tiling/search.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace belay::runtime {
namespace {

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

double LeastCycles(const MatmulWork& work) {
  return std::max(
      {work.cube, work.load, work.copy_a + work.copy_b, work.result});
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
    const auto key = [](const std::pair<double, CoreGrid>& entry) {
      const Extent& cores = entry.second.cores;
      return std::make_tuple(entry.first, cores.m, cores.n, cores.k);
    };
    std::sort(grids.begin(), grids.end(),
              [&](const auto& a, const auto& b) { return key(a) < key(b); });
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

std::optional<FoundSplit> FindSplit(const MatmulProblem& problem,
                                    const npu::ChipSpec::MatmulRates& rates) {
  return Search(problem, rates).Run();
}

}  // namespace belay::runtime
