// SPDX-License-Identifier: Apache-2.0
// The Matmul object as kernels write it, on a cube core and from vector cores.

#include <gtest/gtest.h>

#include "lib/matmul_intf.h"
#include "product_bench.h"

namespace belay::runtime::matmul {
namespace {

using AscendC::GlobalTensor;
using AscendC::LocalTensor;
using AscendC::MatmulType;
using AscendC::TPosition;

using AType = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using CType = MatmulType<TPosition::GM, CubeFormat::ND, float>;

Problem SmallProblem(int m, int n, int k) {
  Problem problem;
  problem.spec.a.dtype = problem.spec.b.dtype = abi::DType::kHalf;
  problem.spec.c.dtype = problem.spec.bias.dtype = abi::DType::kFloat;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.bias = true;
  TCubeTiling& tiling = problem.tiling;
  tiling.usedCoreNum = 1;
  tiling.M = tiling.singleCoreM = m;
  tiling.N = tiling.singleCoreN = n;
  tiling.Ka = tiling.Kb = tiling.singleCoreK = k;
  tiling.baseM = 32;
  tiling.baseN = 32;
  tiling.baseK = 32;
  tiling.stepM = tiling.stepN = 1;
  tiling.stepKa = tiling.stepKb = 2;
  tiling.depthA1 = tiling.depthB1 = 4;
  tiling.dbL0A = tiling.dbL0B = tiling.dbL0C = 2;
  tiling.isBias = 1;
  return problem;
}

template <typename T>
GlobalTensor<T> Tensor(uint64_t place) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<T*>(place));
  return tensor;
}

class MatmulObject : public ::testing::Test {
 protected:
  void Prepare(int m, int n, int k) {
    problem_ = SmallProblem(m, n, k);
    bench_.Prepare(problem_, 7);
  }
  GlobalTensor<half> a() { return Tensor<half>(bench_.a_place()); }
  GlobalTensor<half> b() { return Tensor<half>(bench_.b_place()); }
  GlobalTensor<float> bias() { return Tensor<float>(bench_.bias_place()); }
  GlobalTensor<float> c() { return Tensor<float>(bench_.result().address); }

  void ExpectAll() {
    const Matrix got = bench_.Result();
    const Matrix want = bench_.Expected();
    for (int row = 0; row < problem_.m; ++row) {
      for (int column = 0; column < problem_.n; ++column) {
        ASSERT_EQ(got.At(row, column), want.At(row, column))
            << row << ", " << column;
      }
    }
  }

  // Stands in for the return of REGIST_MATMUL_OBJ.
  template <typename Object>
  void Register(AscendC::TPipe& pipe, Object& object,
                const std::function<void()>& rest) {
    TCubeTiling tiling = problem_.tiling;
    const auto code = [&] {
      REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), object, &tiling);
      rest();
    };
    code();
  }

  ProductBench bench_;
  Problem problem_;
};

TEST_F(MatmulObject, ComputesInPlace) {
  Prepare(70, 50, 90);
  ASSERT_TRUE(bench_.Launch("cube", [&] {
    AscendC::TPipe pipe;
    AscendC::MatmulImpl<AType, AType, CType, CType> mm;
    Register(pipe, mm, [&] {
      mm.SetTensorA(a());
      mm.SetTensorB(b());
      mm.SetBias(bias());
      mm.IterateAll(c());
      mm.End();
    });
  })) << bench_.FaultText();
  ExpectAll();
}

constexpr MatmulShapeParams kShape{70, 50, 90, 32, 32, 32};
constexpr MatmulConfig kMdl = GetMMConfig<MatmulConfigMode::CONFIG_MDL>(kShape);
constexpr auto kTiling =
    AscendC::GetMatmulApiTiling<AType, AType, CType, CType>(kMdl);

TEST_F(MatmulObject, TakesAConstantTiling) {
  Prepare(70, 50, 90);
  ASSERT_TRUE(bench_.Launch("cube", [&] {
    AscendC::TPipe pipe;
    AscendC::MatmulImpl<AType, AType, CType, CType, kTiling> mm;
    const auto code = [&] {
      REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm,
                        static_cast<TCubeTiling*>(nullptr));
    };
    code();
    mm.SetTensorA(a());
    mm.SetTensorB(b());
    mm.SetBias(bias());
    while (mm.Iterate()) mm.GetTensorC(c());
  })) << bench_.FaultText();
  ExpectAll();
}

