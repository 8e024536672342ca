// SPDX-License-Identifier: Apache-2.0
// belay_matmul_tiling: a request of host code in, a TCubeTiling out.

#include <algorithm>

#include "ascendc/matmul/cube_tiling.h"
#include "belay/op_host.h"
#include "runtime/matmul_tiling/search.h"
#include "runtime/operators/platform.h"

namespace belay::runtime {
namespace {

int32_t Number(int64_t value) { return static_cast<int32_t>(value); }

// The original size, or what is computed where none was given.
int32_t Whole(int32_t given, int64_t computed) {
  return given > 0 ? given : Number(computed);
}

AscendC::tiling::TCubeTiling Fill(const MatmulProblem& problem,
                                  const FoundSplit& found) {
  const abi::MatmulTilingRequest& request = problem.request;
  const MatmulSplit& split = found.split;
  const Extent& cores = found.grid.cores;
  AscendC::tiling::TCubeTiling tiling;
  tiling.usedCoreNum =
      Number(std::min<int64_t>(cores.m * cores.n * cores.k, request.cores));
  tiling.M = Whole(request.whole_m, problem.shape.m);
  tiling.N = Whole(request.whole_n, problem.shape.n);
  tiling.Ka = Whole(request.whole_ka, problem.shape.k);
  tiling.Kb = Whole(request.whole_kb, problem.shape.k);
  tiling.singleCoreM = Number(split.single.m);
  tiling.singleCoreN = Number(split.single.n);
  tiling.singleCoreK = Number(split.single.k);
  tiling.baseM = Number(split.base.m);
  tiling.baseN = Number(split.base.n);
  tiling.baseK = Number(split.base.k);
  tiling.stepM = Number(split.step_m);
  tiling.stepN = Number(split.step_n);
  tiling.stepKa = Number(split.step_ka);
  tiling.stepKb = Number(split.step_kb);
  tiling.depthA1 = Number(split.step_m * split.step_ka * split.buffers_a1);
  tiling.depthB1 = Number(split.step_n * split.step_kb * split.buffers_b1);
  tiling.isBias = request.has_bias;
  tiling.iterateOrder = split.first_m ? 0 : 1;
  tiling.dbL0A = split.buffers_l0a;
  tiling.dbL0B = split.buffers_l0b;
  tiling.dbL0C = split.buffers_l0c;
  tiling.shareL1Size = Number(L1Bytes(problem, split));
  tiling.shareL0CSize = Number(L0cBytes(split));
  tiling.batchM = 1;
  tiling.batchN = 1;
  tiling.singleBatchM = 1;
  tiling.singleBatchN = 1;
  tiling.ALayoutInfoB = request.a_layout.b;
  tiling.ALayoutInfoS = request.a_layout.s;
  tiling.ALayoutInfoN = request.a_layout.n;
  tiling.ALayoutInfoG = request.a_layout.g;
  tiling.ALayoutInfoD = request.a_layout.d;
  tiling.BLayoutInfoB = request.b_layout.b;
  tiling.BLayoutInfoS = request.b_layout.s;
  tiling.BLayoutInfoN = request.b_layout.n;
  tiling.BLayoutInfoG = request.b_layout.g;
  tiling.BLayoutInfoD = request.b_layout.d;
  tiling.CLayoutInfoB = request.c_layout.b;
  tiling.CLayoutInfoS1 = request.c_layout.s;
  tiling.CLayoutInfoN = request.c_layout.n;
  tiling.CLayoutInfoG = request.c_layout.g;
  tiling.CLayoutInfoS2 = request.c_layout.d;
  tiling.BatchNum = request.batches;
  return tiling;
}

void Warn(const std::string& reason) {
  belay_host_log(abi::HostLogLevel::kWarning, "", 0, "MatmulApi Tiling", "%s",
                 reason.c_str());
}

}  // namespace
}  // namespace belay::runtime

extern "C" int32_t belay_matmul_tiling(
    const belay::abi::MatmulTilingRequest* request,
    AscendC::tiling::TCubeTiling* tiling, belay::abi::MatmulCores* cores) {
  using namespace belay::runtime;
  const belay::npu::ChipSpec::MatmulRates& rates = ChipInUse().matmul;
  const auto read = ReadMatmulProblem(*request, rates);
  if (const auto* reason = std::get_if<std::string>(&read)) {
    Warn(*reason);
    return -1;
  }
  const auto& problem = std::get<MatmulProblem>(read);
  const std::optional<FoundSplit> found = FindSplit(problem, rates);
  if (!found) {
    Warn(
        "no split into blocks fits the memories and what SetFixSplit, "
        "SetSplitRange, SetSingleShape, SetSingleRange, SetBufferSpace and "
        "SetDim ask for: leave some of it to tiling (-1)");
    return -1;
  }
  *tiling = Fill(problem, *found);
  *cores = {Number(found->grid.cores.m), Number(found->grid.cores.n),
            Number(found->grid.cores.k)};
  return 0;
}
