// SPDX-License-Identifier: Apache-2.0
// The classes of the host headers on their own.

#include <gtest/gtest.h>

#include "exe_graph/runtime/tensor.h"
#include "exe_graph/runtime/tiling_data.h"
#include "graph/operator.h"
#include "graph/utils/type_utils.h"
#include "npu/chip_spec.h"
#include "platform/platform_info.h"
#include "runtime/operators/platform.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_templates_registry.h"

namespace {

using platform_ascendc::CoreMemType;
using platform_ascendc::PlatformAscendC;

TEST(HostShape, SizesAndEdges) {
  gert::Shape shape{2, 3, 4};
  EXPECT_EQ(shape.GetShapeSize(), 24);
  EXPECT_EQ(shape.GetDim(3), gert::Shape::kInvalidDimValue);
  shape.SetDimNum(4);
  EXPECT_EQ(shape[3], 0);
  shape.SetDim(3, -1);
  EXPECT_EQ(shape.GetShapeSize(), -1);
  shape.SetDimNum(26);
  EXPECT_EQ(shape.GetDimNum(), 4u);
  shape.SetScalar();
  EXPECT_TRUE(shape.IsScalar());
  EXPECT_EQ(shape.GetShapeSize(), 1);
  for (int i = 0; i < 30; ++i) shape.AppendDim(1);
  EXPECT_EQ(shape.GetDimNum(), 25u);
  EXPECT_EQ(gert::Shape({1, 2}), gert::Shape({1, 2}));
  EXPECT_NE(gert::Shape({1, 2}), gert::Shape({1, 2, 1}));
}

TEST(HostTilingData, AppendsUpToItsCapacity) {
  auto memory = gert::TilingData::CreateCap(10);
  auto* data = reinterpret_cast<gert::TilingData*>(memory.get());
  *data << uint32_t{7} << uint32_t{8};
  EXPECT_EQ(data->GetDataSize(), 8u);
  EXPECT_EQ(static_cast<uint32_t*>(data->GetData())[1], 8u);
  testing::internal::CaptureStderr();
  EXPECT_EQ(data->Append(uint32_t{9}), ge::GRAPH_FAILED);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("12 bytes"),
            std::string::npos);
  EXPECT_EQ(data->Expand<uint32_t>(), nullptr);
  EXPECT_NE(data->Expand<uint16_t>(), nullptr);
  EXPECT_EQ(data->GetDataSize(), 10u);
}

TEST(HostTypes, NamesAndSizes) {
  EXPECT_EQ(ge::GetSizeByDataType(ge::DT_BF16), 2);
  EXPECT_EQ(ge::GetSizeByDataType(ge::DT_INT4), 1004);
  EXPECT_EQ(ge::GetSizeByDataType(ge::DT_STRING), -1);
  EXPECT_EQ(ge::GetSizeInBytes(3, ge::DT_INT4), 2);
  uint32_t length = 0;
  EXPECT_TRUE(ge::TypeUtils::GetDataTypeLength(ge::DT_COMPLEX64, length));
  EXPECT_EQ(length, 8u);
  EXPECT_FALSE(ge::TypeUtils::GetDataTypeLength(ge::DT_UNDEFINED, length));
  EXPECT_EQ(length, 8u);
  for (int type = 0; type < ge::DT_MAX; ++type) {
    const auto name =
        ge::TypeUtils::DataTypeToSerialString(static_cast<ge::DataType>(type));
    if (name == "UNDEFINED") continue;
    EXPECT_EQ(ge::TypeUtils::SerialStringToDataType(name), type);
  }
  EXPECT_EQ(ge::TypeUtils::FormatToSerialString(ge::FORMAT_FRACTAL_NZ),
            "FRACTAL_NZ");
  EXPECT_EQ(ge::TypeUtils::SerialStringToFormat("NCHW"), ge::FORMAT_NCHW);
}