// Moves the block itself, as the object would.
void OwnCopyA(const LocalTensor<int8_t>& to, const void* gm, int row,
              int column, int use_m, int use_k, const uint64_t row_length,
              const uint64_t base) {
  AscendC::Nd2NzParams params;
  params.ndNum = 1;
  params.nValue = use_m;
  params.dValue = use_k;
  params.srcDValue = static_cast<int64_t>(row_length);
  params.dstNzC0Stride = (use_m + 15) / 16 * 16;
  params.dstNzNStride = 1;
  const auto source = Tensor<half>(
      reinterpret_cast<uint64_t>(gm))[row * base * row_length + column * base];
  AscendC::DataCopy(to.ReinterpretCast<half>(), source, params);
}

TEST_F(MatmulObject, LetsTheKernelMoveBlocks) {
  Prepare(70, 50, 90);
  ASSERT_TRUE(bench_.Launch("cube", [&] {
    AscendC::TPipe pipe;
    AscendC::MatmulImpl<AType, AType, CType, CType, CFG_NORM,
                        AscendC::MatmulCallBackFunc<nullptr, OwnCopyA, nullptr>>
        mm;
    Register(pipe, mm, [&] {
      mm.SetUserDefInfo(90);
      mm.SetSelfDefineData(32);
      mm.SetTensorA(a());
      mm.SetTensorB(b());
      mm.SetBias(bias());
      mm.IterateAll(c());
    });
  })) << bench_.FaultText();
  ExpectAll();
}

TEST_F(MatmulObject, LeavesOutBlocksBelowTheDiagonal) {
  Prepare(96, 96, 32);
  ASSERT_TRUE(bench_.Launch("cube", [&] {
    AscendC::TPipe pipe;
    AscendC::MatmulImpl<AType, AType, CType, CType, CFG_NORM,
                        AscendC::MatmulCallBackFunc<>,
                        AscendC::Impl::Detail::TrianUpperMatmulPolicy>
        mm;
    Register(pipe, mm, [&] {
      mm.SetTensorA(a());
      mm.SetTensorB(b());
      mm.SetBias(bias());
      mm.IterateAll(c());
    });
  })) << bench_.FaultText();
  const Matrix got = bench_.Result();
  const Matrix want = bench_.Expected();
  for (int row = 0; row < 96; ++row) {
    for (int column = 0; column < 96; ++column) {
      const bool kept = row / 32 <= column / 32;
      EXPECT_EQ(got.At(row, column) == want.At(row, column), kept)
          << row << ", " << column;
    }
  }
}

// From a vector core: A from UB, C to UB, block by block.
TEST_F(MatmulObject, WorksFromTheUnifiedBuffer) {
  Prepare(48, 64, 64);
  using Vecout = MatmulType<TPosition::VECOUT, CubeFormat::ND, half>;
  using Vecin = MatmulType<TPosition::VECIN, CubeFormat::ND, float>;
  ASSERT_TRUE(bench_.Launch("mix:1:2", [&] {
    AscendC::TPipe pipe;
    AscendC::Matmul<Vecout, AType, Vecin, CType> mm;
    Register(pipe, mm, [&] {
      if (AscendC::GetSubBlockIdx() != 0) return;
      AscendC::TQue<TPosition::VECOUT, 1> left;
      AscendC::TQue<TPosition::VECIN, 1> results;
      pipe.InitBuffer(left, 1, 48 * 64 * sizeof(half));
      pipe.InitBuffer(results, 1, 32 * 32 * sizeof(float));
      LocalTensor<half> in_ub = left.AllocTensor<half>();
      AscendC::DataCopy(in_ub, a(), 48 * 64);
      AscendC::PipeBarrier<PIPE_ALL>();
      left.EnQue(in_ub);
      in_ub = left.DeQue<half>();
      mm.SetTensorA(in_ub);
      mm.SetTensorB(b());
      mm.SetBias(bias());
      int block = 0;
      while (mm.Iterate()) {
        LocalTensor<float> result = results.AllocTensor<float>();
        mm.GetTensorC(result);
        results.EnQue(result);
        result = results.DeQue<float>();
        AscendC::PipeBarrier<PIPE_ALL>();
        const int rows = block % 2 == 0 ? 32 : 16;
        for (int row = 0; row < rows; ++row) {
          AscendC::DataCopy(c()[(block % 2 * 32 + row) * 64 + block / 2 * 32],
                            result[row * 32], 32);
        }
        AscendC::PipeBarrier<PIPE_ALL>();
        results.FreeTensor(result);
        ++block;
      }
      left.FreeTensor(in_ub);
      mm.End();
    });
  })) << bench_.FaultText();
  ExpectAll();
}

