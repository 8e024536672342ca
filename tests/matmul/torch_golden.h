// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_MATMUL_TORCH_GOLDEN_H_
#define BELAY_TESTS_MATMUL_TORCH_GOLDEN_H_

// What the cube examples compute, by libtorch in double.

#include <cstdint>
#include <vector>

namespace belay::testing {

struct Doubles {
  std::vector<int64_t> shape;
  std::vector<double> values;
};

Doubles MatmulGolden(const Doubles& a, const Doubles& b);

Doubles LeakyReluMatmulGolden(const Doubles& a, const Doubles& b,
                              const Doubles& bias, double slope);

Doubles MatmulEpilogueGolden(const Doubles& a, const Doubles& b,
                             const Doubles& bias, const Doubles& residual,
                             double slope);

Doubles AttentionGolden(const Doubles& q, const Doubles& k, const Doubles& v,
                        double scale);

// weight: (groups, k, columns); scale: (groups, columns); rows[g] rows of x
// belong to group g.
Doubles GroupedMatmulGolden(const Doubles& x, const Doubles& weight,
                            const Doubles& scale,
                            const std::vector<int64_t>& rows);

}  // namespace belay::testing

#endif  // BELAY_TESTS_MATMUL_TORCH_GOLDEN_H_
