// SPDX-License-Identifier: Apache-2.0
// ForeachScaleList: y[i] = scale * x[i] for every tensor of a list. Tensors may
// differ in shape and may be empty.

#include <algorithm>

#include "foreach_scale_list_tiling.h"
#include "graph/utils/type_utils.h"
#include "log/log.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

namespace {

constexpr uint32_t kInput = 0;
constexpr int64_t kLineBytes = 512;  // moves from there are the fastest
constexpr int64_t kReservedBytes = 8 * 1024;
constexpr int64_t kMinBytesPerCore = 4 * 1024;

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Bytes of Unified Buffer one element needs: two buffers in, two out and, for
// 16-bit types, one in float.
int64_t BufferBytes(int64_t element_bytes) {
  return 4 * element_bytes + (element_bytes == 2 ? 4 : 0);
}

}  // namespace

static ge::graphStatus TilingForeachScaleList(gert::TilingContext* context) {
  const auto* list = context->GetIrInputInstanceInfo(kInput);
  OP_CHECK_NULL_WITH_CONTEXT(context, list);
  const uint32_t count = list->GetInstanceNum();
  OP_CHECK_IF(count == 0 || count > kMaxTensors,
              OP_LOGE(context->GetNodeName(),
                      "the list holds %u tensors; 1 to %u can be taken", count,
                      kMaxTensors),
              return ge::GRAPH_FAILED);

  ForeachScaleListTilingData tiling;
  int64_t elements[kMaxTensors] = {0};
  int64_t total = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const gert::Tensor* tensor = context->GetDynamicInputTensor(kInput, i);
    OP_CHECK_NULL_WITH_CONTEXT(context, tensor);
    elements[i] = tensor->GetStorageShape().GetShapeSize();
    total += elements[i];
  }

  const ge::DataType dtype =
      context->GetDynamicInputDesc(kInput, 0)->GetDataType();
  const int64_t element_bytes = ge::GetSizeByDataType(dtype);
  OP_CHECK_IF(element_bytes <= 0,
              OP_LOGE(context->GetNodeName(), "no size of dtype %s",
                      ge::TypeUtils::DataTypeToSerialString(dtype).c_str()),
              return ge::GRAPH_FAILED);

  platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const int64_t aligned = kLineBytes / element_bytes;
  const int64_t fitting = (static_cast<int64_t>(ub_bytes) - kReservedBytes) /
                          BufferBytes(element_bytes);
  tiling.set_tileElements(static_cast<uint32_t>(fitting / aligned * aligned));

  const int64_t most_cores =
      std::min<int64_t>(platform.GetCoreNumAiv(), kMaxCores);
  const int64_t useful_cores = CeilDiv(total * element_bytes, kMinBytesPerCore);
  const int64_t wanted =
      std::max<int64_t>(1, std::min(most_cores, useful_cores));
  const int64_t per_core =
      std::max(aligned, CeilDiv(CeilDiv(total, wanted), aligned) * aligned);
  const uint32_t cores =
      static_cast<uint32_t>(std::max<int64_t>(1, CeilDiv(total, per_core)));

  uint16_t first_tensor[kMaxCores] = {0};
  uint16_t last_tensor[kMaxCores] = {0};
  int64_t first_element[kMaxCores] = {0};
  int64_t end_element[kMaxCores] = {0};
  uint32_t tensor = 0;
  int64_t element = 0;
  for (uint32_t core = 0; core < cores; ++core) {
    first_tensor[core] = static_cast<uint16_t>(tensor);
    first_element[core] = element;
    int64_t left = per_core;
    while (true) {
      const int64_t taken = std::min(left, elements[tensor] - element);
      element += taken;
      left -= taken;
      if (left == 0 || tensor + 1 == count) break;
      ++tensor;
      element = 0;
    }
    last_tensor[core] = static_cast<uint16_t>(tensor);
    end_element[core] = element;
  }
  tiling.set_firstTensor(first_tensor);
  tiling.set_lastTensor(last_tensor);
  tiling.set_firstElement(first_element);
  tiling.set_endElement(end_element);
  tiling.set_elements(elements);

  OP_LOGD(context->GetNodeName(), "%ld elements on %u cores", total, cores);
  context->SetBlockDim(cores);
  context->SetTilingKey(0);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  size_t* workspace = context->GetWorkspaceSizes(1);
  OP_CHECK_NULL_WITH_CONTEXT(context, workspace);
  workspace[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ge {

static ge::graphStatus InferShapeForeachScaleList(
    gert::InferShapeContext* context) {
  const auto* list = context->GetIrInputInstanceInfo(0);
  if (list == nullptr) return ge::GRAPH_FAILED;
  for (size_t i = 0; i < list->GetInstanceNum(); ++i) {
    const gert::Shape* x = context->GetDynamicInputShape(0, i);
    gert::Shape* y = context->GetOutputShape(i);
    if (x == nullptr || y == nullptr) return ge::GRAPH_FAILED;
    *y = *x;
  }
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferDataTypeForeachScaleList(
    gert::InferDataTypeContext* context) {
  const auto* list = context->GetIrInputInstanceInfo(0);
  if (list == nullptr) return ge::GRAPH_FAILED;
  for (size_t i = 0; i < list->GetInstanceNum(); ++i) {
    context->SetOutputDataType(i, context->GetDynamicInputDataType(0, i));
  }
  return ge::GRAPH_SUCCESS;
}

}  // namespace ge

namespace ops {

class ForeachScaleList : public OpDef {
 public:
  explicit ForeachScaleList(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(DYNAMIC)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16, ge::DT_INT32})
        .FormatList({ge::FORMAT_ND})
        .AutoContiguous();
    this->Input("scale")
        .Scalar()
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT, ge::DT_FLOAT, ge::DT_INT32})
        .FormatList({ge::FORMAT_ND});
    this->Output("y")
        .ParamType(DYNAMIC)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16, ge::DT_INT32})
        .FormatList({ge::FORMAT_ND});
    this->SetInferShape(ge::InferShapeForeachScaleList);
    this->SetInferDataType(ge::InferDataTypeForeachScaleList);
    this->AICore().SetTiling(optiling::TilingForeachScaleList);
    this->AICore().AddConfig("ascend910b");
    this->AICore().AddConfig("ascend910_93");
  }
};

OP_ADD(ForeachScaleList);

}  // namespace ops