TEST(HostPlatform, NumbersComeFromTheChipFile) {
  for (const std::string& chip : belay::npu::KnownChips()) {
    const belay::npu::ChipSpec spec = belay::npu::LoadChip(chip);
    const belay::abi::HostPlatform& used = belay::runtime::UsePlatform(chip);
    fe::PlatFormInfos infos(&used);
    const PlatformAscendC platform(&infos);
    EXPECT_EQ(platform.GetCoreNumAic(), unsigned(spec.cube_cores));
    EXPECT_EQ(platform.GetCoreNumAiv(), unsigned(spec.vector_cores));
    EXPECT_EQ(platform.GetCoreNum(), unsigned(spec.vector_cores));
    EXPECT_EQ(platform.GetSocVersion(),
              platform_ascendc::SocVersion::ASCEND910B);
    EXPECT_EQ(platform.GetCurNpuArch(), NpuArch::DAV_2201);
    const std::pair<CoreMemType, uint64_t> sizes[] = {
        {CoreMemType::UB, spec.BytesOf(belay::abi::Memory::kUb)},
        {CoreMemType::L1, spec.BytesOf(belay::abi::Memory::kL1)},
        {CoreMemType::L0_A, spec.BytesOf(belay::abi::Memory::kL0a)},
        {CoreMemType::L0_B, spec.BytesOf(belay::abi::Memory::kL0b)},
        {CoreMemType::L0_C, spec.BytesOf(belay::abi::Memory::kL0c)},
        {CoreMemType::BT, spec.BytesOf(belay::abi::Memory::kBt)},
        {CoreMemType::FB, spec.BytesOf(belay::abi::Memory::kFb)},
        {CoreMemType::HBM, spec.BytesOf(belay::abi::Memory::kGm)},
        {CoreMemType::L2, spec.l2_bytes},
        {CoreMemType::RESERVED, 0},
    };
    for (const auto& [memory, bytes] : sizes) {
      uint64_t size = 1;
      platform.GetCoreMemSize(memory, size);
      EXPECT_EQ(size, bytes) << static_cast<int>(memory);
    }
    std::string text;
    EXPECT_TRUE(infos.GetPlatformRes("SoCInfo", "ai_core_cnt", text));
    EXPECT_EQ(text, std::to_string(spec.cube_cores));
    EXPECT_TRUE(infos.GetPlatformRes("version", "Short_SoC_version", text));
    EXPECT_EQ(text, spec.short_soc_name);
    EXPECT_FALSE(infos.GetPlatformRes("SoCInfo", "nonsense", text));
  }
  belay::runtime::UsePlatform(belay::npu::kDefaultChip);
}

TEST(HostPlatform, BlocksBandwidthAndReservedMemory) {
  PlatformAscendC platform(nullptr);
  EXPECT_EQ(platform.CalcTschBlockDim(48, 24, 48), 24u);
  EXPECT_EQ(platform.CalcTschBlockDim(47, 24, 48), 24u);
  EXPECT_EQ(platform.CalcTschBlockDim(48, 0, 48), 48u);
  EXPECT_EQ(platform.CalcTschNumBlocks(20, 24, 0), 20u);
  EXPECT_EQ(platform.GetLibApiWorkSpaceSize(), 16u << 20);
  uint64_t rate = 0;
  platform.GetCoreMemBw(CoreMemType::L2, rate);
  EXPECT_EQ(rate, 110u);
  uint64_t full = 0, less = 0;
  platform.GetCoreMemSize(CoreMemType::UB, full);
  platform.ReserveLocalMemory(
      platform_ascendc::ReservedSize::RESERVED_SIZE_16K);
  platform.GetCoreMemSize(CoreMemType::UB, less);
  EXPECT_EQ(full - less, 16384u);
}

