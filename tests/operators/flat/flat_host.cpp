// SPDX-License-Identifier: Apache-2.0
// FlatOne: y = x + 1, host code and kernel side by side.

#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(FlatOneData)
TILING_DATA_FIELD_DEF(uint32_t, count);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(FlatOne, FlatOneData)

static ge::graphStatus TileFlatOne(gert::TilingContext* context) {
  FlatOneData data;
  data.set_count(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  data.SaveToBuffer(context->GetRawTilingData()->GetData(),
                    context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(data.GetDataSize());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

static ge::graphStatus InferFlatOne(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}

namespace ops {

class FlatOne : public OpDef {
 public:
  explicit FlatOne(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND});
    this->SetInferShape(InferFlatOne);
    this->AICore().SetTiling(optiling::TileFlatOne).AddConfig("ascend910b");
  }
};

OP_ADD(FlatOne);

}  // namespace ops
