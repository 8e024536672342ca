// SPDX-License-Identifier: Apache-2.0
// A unit test as operator repositories write them for CANN's CPU mode.

#include <gtest/gtest.h>

#include <vector>

#include "../op_kernel/scale_add_tiling.h"
#ifdef ASCENDC_CPU_DEBUG
#include "tikicpulib.h"
#endif

extern "C" __global__ __aicore__ void scale_add(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                                GM_ADDR workspace,
                                                GM_ADDR tiling);

class ScaleAdd : public testing::Test {
 protected:
  void Run(uint32_t blocks, uint32_t length, uint32_t tile, float scale) {
    const size_t count = size_t{blocks} * length;
    const size_t bytes = count * sizeof(float);
    auto* x = (uint8_t*)AscendC::GmAlloc(bytes);
    auto* y = (uint8_t*)AscendC::GmAlloc(bytes);
    auto* z = (uint8_t*)AscendC::GmAlloc(bytes);
    auto* workspace = (uint8_t*)AscendC::GmAlloc(blocks * 64);
    auto* tiling = (uint8_t*)AscendC::GmAlloc(sizeof(ScaleAddTiling));
    for (size_t i = 0; i < count; ++i) {
      ((float*)x)[i] = static_cast<float>(i % 97) - 40;
      ((float*)y)[i] = static_cast<float>(i % 31) * 0.5f;
    }
    *reinterpret_cast<ScaleAddTiling*>(tiling) = {length, tile, scale};

    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    ICPU_SET_TILING_KEY(1);
    ICPU_RUN_KF(scale_add, blocks, x, y, z, workspace, tiling);

    std::vector<float> golden(count);
    for (size_t i = 0; i < count; ++i) {
      golden[i] = ((float*)x)[i] * scale + ((float*)y)[i];
    }
    EXPECT_EQ(std::vector<float>((float*)z, (float*)z + count), golden);
    for (uint32_t block = 0; block < blocks; ++block) {
      EXPECT_EQ(((int32_t*)workspace)[16 * block], 1) << "block " << block;
    }
    AscendC::GmFree((void*)x);
    AscendC::GmFree((void*)y);
    AscendC::GmFree((void*)z);
    AscendC::GmFree((void*)workspace);
    AscendC::GmFree((void*)tiling);
  }
};

TEST_F(ScaleAdd, OneBlock) { Run(1, 256, 64, 2.0f); }

TEST_F(ScaleAdd, ManyBlocks) { Run(48, 1024, 128, -0.5f); }

TEST_F(ScaleAdd, MoreBlocksThanCores) { Run(100, 64, 64, 3.0f); }