TEST(HostPlatform, ByName) {
  EXPECT_STREQ(belay_host_platform("Ascend910B3")->soc_name, "Ascend910B3");
  EXPECT_STREQ(belay_host_platform("ascend910b")->soc_name, "Ascend910B1");
  EXPECT_EQ(belay_host_platform("Ascend310P3"), nullptr);
  ASSERT_NE(platform_ascendc::PlatformAscendCManager::GetInstance(), nullptr);
  EXPECT_EQ(
      platform_ascendc::PlatformAscendCManager::GetInstance()->GetCoreNumAic(),
      24u);
  fe::PlatFormInfos infos;
  fe::OptionalInfos optional;
  auto& manager = fe::PlatformInfoManager::Instance();
  EXPECT_EQ(manager.GetPlatformInfos("Ascend910B4", infos, optional), 0u);
  EXPECT_EQ(infos.GetCoreNum(), 20u);
  EXPECT_NE(manager.GetPlatformInfos("Ascend310", infos, optional), 0u);
  fe::PlatformInfo info;
  fe::OptionalInfo option;
  EXPECT_EQ(manager.GetPlatformInfoWithOutSocVersion(info, option), 0u);
  EXPECT_EQ(info.soc_info.ai_core_cnt, 24u);
  EXPECT_EQ(info.ai_core_spec.ub_size, 196608u);
  EXPECT_EQ(option.soc_version, "Ascend910B1");
}

TEST(HostGraph, OperatorsHaveDescriptions) {
  ge::Operator op("node", "Add");
  op.UpdateInputDesc(
      "x", ge::TensorDesc(ge::Shape({8, 2}), ge::FORMAT_ND, ge::DT_FLOAT16));
  EXPECT_EQ(op.GetInputDesc(0).GetShape().GetDim(0), 8);
  EXPECT_EQ(op.GetInputDescByName("x").GetDataType(), ge::DT_FLOAT16);
  EXPECT_EQ(op.GetInputDesc(1).GetShape().GetDimNum(), 0u);
  ge::AscendString type;
  op.GetOpType(type);
  EXPECT_EQ(type, "Add");
}

// Capable of what its key says: tried in the order of priorities.
template <int key, bool capable>
class Template : public optiling::TilingBaseClass {
 public:
  using TilingBaseClass::TilingBaseClass;

 protected:
  bool IsCapable() override { return capable; }
  ge::graphStatus GetPlatformInfo() override { return ge::GRAPH_SUCCESS; }
  ge::graphStatus GetShapeAttrsInfo() override { return ge::GRAPH_SUCCESS; }
  ge::graphStatus DoOpTiling() override { return ge::GRAPH_SUCCESS; }
  ge::graphStatus DoLibApiTiling() override { return ge::GRAPH_SUCCESS; }
  uint64_t GetTilingKey() const override { return key; }
  ge::graphStatus GetWorkspaceSize() override { return ge::GRAPH_SUCCESS; }
  ge::graphStatus PostTiling() override {
    context_->SetBlockDim(4);
    return ge::GRAPH_SUCCESS;
  }
};
using First = Template<1, false>;
using Second = Template<2, true>;
using Third = Template<3, true>;
REGISTER_TILING_TEMPLATE("Templated", Third, 30);
REGISTER_TILING_TEMPLATE("Templated", First, 10);
REGISTER_TILING_TEMPLATE("Templated", Second, 20);
REGISTER_TILING_TEMPLATE(Useless, First, 1);

TEST(HostTemplates, TheFirstCapableOneTiles) {
  belay::abi::HostCall call{};
  call.type = call.name = "Templated";
  gert::TilingContext context(&call);
  auto& registry = optiling::TilingRegistry::GetInstance();
  EXPECT_EQ(registry.DoTilingImpl(&context), ge::GRAPH_SUCCESS);
  EXPECT_EQ(call.tiling_key, 2u);
  EXPECT_EQ(call.blocks, 4u);
  EXPECT_EQ(registry.DoTilingImpl(&context, {10, 30}), ge::GRAPH_SUCCESS);
  EXPECT_EQ(call.tiling_key, 3u);
  call.type = "Useless";
  testing::internal::CaptureStderr();
  EXPECT_EQ(registry.DoTilingImpl(&context), ge::GRAPH_FAILED);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("no registered"),
            std::string::npos);
}

}  // namespace
