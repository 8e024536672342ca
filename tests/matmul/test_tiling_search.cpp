// SPDX-License-Identifier: Apache-2.0
// Small matrix products: what the search finds is within a twentieth of
// the best of all splits there are.

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>

#include "runtime/matmul_tiling/search.h"
#include "runtime/operators/platform.h"
#include "tiling/matmul/matmul_tiling_types.h"

namespace belay::runtime {
namespace {

using matmul_tiling::DataType;

uint32_t Seed() {
  const char* given = std::getenv("BELAY_SEED");
  const uint32_t seed =
      given == nullptr ? 20261 : std::strtoul(given, nullptr, 10);
  std::cout << "BELAY_SEED=" << seed << "\n";
  return seed;
}

// The best of all splits of one share, tried one after the other.
class EverySplit {
 public:
  EverySplit(const MatmulProblem& problem, const CoreGrid& grid,
             const npu::ChipSpec::MatmulRates& rates)
      : problem_(problem), grid_(grid), rates_(rates) {
    split_.single = grid.single;
  }

  double Best() {
    const Extent& step = problem_.base_step;
    Extent& base = split_.base;
    for (base.m = step.m; base.m < grid_.single.m + step.m; base.m += step.m) {
      for (base.n = step.n; base.n < grid_.single.n + step.n;
           base.n += step.n) {
        for (base.k = step.k; base.k < grid_.single.k + step.k;
             base.k += step.k) {
          TrySteps();
        }
      }
    }
    return best_;
  }

 private:
  void TrySteps() {
    for (split_.step_ka = 1; split_.step_ka <= split_.BlocksK();
         ++split_.step_ka) {
      for (split_.step_kb = 1; split_.step_kb <= split_.BlocksK();
           ++split_.step_kb) {
        for (split_.step_m = 1; split_.step_m <= split_.BlocksM();
             ++split_.step_m) {
          for (split_.step_n = 1; split_.step_n <= split_.BlocksN();
               ++split_.step_n) {
            TryBuffers();
          }
        }
      }
    }
  }

  void TryBuffers() {
    for (int bits = 0; bits < 64; ++bits) {
      const auto buffers = [&](int bit) { return 1 + ((bits >> bit) & 1); };
      split_.first_m = buffers(0) == 2;
      split_.buffers_a1 = buffers(1);
      split_.buffers_b1 = buffers(2);
      split_.buffers_l0a = buffers(3);
      split_.buffers_l0b = buffers(4);
      split_.buffers_l0c = buffers(5);
      if (!IsAllowed(problem_, split_) || !Fits(problem_, split_)) continue;
      best_ = std::min(best_, GridCycles(problem_, grid_, split_, rates_));
    }
  }

  const MatmulProblem& problem_;
  const CoreGrid grid_;
  const npu::ChipSpec::MatmulRates& rates_;
  MatmulSplit split_;
  double best_ = 1e300;
};

// Memories so small that a little product must be cut up.
abi::MatmulTilingRequest RandomRequest(std::mt19937& random) {
  const auto number = [&](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random);
  };
  abi::MatmulTilingRequest request;
  const bool is_half = number(0, 1) == 1;
  const auto type =
      static_cast<int32_t>(is_half ? DataType::DT_FLOAT16 : DataType::DT_FLOAT);
  request.a.dtype = request.b.dtype = type;
  request.a.transposed = number(0, 1);
  request.b.transposed = number(0, 1);
  request.c.dtype = static_cast<int32_t>(DataType::DT_FLOAT);
  request.bias.dtype = static_cast<int32_t>(DataType::DT_FLOAT);
  request.has_bias = number(0, 1);
  request.shape = {number(1, 96), number(1, 96), number(1, 96)};
  request.cores = number(1, 3);
  request.l1_bytes = static_cast<uint64_t>(number(8, 64)) * 1024;
  request.l0a_bytes = request.l0b_bytes =
      static_cast<uint64_t>(number(2, 8)) * 1024;
  request.l0c_bytes = static_cast<uint64_t>(number(2, 16)) * 1024;
  request.ub_bytes = 196608;
  request.bt_bytes = 1024;
  return request;
}

TEST(MatmulTilingSearch, FindsTheBestOfSmallProducts) {
  const npu::ChipSpec::MatmulRates& rates = ChipInUse().matmul;
  std::mt19937 random(Seed());
  double worst = 1;
  for (int i = 0; i < 30; ++i) {
    const abi::MatmulTilingRequest request = RandomRequest(random);
    const auto read = ReadMatmulProblem(request, rates);
    ASSERT_TRUE(std::holds_alternative<MatmulProblem>(read));
    const auto& problem = std::get<MatmulProblem>(read);
    const std::optional<FoundSplit> found = FindSplit(problem, rates);
    ASSERT_TRUE(found) << i;
    EXPECT_TRUE(IsAllowed(problem, found->split));
    EXPECT_TRUE(Fits(problem, found->split));
    double best = 1e300;
    for (const CoreGrid& grid : PossibleGrids(problem)) {
      best = std::min(best, EverySplit(problem, grid, rates).Best());
    }
    EXPECT_LE(found->cycles, best * 1.05) << "product " << i;
    worst = std::max(worst, found->cycles / best);
  }
  std::cout << "worst against all splits: " << worst << "\n";
}

}  // namespace
}  // namespace belay::runtime
