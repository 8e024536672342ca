// SPDX-License-Identifier: Apache-2.0
#include "runtime/matmul/batch.h"

#include <algorithm>

namespace belay::runtime::matmul {

using abi::MatmulBatchLayout;

namespace {

// The axes of one matrix of a batch: s rows of d elements.
struct Axes {
  int64_t b;
  int64_t s;
  int64_t n;
  int64_t g;
  int64_t d;
};

BatchLayout LayoutOf(MatmulBatchLayout layout, const Axes& axes,
                     int64_t elements, uint32_t stride) {
  const int64_t heads = axes.n * axes.g;
  BatchLayout result;
  switch (layout) {
    case MatmulBatchLayout::kBsngd:
      result = {axes.d, heads * axes.d, heads, axes.s * heads * axes.d};
      break;
    case MatmulBatchLayout::kSbngd:
      result = {axes.d, axes.b * heads * axes.d, 0, 0};
      break;
    case MatmulBatchLayout::kBngs1s2:
      result = {axes.s * axes.d, axes.d, 0, 0};
      break;
    default:
      result = {elements, 0, 0, 0};
      break;
  }
  if (stride != 0) {
    result.step = stride;
    result.in_row = 0;
  }
  return result;
}

}  // namespace

BatchLayout LeftLayout(const abi::MatmulState& state, uint32_t stride) {
  const AscendC::tiling::TCubeTiling& t = state.tiling;
  return LayoutOf(state.spec->a.layout,
                  {t.ALayoutInfoB, t.ALayoutInfoS, t.ALayoutInfoN,
                   t.ALayoutInfoG, t.ALayoutInfoD},
                  int64_t{state.job.org_m} * state.job.org_ka, stride);
}

BatchLayout RightLayout(const abi::MatmulState& state, uint32_t stride) {
  const AscendC::tiling::TCubeTiling& t = state.tiling;
  return LayoutOf(state.spec->b.layout,
                  {t.BLayoutInfoB, t.BLayoutInfoS, t.BLayoutInfoN,
                   t.BLayoutInfoG, t.BLayoutInfoD},
                  int64_t{state.job.org_kb} * state.job.org_n, stride);
}

BatchLayout ResultLayout(const abi::MatmulState& state) {
  const AscendC::tiling::TCubeTiling& t = state.tiling;
  const int64_t columns =
      state.job.org_kc != 0 ? state.job.org_kc : state.job.org_n;
  return LayoutOf(state.spec->c.layout,
                  {t.CLayoutInfoB, t.CLayoutInfoS1, t.CLayoutInfoN,
                   t.CLayoutInfoG, t.CLayoutInfoS2},
                  state.job.org_m * columns, 0);
}

int32_t ReducedBatches(const abi::MatmulState& state) {
  const AscendC::tiling::TCubeTiling& t = state.tiling;
  const MatmulBatchLayout layout = state.spec->c.layout;
  if (layout == MatmulBatchLayout::kNone ||
      layout == MatmulBatchLayout::kNormal) {
    return 1;
  }
  const int32_t groups = std::max(t.ALayoutInfoG, t.BLayoutInfoG);
  return t.CLayoutInfoG == 1 && groups > 1 ? groups : 1;
}

}  // namespace belay::runtime::matmul
