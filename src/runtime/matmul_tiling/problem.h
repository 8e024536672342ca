// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_MATMUL_TILING_PROBLEM_H_
#define BELAY_RUNTIME_MATMUL_TILING_PROBLEM_H_

// A matrix product that host code asks a tiling for, checked and completed.

#include <cstdint>
#include <string>
#include <variant>

#include "belay/matmul_tiling.h"
#include "npu/chip_spec.h"

namespace belay::runtime {

// Rows and columns of a fractal.
inline constexpr int64_t kFractal = 16;

// Three sizes of a product, in elements.
struct Extent {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
};

struct MatmulProblem {
  abi::MatmulTilingRequest request;

  Extent shape;
  // Elements of A and B as the cube reads them, and of C as it leaves.
  int bits = 0;
  int c_bits = 0;
  int64_t bias_bytes = 0;   // of one column in L1; 0 without a bias
  int64_t quant_bytes = 0;  // of one column in L1; 0 without a vector
  int64_t quant_room = 0;   // bytes of them that a block of C may have
  // Base blocks and the blocks of L1 are whole multiples of these.
  Extent base_step;
  int64_t a_rows_step = 0;
  int64_t b_columns_step = 0;
  // What a core's share is a multiple of, unless it is all there is.
  Extent single_step;
  // k that one cycle of the cube goes along a fractal.
  int64_t fractal_k = 0;
  // The caller keeps the matrix in L1 (TSCM): it is not copied, and all of a
  // core's share is there.
  bool a_is_in_l1 = false;
  bool b_is_in_l1 = false;
  // How a matrix lies in GM: in rows along K or across, `pitch` elements each.
  struct Rows {
    bool are_one_piece = false;  // blocks of fractals (NZ)
    bool along_k = false;
    int64_t pitch = 0;
  };
  Rows a_rows, b_rows;
};

// The problem, or a sentence that says why there can be none.
std::variant<MatmulProblem, std::string> ReadMatmulProblem(
    const abi::MatmulTilingRequest& request,
    const npu::ChipSpec::MatmulRates& rates);

inline int64_t CeilDivide(int64_t value, int64_t by) {
  return (value + by - 1) / by;
}
inline int64_t AlignUp(int64_t value, int64_t to) {
  return CeilDivide(value, to) * to;
}

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_MATMUL_TILING_PROBLEM_H_
