// SPDX-License-Identifier: Apache-2.0
// An op_host file in the usual style: tiling class, tiling, inference and
// definition in one place.

#include "ops_add_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  AddCustomTilingData tiling;
  const auto platform =
      platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const auto* shape = context->GetInputShape(0);
  tiling.set_total(
      static_cast<uint32_t>(shape->GetStorageShape().GetShapeSize()));
  const uint16_t sizes[] = {1, 2, 3, 99};
  tiling.set_sizes(sizes);
  tiling.part.set_scale(2.5f);
  context->SetBlockDim(platform.GetCoreNumAiv());
  context->SetTilingKey(context->GetInputDesc(0)->GetDataType() == ge::DT_FLOAT
                            ? 18446744073709551615ull
                            : 7);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  size_t* workspaces = context->GetWorkspaceSizes(2);
  workspaces[0] = platform.GetLibApiWorkSpaceSize();
  workspaces[1] = 1000;
  context->SetScheduleMode(1);
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ge {

static graphStatus InferShape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return GRAPH_SUCCESS;
}

static graphStatus InferDataType(gert::InferDataTypeContext* context) {
  return context->SetOutputDataType(0, context->GetInputDataType(0));
}

}  // namespace ge

namespace ops {

class AddCustom : public OpDef {
 public:
  explicit AddCustom(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("z")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend910b");
  }
};

OP_ADD(AddCustom);

}  // namespace ops
