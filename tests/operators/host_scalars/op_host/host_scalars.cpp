// SPDX-License-Identifier: Apache-2.0
// HostScalars: y = alpha x + the sum of the weights; alpha in tiling.

#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(HostScalarsData)
TILING_DATA_FIELD_DEF(uint32_t, count);
TILING_DATA_FIELD_DEF(uint32_t, weights);
TILING_DATA_FIELD_DEF(float, alpha);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(HostScalars, HostScalarsData)

static ge::graphStatus TileHostScalars(gert::TilingContext* context) {
  HostScalarsData data;
  data.set_count(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  data.set_weights(context->GetInputShape(2)->GetStorageShape().GetShapeSize());
  const float* alpha = context->GetInputTensor(1)->GetData<float>();
  if (alpha == nullptr) return ge::GRAPH_FAILED;
  data.set_alpha(*alpha);
  data.SaveToBuffer(context->GetRawTilingData()->GetData(),
                    context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(data.GetDataSize());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

static ge::graphStatus InferHostScalars(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}

namespace ops {

class HostScalars : public OpDef {
 public:
  explicit HostScalars(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND});
    this->Input("alpha")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND})
        .Scalar();
    this->Input("weights")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND})
        .ScalarList();
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND});
    this->SetInferShape(InferHostScalars);
    this->AICore().SetTiling(optiling::TileHostScalars).AddConfig("ascend910b");
  }
};

OP_ADD(HostScalars);

}  // namespace ops
