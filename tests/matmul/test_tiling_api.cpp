// SPDX-License-Identifier: Apache-2.0
// The tiling classes of matrix products: what their setters ask for is what
// tilings do.

#include <gtest/gtest.h>

#include "tiling/tiling_api.h"

namespace {

using matmul_tiling::BatchMatmulTiling;
using matmul_tiling::CubeFormat;
using matmul_tiling::DataType;
using matmul_tiling::MatmulApiTiling;
using matmul_tiling::MatrixTraverse;
using matmul_tiling::MultiCoreMatmulTiling;
using matmul_tiling::ScheduleType;
using matmul_tiling::TPosition;
using Plain = AscendC::tiling::TCubeTiling;

template <typename Tiling>
Tiling OfHalves(int m, int n, int k) {
  Tiling tiling;
  tiling.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
  tiling.SetBType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
  tiling.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
  tiling.SetBiasType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
  tiling.SetShape(m, n, k);
  tiling.SetOrgShape(m, n, k);
  tiling.SetBufferSpace(-1, -1, -1);
  return tiling;
}

TEST(MatmulTilingApi, BothStructsSayTheSame) {
  auto tiling = OfHalves<MatmulApiTiling>(1024, 512, 256);
  tiling.EnableBias(true);
  optiling::TCubeTiling object;
  Plain plain;
  ASSERT_EQ(tiling.GetTiling(object), 0);
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  ASSERT_EQ(object.GetDataSize(), sizeof(plain));
  Plain saved;
  object.SaveToBuffer(&saved, sizeof(saved));
  EXPECT_EQ(memcmp(&saved, &plain, sizeof(plain)), 0);
  EXPECT_EQ(object.get_isBias(), 1);
  EXPECT_EQ(object.get_usedCoreNum(), 1);
  EXPECT_EQ(object.get_singleCoreM(), 1024);
  EXPECT_EQ(tiling.GetBaseM(), plain.baseM);
  EXPECT_EQ(tiling.GetBaseN(), plain.baseN);
  EXPECT_EQ(tiling.GetBaseK(), plain.baseK);
}

TEST(MatmulTilingApi, TheOriginalShapeStandsInForMinusOne) {
  auto tiling = OfHalves<MatmulApiTiling>(64, 64, 64);
  ASSERT_EQ(tiling.SetOrgShape(96, 128, 80, 160), 0);
  ASSERT_EQ(tiling.SetShape(-1, -1, 64), 0);
  Plain plain;
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_EQ(plain.singleCoreM, 96);
  EXPECT_EQ(plain.singleCoreN, 128);
  EXPECT_EQ(plain.singleCoreK, 64);
  EXPECT_EQ(plain.Ka, 80);
  EXPECT_EQ(plain.Kb, 160);
}

TEST(MatmulTilingApi, CoresShareTheProduct) {
  auto tiling = OfHalves<MultiCoreMatmulTiling>(1024, 640, 256);
  tiling.SetDim(2);
  tiling.SetFixSplit(256, 128, -1);
  tiling.SetTraverse(MatrixTraverse::FIRSTM);
  Plain plain;
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_EQ(plain.usedCoreNum, 2);
  EXPECT_EQ(plain.baseM, 256);
  EXPECT_EQ(plain.baseN, 128);
  EXPECT_EQ(plain.iterateOrder, 0);
  int32_t m = 0, n = 0, k = 0;
  ASSERT_EQ(tiling.GetSingleShape(m, n, k), 0);
  EXPECT_EQ(m, 512);
  EXPECT_EQ(n, 640);
  EXPECT_EQ(k, 256);
  int32_t cores = 0, cores_m = 0, cores_n = 0;
  ASSERT_EQ(tiling.GetCoreNum(cores, cores_m, cores_n), 0);
  EXPECT_EQ(cores, 2);
  EXPECT_EQ(cores_m, 2);
  EXPECT_EQ(cores_n, 1);
}

TEST(MatmulTilingApi, SharesCanBeFixedBoundedAndAligned) {
  auto tiling = OfHalves<MultiCoreMatmulTiling>(1000, 1000, 512);
  tiling.SetDim(24);
  Plain plain;
  tiling.SetSingleShape(500, -1, -1);
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_EQ(plain.singleCoreM, 500);
  tiling.SetSingleShape();
  ASSERT_EQ(tiling.SetSingleRange(300, -1, -1, 200, -1, -1), 0);
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_GE(plain.singleCoreM, 200);
  EXPECT_LE(plain.singleCoreM, 300);
  tiling.SetSingleRange();
  ASSERT_EQ(tiling.SetAlignSplit(96, 0, -1), 0);
  tiling.SetSingleShape(-1, 1000, -1);
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_EQ(plain.singleCoreM % 96, 0);
  EXPECT_EQ(plain.singleCoreN, 1000);
}

TEST(MatmulTilingApi, KIsSplitOnlyWhenAsked) {
  auto tiling = OfHalves<MultiCoreMatmulTiling>(16, 16, 65536);
  tiling.SetDim(24);
  Plain plain;
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_EQ(plain.usedCoreNum, 1);
  EXPECT_EQ(plain.singleCoreK, 65536);
  tiling.EnableMultiCoreSplitK(true);
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_GT(plain.usedCoreNum, 8);
  EXPECT_LT(plain.singleCoreK, 65536 / 8);
}

// Kernels without a word about tails rely on it.
TEST(MatmulTilingApi, SharesAreEqualWhereThatCostsLittle) {
  for (const int size : {256, 512, 1024}) {
    auto tiling = OfHalves<MultiCoreMatmulTiling>(size, 512, 192);
    tiling.SetDim(24);
    Plain plain;
    ASSERT_EQ(tiling.GetTiling(plain), 0);
    EXPECT_EQ(size % plain.singleCoreM, 0) << size;
    EXPECT_EQ(512 % plain.singleCoreN, 0) << size;
    EXPECT_GE(plain.usedCoreNum, 8) << size;
  }
  auto split_k = OfHalves<MultiCoreMatmulTiling>(16, 16, 1024);
  split_k.SetDim(24);
  split_k.EnableMultiCoreSplitK(true);
  Plain plain;
  ASSERT_EQ(split_k.GetTiling(plain), 0);
  EXPECT_EQ(1024 % plain.singleCoreK, 0);
}

TEST(MatmulTilingApi, RowsAreSharedFirst) {
  auto tiling = OfHalves<MultiCoreMatmulTiling>(512, 512, 128);
  tiling.SetDim(2);
  Plain plain;
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_EQ(plain.singleCoreM, 256);
  EXPECT_EQ(plain.singleCoreN, 512);
}

TEST(MatmulTilingApi, ASmallResultIsOneBlock) {
  auto tiling = OfHalves<MatmulApiTiling>(128, 128, 256);
  Plain plain;
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_EQ(plain.baseM, 128);
  EXPECT_EQ(plain.baseN, 128);
}

TEST(MatmulTilingApi, FixedBlocksAreWalkedOneWay) {
  auto tiling = OfHalves<MultiCoreMatmulTiling>(512, 128, 128);
  tiling.SetDim(2);
  tiling.SetFixSplit(128, 64, 128);
  Plain plain;
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_EQ(plain.usedCoreNum, 2);
  EXPECT_EQ(plain.singleCoreM, 512);
  EXPECT_EQ(plain.singleCoreN, 64);
}

// Host code that fills one half of L1 by hand relies on it.
TEST(MatmulTilingApi, AAndBTakeHalfOfL1EachWhereThatCostsLittle) {
  for (const bool fixes_share : {true, false}) {
    auto tiling = OfHalves<MultiCoreMatmulTiling>(8192, 8192, 8192);
    tiling.SetBType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16, true);
    tiling.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
    tiling.SetDim(24);
    if (fixes_share) tiling.SetSingleShape(2048, 1536, 8192);
    tiling.SetFixSplit(128, 256, 64);
    Plain plain;
    ASSERT_EQ(tiling.GetTiling(plain), 0);
    EXPECT_EQ(plain.depthB1, 8);
    EXPECT_EQ(plain.stepKb, 4);
    EXPECT_LE(plain.depthA1, 16);
  }
}

