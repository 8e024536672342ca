// SPDX-License-Identifier: Apache-2.0
// The constants in data/chips: there, sourced, and changeable.

#include <gtest/gtest.h>

#include "base/dtype.h"
#include "base/error.h"
#include "clock/clock_spec.h"
#include "clock/core_costs.h"
#include "clock/memory_system.h"
#include "clock/traffic.h"
#include "clock/vector_cost.h"
#include "npu/chip_spec.h"
#include "npu/execute.h"
#include "npu/names.h"

namespace belay::clock::test_clock_spec {
namespace {

TEST(ClockSpec, EveryChipHasEveryConstant) {
  for (const std::string& chip : npu::KnownChips()) {
    const ClockSpec spec = LoadClockSpec(chip);
    EXPECT_EQ(spec.chip(), chip);
    EXPECT_GT(spec.clock_mhz(), 0);
    EXPECT_NO_THROW(CoreCosts{spec}) << chip;
    MemorySystem memory(spec, 1 << 20, nullptr);
    Traffic traffic(spec, memory);
    EXPECT_NO_THROW(traffic.AddCore(true)) << chip;
    EXPECT_NO_THROW(traffic.AddCore(false)) << chip;
    for (const auto& [key, constant] : spec.constants()) {
      EXPECT_FALSE(constant.source.empty()) << key;
    }
  }
}

TEST(ClockSpec, FolderOfCostsIsNoChip) {
  for (const std::string& chip : npu::KnownChips()) {
    EXPECT_EQ(chip.rfind("ascend", 0), 0u) << chip;
  }
}

TEST(ClockSpec, UnknownNames) {
  EXPECT_THROW(LoadClockSpec("ascend1"), UserError);
  ClockSpec spec = LoadClockSpec("ascend910b1");
  EXPECT_THROW(spec.at("memory.nothing"), UserError);
  EXPECT_THROW(spec.Set("memory.nothing", 1), UserError);
}

TEST(ClockSpec, ChipsDifferWhereTheirFilesDo) {
  EXPECT_GT(LoadClockSpec("ascend910b1").Value("memory.hbm_rate"),
            LoadClockSpec("ascend910b4").Value("memory.hbm_rate"));
  EXPECT_EQ(LoadClockSpec("ascend910b1").Value("memory.l2_latency"),
            LoadClockSpec("ascend910b4").Value("memory.l2_latency"));
}

TEST(ClockSpec, SettingAConstantReachesTheVectorCosts) {
  ClockSpec spec = LoadClockSpec("ascend910b1");
  const uint16_t sub = spec.FindVectorCost("Sub", 32).value();
  spec.Set("vector.Add.start", 30);
  EXPECT_EQ(spec.vector_costs()[sub].start.value, 30);
  EXPECT_EQ(spec.vector_costs()[sub].name, "Sub.b32");
}

TEST(ClockSpec, AssumedConstantsAreScaledTheWorseWay) {
  const ClockSpec spec = LoadClockSpec("ascend910b1");
  const ClockSpec worse = spec.WithAssumed(2);
  int changed = 0;
  for (const auto& [key, constant] : spec.constants()) {
    const double now = worse.Value(key);
    if (constant.origin != Origin::kAssumed) {
      EXPECT_EQ(now, constant.value) << key;
    } else {
      EXPECT_EQ(now, constant.is_rate ? constant.value / 2 : constant.value * 2)
          << key;
      ++changed;
    }
  }
  EXPECT_GT(changed, 0);
}

TEST(ClockSpec, EveryVectorOperationHasACostForItsTypes) {
  const ClockSpec spec = LoadClockSpec("ascend910b1");
  const int types = static_cast<int>(abi::DType::kComplex64) + 1;
  int found = 0;
  for (int op = 1; op < static_cast<int>(abi::Op::kCount); ++op) {
    abi::Instruction i{};
    i.op = static_cast<abi::Op>(op);
    if (!npu::IsVector(npu::FamilyOf(i.op))) continue;
    bool any = false;
    for (int dst = 0; dst < types; ++dst) {
      for (int src = 0; src < types * types; ++src) {
        i.dst.dtype = static_cast<abi::DType>(dst);
        i.src0.dtype = static_cast<abi::DType>(src % types);
        i.src1.dtype = static_cast<abi::DType>(src / types);
        if (!npu::SupportsDTypes(i)) continue;
        any = true;
        EXPECT_TRUE(
            spec.FindVectorCost(npu::NameOf(i.op), WidestBits(i)).has_value())
            << npu::NameOf(i.op) << " of " << NameOf(i.dst.dtype) << ", "
            << NameOf(i.src0.dtype) << ", " << NameOf(i.src1.dtype);
        if (HasFailure()) return;
      }
    }
    EXPECT_TRUE(any) << npu::NameOf(i.op);
    ++found;
  }
  EXPECT_GT(found, 50);
}

}  // namespace
}  // namespace belay::clock::test_clock_spec
