// SPDX-License-Identifier: Apache-2.0
// Global memory: allocations, gaps, poison, reuse.

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "npu/global_memory.h"
#include "npu/on_chip_memory.h"

namespace belay::npu {
namespace {

constexpr uint64_t kMegabyte = 1 << 20;

TEST(GlobalMemory, AllocationsAreAlignedPoisonedAndApart) {
  GlobalMemory memory(64 * kMegabyte);
  const uint64_t a = memory.Allocate(100);
  const uint64_t b = memory.Allocate(4096);
  ASSERT_NE(a, 0u);
  ASSERT_NE(b, 0u);
  EXPECT_EQ(a % GlobalMemory::kGranule, 0u);
  EXPECT_GE(b, a + 512 + 1);
  const auto* bytes = reinterpret_cast<const unsigned char*>(b);
  for (int i = 0; i < 4096; ++i) ASSERT_EQ(bytes[i], kPoison);
  EXPECT_EQ(memory.live_bytes(), 4196u);
}

TEST(GlobalMemory, FreshBytesCanBeZero) {
  GlobalMemory memory(64 * kMegabyte);
  memory.SetFreshByte(0);
  const auto* bytes =
      reinterpret_cast<const unsigned char*>(memory.Allocate(64));
  for (int i = 0; i < 64; ++i) EXPECT_EQ(bytes[i], 0);
}

TEST(GlobalMemory, FindKnowsEveryByteAndNoOther) {
  GlobalMemory memory(64 * kMegabyte);
  const uint64_t a = memory.Allocate(700);
  const GlobalMemory::Allocation* found = memory.Find(a + 699);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->base, a);
  EXPECT_EQ(found->bytes, 700u);
  EXPECT_EQ(found->capacity, 1024u);
  EXPECT_TRUE(found->Contains(a + 1000, 24));
  EXPECT_FALSE(found->Contains(a + 1000, 25));
  EXPECT_FALSE(found->Contains(a - 1, 2));
  EXPECT_FALSE(found->Contains(a, UINT64_MAX));
  EXPECT_EQ(memory.Find(a + 1024), nullptr);
  EXPECT_EQ(memory.Find(a - 1), nullptr);
  EXPECT_EQ(memory.Below(a + 5000)->base, a);
}

TEST(GlobalMemory, AddressesAreTheSameInEveryRun) {
  uint64_t first[3];
  for (int run = 0; run < 2; ++run) {
    GlobalMemory memory(64 * kMegabyte);
    for (int i = 0; i < 3; ++i) {
      const uint64_t address = memory.Allocate(1000 * (i + 1));
      if (run == 0) first[i] = address;
      EXPECT_EQ(address, first[i]);
    }
  }
}

TEST(GlobalMemory, FreeRefusesWhatIsNotAnAllocation) {
  GlobalMemory memory(64 * kMegabyte);
  const uint64_t a = memory.Allocate(100);
  EXPECT_FALSE(memory.Free(a + 32));
  EXPECT_FALSE(memory.Free(0));
  EXPECT_TRUE(memory.Free(a));
  EXPECT_FALSE(memory.Free(a));
  EXPECT_EQ(memory.Find(a), nullptr);
  EXPECT_EQ(memory.live_bytes(), 0u);
}

TEST(GlobalMemory, FreedRoomIsUsedAgainWhenNothingElseIsLeft) {
  GlobalMemory memory(4 * kMegabyte);
  for (int round = 0; round < 20; ++round) {
    const uint64_t a = memory.Allocate(kMegabyte);
    const uint64_t b = memory.Allocate(kMegabyte);
    ASSERT_NE(a, 0u) << round;
    ASSERT_NE(b, 0u) << round;
    std::memset(reinterpret_cast<void*>(a), 0, kMegabyte);
    EXPECT_TRUE(memory.Free(a));
    EXPECT_TRUE(memory.Free(b));
  }
  // Joined again, the freed room serves a larger allocation.
  EXPECT_NE(memory.Allocate(3 * kMegabyte), 0u);
  EXPECT_EQ(memory.Allocate(3 * kMegabyte), 0u);
  EXPECT_EQ(memory.Allocate(0), 0u);
}

TEST(GlobalMemory, AnEmptyAllocationHasAnAddressNobodyMayTouch) {
  GlobalMemory memory(64 * kMegabyte);
  const uint64_t empty = memory.AllocateEmpty();
  const uint64_t after = memory.Allocate(100);
  ASSERT_NE(empty, 0u);
  EXPECT_LT(empty, after);
  EXPECT_EQ(memory.Find(empty), nullptr);
  ASSERT_NE(memory.Below(empty), nullptr);
  EXPECT_EQ(memory.Below(empty)->base, empty);
  EXPECT_TRUE(memory.Free(empty));
}

TEST(GlobalMemory, NamesSayWhatAnAllocationIs) {
  GlobalMemory memory(64 * kMegabyte);
  const uint64_t a = memory.Allocate(100);
  EXPECT_EQ(memory.Find(a)->Describe(), "an allocation of 100 bytes");
  memory.SetLabel(a, {"input 'x'"});
  EXPECT_EQ(memory.Find(a)->Describe(), "input 'x', which has 100 bytes");
  EXPECT_THROW(memory.SetLabel(a + 32, {"nothing"}), InternalError);
}

}  // namespace
}  // namespace belay::npu
