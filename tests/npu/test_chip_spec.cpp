// SPDX-License-Identifier: Apache-2.0
// Chips as data: every shipped file loads, and bad names are answered.

#include <gtest/gtest.h>

#include "base/error.h"
#include "npu/chip_spec.h"

namespace belay::npu {
namespace {

TEST(ChipSpec, EveryShippedChipLoads) {
  const auto names = KnownChips();
  ASSERT_FALSE(names.empty());
  for (const std::string& name : names) {
    const ChipSpec chip = LoadChip(name);
    EXPECT_EQ(chip.name, name);
    EXPECT_GT(chip.vector_cores, 0);
    EXPECT_EQ(chip.vector_cores, chip.cube_cores * chip.vector_per_cube);
    EXPECT_EQ(chip.BytesOf(abi::Memory::kUb) % 32, 0u);
    EXPECT_GT(chip.limits.repeat, 0u);
  }
}

TEST(ChipSpec, DefaultChipHasItsPublishedNumbers) {
  const ChipSpec chip = LoadChip(kDefaultChip);
  EXPECT_EQ(chip.vector_cores, 48);
  EXPECT_EQ(chip.cube_cores, 24);
  EXPECT_EQ(chip.BytesOf(abi::Memory::kUb), 196608u);
  EXPECT_EQ(chip.BytesOf(abi::Memory::kL0c), 131072u);
  EXPECT_EQ(chip.AlignmentOf(abi::Memory::kL0a), 512u);
  EXPECT_EQ(chip.limits.repeat, 255u);
}

TEST(ChipSpec, TheFamilyDiffersWhereItIsSaidTo) {
  EXPECT_EQ(LoadChip("ascend910b3").vector_cores, 40);
  EXPECT_EQ(LoadChip("ascend910b4").clock_mhz, 1500);
  EXPECT_EQ(LoadChip("ascend910b4").BytesOf(abi::Memory::kGm), 32ull << 30);
  EXPECT_EQ(LoadChip("ascend910b2").vector_cores, 48);
  EXPECT_EQ(LoadChip("ascend910_93").limits.repeat, 255u);
}

TEST(ChipSpec, UnknownChipListsTheKnown) {
  try {
    LoadChip("ascend9000");
    FAIL() << "an unknown chip was loaded";
  } catch (const UserError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("ascend9000"), std::string::npos) << text;
    EXPECT_NE(text.find(kDefaultChip), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace belay::npu
