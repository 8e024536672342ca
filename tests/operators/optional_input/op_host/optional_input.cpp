// SPDX-License-Identifier: Apache-2.0
// OptionalInput: y = x + bias, or x without a bias.

#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(OptionalInputData)
TILING_DATA_FIELD_DEF(uint32_t, count);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(OptionalInput, OptionalInputData)

static ge::graphStatus TileOptionalInput(gert::TilingContext* context) {
  OptionalInputData data;
  data.set_count(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  data.SaveToBuffer(context->GetRawTilingData()->GetData(),
                    context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(data.GetDataSize());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

static ge::graphStatus InferOptionalInput(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}

namespace ops {

class OptionalInput : public OpDef {
 public:
  explicit OptionalInput(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_INT32})
        .Format({ge::FORMAT_ND});
    this->Input("bias")
        .ParamType(OPTIONAL)
        .DataType({ge::DT_INT32})
        .Format({ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_INT32})
        .Format({ge::FORMAT_ND});
    this->SetInferShape(InferOptionalInput);
    this->AICore()
        .SetTiling(optiling::TileOptionalInput)
        .AddConfig("ascend910b");
  }
};

OP_ADD(OptionalInput);

}  // namespace ops
