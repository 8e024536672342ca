// SPDX-License-Identifier: Apache-2.0
// What a kernel asks about its tiling: the key, the bytes, the workspace.

#include <gtest/gtest.h>

#include "belay/guest_abi.h"
#include "runtime/device.h"

namespace belay::runtime {
namespace {

uint64_t seen = 0;

class TilingTest : public ::testing::Test {
 protected:
  TilingTest() {
    Device::Install(&device_);
    device_.SetFaultSink(
        [this](npu::Fault fault) { faults_.push_back(fault.diagnostic); });
    seen = 0;
  }
  ~TilingTest() override { Device::Install(nullptr); }

  LaunchStatus Launch(void (*entry)(void*), void* argument = nullptr) {
    return device_.Launch({"test", "vector", entry}, 3, &argument,
                          sizeof argument);
  }

  Device device_{DeviceOptions{}};
  std::vector<Diagnostic> faults_;
};

void AskForTwoKeys(void*) {
  if (belay_tiling_key_is(5) != 0) seen += 5;
  if (belay_tiling_key_is(UINT64_MAX) != 0) seen += 100;
}

TEST_F(TilingTest, ABranchOfTheKeyRuns) {
  device_.SetTilingKey(UINT64_MAX);
  EXPECT_EQ(Launch(AskForTwoKeys), LaunchStatus::kOk);
  EXPECT_EQ(seen, 300u);  // in each of the blocks
  belay_set_tiling_key(5);
  EXPECT_EQ(Launch(AskForTwoKeys), LaunchStatus::kOk);
  EXPECT_EQ(seen, 315u);
  EXPECT_TRUE(faults_.empty());
}

TEST_F(TilingTest, AKeyThatNobodyAsksForIsAFault) {
  device_.SetTilingKey(6);
  EXPECT_EQ(Launch(AskForTwoKeys), LaunchStatus::kVectorCoreException);
  EXPECT_EQ(seen, 0u);
  ASSERT_EQ(faults_.size(), 1u);
  EXPECT_EQ(faults_[0].code, "BLY-H102");
  EXPECT_NE(faults_[0].message.find("key 6"), std::string::npos);
  EXPECT_NE(faults_[0].message.find("5, 18446744073709551615"),
            std::string::npos)
      << faults_[0].message;
  // The next launch starts afresh.
  device_.SetTilingKey(5);
  EXPECT_EQ(Launch(AskForTwoKeys), LaunchStatus::kOk);
}

TEST_F(TilingTest, AKernelWithoutBranchesTakesAnyKey) {
  device_.SetTilingKey(6);
  EXPECT_EQ(Launch([](void*) { seen += belay_tiling_key(); }),
            LaunchStatus::kOk);
  EXPECT_EQ(seen, 18u);
}

void Require24Bytes(void* argument) {
  belay_require_tiling(*static_cast<void**>(argument), 24);
  ++seen;
}

TEST_F(TilingTest, TilingDataMustBeThere) {
  const auto place = [&](uint64_t bytes) {
    return reinterpret_cast<void*>(device_.chip().global().Allocate(bytes));
  };
  EXPECT_EQ(Launch(Require24Bytes, place(24)), LaunchStatus::kOk);
  EXPECT_EQ(seen, 3u);
  // The padding of the allocation does not count.
  EXPECT_EQ(Launch(Require24Bytes, place(23)),
            LaunchStatus::kVectorCoreException);
  ASSERT_EQ(faults_.size(), 1u);
  EXPECT_EQ(faults_[0].code, "BLY-H106");
  EXPECT_NE(faults_[0].message.find("only 23"), std::string::npos)
      << faults_[0].message;
}

TEST_F(TilingTest, TheSystemsWorkspaceIsSetBeforeTheKernelStarts) {
  device_.SetWorkspace(0x1000);
  Launch([](void*) {
    seen += belay_workspace();
    belay_set_workspace(7);
  });
  EXPECT_EQ(seen, 0x3000u);
}

}  // namespace
}  // namespace belay::runtime
