// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_MATMUL_TILING_H_
#define BELAY_MATMUL_TILING_H_

// What host headers and the library say to each other about the tiling of
// matrix products: plain data.

#include <stdint.h>

namespace AscendC::tiling {
struct TCubeTiling;
}

namespace belay::abi {

// Numbers of matmul_tiling's enumerations.
struct MatmulOperand {
  int32_t position = 0;
  int32_t format = 0;
  int32_t dtype = 0;
  int32_t transposed = 0;
};

struct MatmulLimits {
  int32_t m = -1;
  int32_t n = -1;
  int32_t k = -1;
};

struct MatmulLayout {
  int32_t b = 0;
  int32_t s = 0;
  int32_t n = 0;
  int32_t g = 0;
  int32_t d = 0;
};

enum class MatmulQuantization : int32_t { kNone, kScalar, kVector };
enum class MatmulTraverse : int32_t { kAny, kFirstM, kFirstN };
enum class MatmulSchedule : int32_t { kInner, kOuter, kBuffer33 };

// Sizes in elements, memories in bytes. -1 (limits, shapes) leaves the choice
// to tiling.
struct MatmulTilingRequest {
  MatmulOperand a, b, c, bias;
  int32_t has_bias = 0;
  int32_t hf32 = 0;
  MatmulQuantization quantization = MatmulQuantization::kNone;

  MatmulLimits shape;  // what all cores compute together
  int32_t whole_m = -1, whole_n = -1, whole_ka = -1, whole_kb = -1;

  int32_t cores = 1;
  int32_t may_split_k = 0;
  MatmulLimits single, least_single, most_single, single_step;
  MatmulLimits base, least_base, most_base;
  MatmulTraverse traverse = MatmulTraverse::kAny;
  MatmulSchedule schedule = MatmulSchedule::kInner;
  // Nonzero: A and B are copied in all the blocks that L1 holds at once, as the
  // MDL template does; the Norm template copies block by block.
  int32_t copies_steps = 0;

  uint64_t l1_bytes = 0, l0a_bytes = 0, l0b_bytes = 0, l0c_bytes = 0;
  uint64_t ub_bytes = 0, bt_bytes = 0;

  int32_t batches = 0;
  MatmulLayout a_layout, b_layout, c_layout;
};

// How many cores lie along each dimension.
struct MatmulCores {
  int32_t m = 0;
  int32_t n = 0;
  int32_t k = 0;
};

}  // namespace belay::abi

extern "C" {

// 0, or -1 when nothing fits; the reason goes to the host log as a warning.
int32_t belay_matmul_tiling(const belay::abi::MatmulTilingRequest* request,
                            AscendC::tiling::TCubeTiling* tiling,
                            belay::abi::MatmulCores* cores);
}

#endif  // BELAY_MATMUL_TILING_H_
