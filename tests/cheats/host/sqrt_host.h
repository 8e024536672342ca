// SPDX-License-Identifier: Apache-2.0
// The host part of Sqrt, done honestly, for the cheats beside it: a file may
// define, before it includes this, CHEAT_IN_TILING(context), statements in the
// tiling function.

#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

#ifndef CHEAT_IN_TILING
#define CHEAT_IN_TILING(context)
#endif

namespace optiling {

BEGIN_TILING_DATA_DEF(SqrtTilingData)
TILING_DATA_FIELD_DEF(int64_t, x_elements);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Sqrt, SqrtTilingData)

static ge::graphStatus Tiling(gert::TilingContext* context) {
  SqrtTilingData tiling;
  tiling.set_x_elements(
      context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
  context->SetBlockDim(platform.GetCoreNumAiv());
  context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize();
  CHEAT_IN_TILING(context)
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ge {

static ge::graphStatus InferShape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}

}  // namespace ge

namespace ops {

class Sqrt : public OpDef {
 public:
  explicit Sqrt(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::Tiling);
    this->AICore().AddConfig("ascend910b");
  }
};

OP_ADD(Sqrt);

}  // namespace ops