TEST_F(MatmulObject, HandsOutResultsWithoutSync) {
  Prepare(64, 96, 64);
  using Vecin = MatmulType<TPosition::VECIN, CubeFormat::ND, float>;
  const uint64_t workspace =
      bench_.device().chip().global().Allocate(64 * 96 * 4);
  ASSERT_TRUE(bench_.Launch("mix:1:1", [&] {
    AscendC::TPipe pipe;
    AscendC::Matmul<AType, AType, Vecin, CType, CFG_MDL> mm;
    Register(pipe, mm, [&] {
      AscendC::TQue<TPosition::VECIN, 1> results;
      pipe.InitBuffer(results, 1, 32 * 32 * sizeof(float));
      GlobalTensor<float> room = Tensor<float>(workspace);
      mm.SetWorkspace(room);
      mm.SetTensorA(a());
      mm.SetTensorB(b());
      mm.SetBias(bias());
      mm.Iterate<false>();
      for (int block = 0; block < 6; ++block) {
        LocalTensor<float> result = results.AllocTensor<float>();
        mm.GetTensorC<false>(result);
        results.EnQue(result);
        result = results.DeQue<float>();
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::DataCopy(c()[block % 2 * 32 * 96 + block / 2 * 32], result,
                          AscendC::DataCopyParams(32, 4, 0, 8));
        AscendC::PipeBarrier<PIPE_ALL>();
        results.FreeTensor(result);
      }
      mm.End();
    });
  })) << bench_.FaultText();
  ExpectAll();
}

TEST_F(MatmulObject, BothVectorCoresAsk) {
  Prepare(64, 64, 96);
  ASSERT_TRUE(bench_.Launch("mix:1:2", [&] {
    AscendC::TPipe pipe;
    AscendC::Matmul<AType, AType, CType, CType> mm;
    Register(pipe, mm, [&] {
      const int half_m = 32;
      const int first = static_cast<int>(AscendC::GetSubBlockIdx()) * half_m;
      mm.SetSingleShape(half_m, 64, 96);
      mm.SetTensorA(a()[first * 96]);
      mm.SetTensorB(b());
      mm.SetBias(bias());
      mm.IterateAll<false>(c()[first * 64], 0, false, true);
      mm.WaitIterateAll();
      mm.End();
    });
  })) << bench_.FaultText();
  ExpectAll();
}

constexpr MatmulConfig kDualMaster = GetNormalConfig(
    false, false, false, BatchMode::BATCH_LESS_THAN_L1, true,
    IterateOrder::UNDEF, ScheduleType::INNER_PRODUCT, true, true);

TEST_F(MatmulObject, BothKindsOfCoresRunTheCode) {
  Prepare(64, 64, 96);
  ASSERT_TRUE(bench_.Launch("mix:1:1", [&] {
    AscendC::TPipe pipe;
    AscendC::Matmul<AType, AType, CType, CType, kDualMaster> mm;
    Register(pipe, mm, [&] {
      mm.SetTensorA(a());
      mm.SetTensorB(b());
      mm.SetBias(bias());
      mm.IterateAll(c());
      mm.End();
      if (AscendC::g_coreType == AscendC::AIC) return;
      AscendC::TBuf<TPosition::VECCALC> buffer;
      pipe.InitBuffer(buffer, 64 * 64 * sizeof(float));
      LocalTensor<float> result = buffer.Get<float>();
      AscendC::DataCopy(result, c(), 64 * 64);
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::DataCopy(c(), result, 64 * 64);
    });
  })) << bench_.FaultText();
  ExpectAll();
}