TEST(MatmulTilingApi, BaseBlocksCanBeBounded) {
  auto tiling = OfHalves<MatmulApiTiling>(1024, 1024, 1024);
  ASSERT_EQ(tiling.SetSplitRange(64, 96, 32, 64, 16, 16), 0);
  Plain plain;
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_EQ(plain.baseM, 64);
  EXPECT_LE(plain.baseN, 96);
  EXPECT_LE(plain.baseK, 32);
}

TEST(MatmulTilingApi, SchedulesHaveTheirOwnRules) {
  auto tiling = OfHalves<MatmulApiTiling>(256, 1024, 64);
  tiling.SetMatmulConfigParams(1, false, ScheduleType::OUTER_PRODUCT,
                               MatrixTraverse::FIRSTM);
  Plain plain;
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_EQ(plain.iterateOrder, 0);
  EXPECT_GT(plain.stepN, 1);
  EXPECT_GE(plain.baseK, 64);

  auto buffers = OfHalves<MatmulApiTiling>(256, 2048, 192);
  buffers.SetMatmulConfigParams(1, false, ScheduleType::N_BUFFER_33);
  ASSERT_EQ(buffers.GetTiling(plain), 0);
  EXPECT_LE(plain.stepM, 3);
  EXPECT_LE(plain.stepKa, 3);
  EXPECT_EQ(plain.stepKa, plain.stepKb);
  EXPECT_GE(plain.stepM * plain.baseM, 256);
  EXPECT_GE(plain.stepKa * plain.baseK, 192);
}

// What the caller keeps in L1 leaves that much less for the rest.
TEST(MatmulTilingApi, AMatrixInL1StaysThere) {
  auto tiling = OfHalves<MultiCoreMatmulTiling>(256, 2048, 512);
  tiling.SetDim(24);
  tiling.SetAType(TPosition::TSCM, CubeFormat::NZ, DataType::DT_FLOAT16);
  Plain plain;
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_EQ(plain.singleCoreM, 256);
  EXPECT_GE(plain.stepM * plain.baseM, 256);
  EXPECT_GE(plain.stepKa * plain.baseK, 512);
  EXPECT_EQ(plain.depthA1, plain.stepM * plain.stepKa);
  EXPECT_LE(2 * (256 * 512 + plain.baseN * plain.baseK * plain.depthB1),
            512 * 1024);
}

