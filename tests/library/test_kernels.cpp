// SPDX-License-Identifier: Apache-2.0
// Kernels built by the compiler of the tests: what the library sees of them.

#include <gtest/gtest.h>

#include <atomic>
#include <cassert>
#include <string>
#include <thread>

#include "acl/acl.h"
#include "tikicpulib.h"

namespace {

// The text of the fault `run` throws; "" without one.
template <typename F>
std::string FaultOf(F run) {
  try {
    run();
  } catch (const std::runtime_error& fault) {
    return fault.what();
  }
  return {};
}

struct Memory {
  explicit Memory(size_t bytes)
      : address(static_cast<uint8_t*>(AscendC::GmAlloc(bytes))) {}
  ~Memory() { AscendC::GmFree(address); }
  int32_t* integers() { return reinterpret_cast<int32_t*>(address); }
  uint8_t* address;
};

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int global_variable = 3;

void Store(GM_ADDR to, int64_t index) { ((__gm__ int32_t*)to)[index] = 7; }

TEST(LibraryKernels, RawStoresReachGlobalMemory) {
  Memory memory(64);
  ICPU_RUN_KF(Store, 1, memory.address, int64_t{3});
  EXPECT_EQ(memory.integers()[3], 7);
}

TEST(LibraryKernels, StoresOutsideAreFaultsWithTheirLine) {
  Memory memory(64);
  const std::string text =
      FaultOf([&] { ICPU_RUN_KF(Store, 1, memory.address, int64_t{1000000}); });
  EXPECT_TRUE(Contains(text, "BLY-G101")) << text;
  EXPECT_TRUE(Contains(text, "test_kernels.cpp:41:")) << text;
}

TEST(LibraryKernels, HostAndNullPointersAreNamed) {
  const auto host = std::make_unique<int32_t[]>(4);
  EXPECT_TRUE(
      Contains(FaultOf([&] { ICPU_RUN_KF(Store, 1, (uint8_t*)host.get(), 0); }),
               "a host address"));
  EXPECT_TRUE(Contains(FaultOf([&] { ICPU_RUN_KF(Store, 1, nullptr, 0); }),
                       "a null pointer"));
}

void StoreGlobal() { global_variable = 4; }
void LoadGlobal(GM_ADDR to) { *(__gm__ int32_t*)to = global_variable; }

TEST(LibraryKernels, GlobalVariablesCanBeReadOnly) {
  Memory memory(64);
  ICPU_RUN_KF(LoadGlobal, 1, memory.address);
  EXPECT_EQ(memory.integers()[0], 3);
  EXPECT_TRUE(Contains(FaultOf([] { ICPU_RUN_KF(StoreGlobal, 1); }),
                       "a global variable"));
}

// Tensor accesses go through the data cache, raw ones do not: one core sees
// both in order.
void Mixed(GM_ADDR data) {
  AscendC::GlobalTensor<int32_t> tensor;
  tensor.SetGlobalBuffer((__gm__ int32_t*)data, 16);
  auto* raw = (volatile __gm__ int32_t*)data;
  tensor.SetValue(0, 1);
  raw[1] = raw[0] + 1;
  tensor.SetValue(2, tensor.GetValue(1) + 1);
  raw[3] = raw[2] + 1;
  raw[4] = tensor.GetValue(3) + 1;
}

TEST(LibraryKernels, TensorAndRawAccessesAgree) {
  Memory memory(64);
  ICPU_RUN_KF(Mixed, 1, memory.address);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(memory.integers()[i], i + 1);
}

void SoftBarrier(GM_ADDR flags) {
  auto* flag = (volatile __gm__ int32_t*)flags;
  flag[16 * AscendC::GetBlockIdx()] = 1;
  for (int64_t i = 0; i < AscendC::GetBlockNum(); ++i) {
    while (flag[16 * i] != 1) {
    }
  }
}

TEST(LibraryKernels, BlocksThatPollLetTheOthersRun) {
  Memory memory(8 * 64);
  ICPU_RUN_KF(SoftBarrier, 8, memory.address);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(memory.integers()[16 * i], 1);
}

void Endless() {
  volatile int go = 1;
  while (go) {
  }
}
void Fail(int32_t value) { assert(value == 2); }
void Divide(GM_ADDR to, int32_t divisor) {
  *(__gm__ int32_t*)to = 100 / divisor;
}
int Deep(int depth) {
  volatile int frame[256] = {depth};
  return depth == 0 ? frame[0] : Deep(depth - 1) + frame[depth % 256];
}
void Overflow(int depth) { Deep(depth); }

TEST(LibraryKernels, FaultsEndTheLaunchOnly) {
  Memory memory(64);
  EXPECT_TRUE(Contains(FaultOf([] { ICPU_RUN_KF(Endless, 1); }), "BLY-G104"));
  EXPECT_TRUE(Contains(FaultOf([] { ICPU_RUN_KF(Fail, 1, 1); }),
                       "assertion failed: value == 2"));
  EXPECT_EQ(FaultOf([] { ICPU_RUN_KF(Fail, 1, 2); }), "");
  EXPECT_TRUE(Contains(
      FaultOf([&] { ICPU_RUN_KF(Divide, 1, memory.address, 0); }), "BLY-G103"));
  EXPECT_TRUE(
      Contains(FaultOf([] { ICPU_RUN_KF(Overflow, 1, 100000); }), "BLY-G102"));
  EXPECT_TRUE(Contains(FaultOf([] { ICPU_RUN_KF(Endless, 0); }), "BLY-G109"));
  ICPU_RUN_KF(Divide, 1, memory.address, 5);
  EXPECT_EQ(memory.integers()[0], 20);
}

// The vector cores of each block tell the cube core, which adds up.
void OnBothCores(GM_ADDR data) {
  AscendC::GlobalTensor<int32_t> tensor;
  tensor.SetGlobalBuffer((__gm__ int32_t*)data);
  const int64_t block = AscendC::GetBlockIdx();
  const auto clean = [&](int64_t at) {
    AscendC::DataCacheCleanAndInvalid<int32_t,
                                      AscendC::CacheLine::SINGLE_CACHE_LINE,
                                      AscendC::DcciDst::CACHELINE_OUT>(
        tensor[at]);
  };
  if ASCEND_IS_AIV {
    tensor.SetValue(16 * block, static_cast<int32_t>(block + 1));
    clean(16 * block);
    AscendC::CrossCoreSetFlag<2, PIPE_MTE3>(1);
  }
  if ASCEND_IS_AIC {
    AscendC::CrossCoreWaitFlag(1);
    int32_t sum = 0;
    for (int64_t i = 2 * block; i < 2 * block + 2; ++i) {
      sum += tensor.GetValue(16 * i);
    }
    tensor.SetValue(16 * (8 + block), sum);
  }
}

TEST(LibraryKernels, OneFunctionRunsOnCubeAndVectorCores) {
  Memory memory(12 * 64);
  AscendC::SetKernelMode(KernelMode::MIX_MODE);
  ICPU_RUN_KF(OnBothCores, 4, memory.address);
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(memory.integers()[16 * (8 + i)], 4 * i + 3);
  }
  EXPECT_EQ(FaultOf([] { ICPU_RUN_KF(Fail, 1, 2); }), "");
}

TEST(LibraryKernels, OtherThreadsAreHostCode) {
  Memory memory(8 * 64);
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> work{0};
  std::thread other([&] {
    while (!stop) work += 1;
  });
  while (work == 0) std::this_thread::yield();
  EXPECT_EQ(FaultOf([&] {
              for (int i = 0; i < 20; ++i) {
                ICPU_RUN_KF(SoftBarrier, 8, memory.address);
              }
            }),
            "");
  stop = true;
  other.join();
}

TEST(LibraryHostCode, MisuseThrows) {
  EXPECT_TRUE(Contains(FaultOf([] { AscendC::GmAlloc(0); }), "BLY-G110"));
  int local = 0;
  EXPECT_TRUE(Contains(FaultOf([&] { AscendC::GmFree(&local); }), "BLY-G110"));
  EXPECT_TRUE(
      Contains(FaultOf([] { AscendC::PipeBarrier<PIPE_ALL>(); }), "BLY-G108"));
}

}  // namespace