TEST_F(MatmulObject, KeepsAMatrixInL1) {
  problem_ = SmallProblem(64, 64, 32);
  problem_.spec.a.format = abi::MatmulFormat::kNz;
  bench_.Prepare(problem_, 7);
  using InL1 = MatmulType<TPosition::TSCM, CubeFormat::NZ, half>;
  ASSERT_TRUE(bench_.Launch("mix:1:2", [&] {
    AscendC::TPipe pipe;
    AscendC::Matmul<InL1, AType, CType, CType> mm;
    Register(pipe, mm, [&] {
      const int sub_block = static_cast<int>(AscendC::GetSubBlockIdx());
      AscendC::TSCM<TPosition::GM, 1> left;
      pipe.InitBuffer(left, 1, 64 * 32 * sizeof(half));
      LocalTensor<half> in_l1 = left.AllocTensor<half>();
      AscendC::DataCopy(in_l1, a(), 64 * 32);
      left.EnQue(in_l1);
      in_l1 = left.DeQue<half>();
      mm.SetSingleShape(64, 32, 32);
      mm.SetTensorA(in_l1);
      mm.SetTensorB(b()[sub_block * 32]);
      mm.SetBias(bias()[sub_block * 32]);
      mm.IterateAll(c()[sub_block * 32]);
      mm.End();
      left.FreeTensor(in_l1);
    });
  })) << bench_.FaultText();
  ExpectAll();
}

TEST_F(MatmulObject, TwoObjectsTakeTurns) {
  Prepare(64, 64, 96);
  const uint64_t other =
      bench_.device().chip().global().Allocate(64 * 64 * sizeof(float));
  ASSERT_TRUE(bench_.Launch("mix:1:2", [&] {
    AscendC::TPipe pipe;
    AscendC::Matmul<AType, AType, CType, CType> first;
    AscendC::Matmul<AType, AType, CType, CType, CFG_MDL> second;
    TCubeTiling tiling = problem_.tiling;
    const auto code = [&] {
      REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), first, &tiling, second,
                        &tiling);
      if (AscendC::GetSubBlockIdx() != 1) return;
      first.SetTensorA(a());
      first.SetTensorB(b());
      first.SetBias(bias());
      second.SetTensorA(a());
      second.SetTensorB(b());
      second.SetBias(bias());
      first.IterateAll<false>(Tensor<float>(other), 0, false, true);
      second.IterateAll<false>(c(), 0, false, true);
      first.WaitIterateAll();
      second.WaitIterateAll();
    };
    code();
  })) << bench_.FaultText();
  ExpectAll();
  const Matrix want = bench_.Expected();
  const auto* got = reinterpret_cast<const float*>(other);
  for (int i = 0; i < 64 * 64; ++i) ASSERT_EQ(got[i], want.values[i]) << i;
}

TEST_F(MatmulObject, MultipliesBatches) {
  // Three products of 32 × 48 × 16, one behind the other.
  Prepare(32, 48, 16);
  using Normal = MatmulType<TPosition::GM, CubeFormat::ND, half, false,
                            LayoutMode::NORMAL>;
  using Result = MatmulType<TPosition::GM, CubeFormat::ND, float, false,
                            LayoutMode::NORMAL>;
  npu::GlobalMemory& global = bench_.device().chip().global();
  const uint64_t left = global.Allocate(3 * 32 * 16 * 2);
  const uint64_t all = global.Allocate(3 * 32 * 48 * 4);
  auto* copies = reinterpret_cast<uint16_t*>(left);
  const auto* one = reinterpret_cast<const uint16_t*>(bench_.a_place());
  for (int i = 0; i < 3 * 32 * 16; ++i) copies[i] = one[i % (32 * 16)];
  bench_.device().chip().NotifyHostWrite({left, 3 * 32 * 16 * 2, 0});
  ASSERT_TRUE(bench_.Launch("cube", [&] {
    AscendC::TPipe pipe;
    AscendC::MatmulImpl<Normal, Normal, Result, CType> mm;
    Register(pipe, mm, [&] {
      mm.SetTensorA(Tensor<half>(left));
      mm.SetTensorB(b());
      mm.DisableBias();
      mm.SetBatchNum(3, 1);
      mm.IterateBatch(Tensor<float>(all), false, 0, false);
    });
  })) << bench_.FaultText();
  problem_.bias = false;
  bench_.Prepare(problem_, 7);
  const Matrix want = bench_.Expected();
  const auto* got = reinterpret_cast<const float*>(all);
  for (int i = 0; i < 3 * 32 * 48; ++i) {
    ASSERT_EQ(got[i], want.values[i % (32 * 48)]) << i;
  }
}

}  // namespace
}  // namespace belay::runtime::matmul