TEST(MatmulTilingApi, LayoutsOfBatchesAreHandedOn) {
  auto tiling = OfHalves<BatchMatmulTiling>(64, 48, 32);
  tiling.SetSingleShape(64, 48, 32);
  ASSERT_EQ(tiling.SetBatchInfoForNormal(2, 4, 64, 48, 32), 0);
  ASSERT_EQ(tiling.SetBatchNum(4), 0);
  Plain plain;
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_EQ(plain.BatchNum, 4);
  EXPECT_EQ(plain.ALayoutInfoB, 2);
  EXPECT_EQ(plain.ALayoutInfoS, 64);
  EXPECT_EQ(plain.ALayoutInfoD, 32);
  EXPECT_EQ(plain.BLayoutInfoB, 4);
  EXPECT_EQ(plain.BLayoutInfoS, 48);
  EXPECT_EQ(plain.CLayoutInfoB, 4);
  EXPECT_EQ(plain.CLayoutInfoS2, 48);
  ASSERT_EQ(tiling.SetALayout(3, 64, 2, 5, 32), 0);
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_EQ(plain.ALayoutInfoN, 2);
  EXPECT_EQ(plain.ALayoutInfoG, 5);
  int32_t cores = 0, m = 0, n = 0, batch_m = 0, batch_n = 0;
  ASSERT_EQ(tiling.GetCoreNum(cores, m, n, batch_m, batch_n), 0);
  EXPECT_EQ(cores, 1);
}

TEST(MatmulTilingApi, BuffersOfATiling) {
  auto tiling = OfHalves<MatmulApiTiling>(512, 512, 512);
  optiling::TCubeTiling object;
  matmul_tiling::SysTilingTempBufSize sizes;
  EXPECT_EQ(MatmulGetTmpBufSize(object, sizes), -1);
  ASSERT_EQ(tiling.GetTiling(object), 0);
  ASSERT_EQ(MatmulGetTmpBufSize(object, sizes), 0);
  const int bytes = 2 * object.get_baseK() *
                    (object.get_baseM() * object.get_depthA1() +
                     object.get_baseN() * object.get_depthB1());
  EXPECT_EQ(sizes.l1Size, bytes);
  EXPECT_EQ(sizes.l0cSize,
            object.get_baseM() * object.get_baseN() * 4 * object.get_dbL0C());
}

TEST(MatmulTilingApi, WhatCannotBeIsRefused) {
  auto tiling = OfHalves<MultiCoreMatmulTiling>(64, 64, 64);
  EXPECT_EQ(tiling.SetDim(0), -1);
  EXPECT_EQ(tiling.SetShape(0, 64, 64), -1);
  EXPECT_EQ(tiling.SetOrgShape(64, -1, 64), -1);
  EXPECT_EQ(tiling.SetBufferSpace(1 << 20), -1);
  EXPECT_EQ(tiling.SetSplitRange(16, 16, 16, 32, 16, 16), -1);
  EXPECT_EQ(tiling.SetMadType(matmul_tiling::MatrixMadType::MXMODE), -1);
  EXPECT_EQ(tiling.SetBatchNum(0), -1);

  Plain plain;
  int32_t number = 0;
  EXPECT_EQ(tiling.GetCoreNum(number, number, number), -1);
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  tiling.SetFixSplit(128, 64, -1);  // more rows than there are
  EXPECT_EQ(tiling.GetTiling(plain), -1);
  tiling.SetFixSplit(24, 64, -1);  // no whole fractals
  EXPECT_EQ(tiling.GetTiling(plain), -1);
  tiling.SetFixSplit();
  tiling.SetBufferSpace(1000);  // the least blocks of A and B do not fit
  EXPECT_EQ(tiling.GetTiling(plain), -1);
  tiling.SetBufferSpace();
  tiling.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT8_E5M2);
  EXPECT_EQ(tiling.GetTiling(plain), -1);
  EXPECT_EQ(MatmulApiTiling().GetTiling(plain), -1);  // no shape
}

// A kernel's own chip may be smaller than the one in use.
TEST(MatmulTilingApi, MemoriesCanBeGiven) {
  matmul_tiling::PlatformInfo memories{};
  memories.socVersion = platform_ascendc::SocVersion::ASCEND910B;
  memories.l1Size = 64 * 1024;
  memories.l0ASize = memories.l0BSize = 16 * 1024;
  memories.l0CSize = 32 * 1024;
  MatmulApiTiling tiling(memories);
  tiling.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
  tiling.SetBType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
  tiling.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
  tiling.SetShape(512, 512, 512);
  Plain plain;
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_LE(plain.baseM * plain.baseN * 4 * plain.dbL0C, 32 * 1024);
  EXPECT_LE(plain.shareL1Size, 64 * 1024);
}

}  // namespace
