// SPDX-License-Identifier: Apache-2.0
// NonZero: the indices of elements that are not 0; how many, the kernel says.

#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(NonZeroData)
TILING_DATA_FIELD_DEF(uint32_t, count);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(NonZero, NonZeroData)

static ge::graphStatus TileNonZero(gert::TilingContext* context) {
  NonZeroData data;
  data.set_count(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  data.SaveToBuffer(context->GetRawTilingData()->GetData(),
                    context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(data.GetDataSize());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

static ge::graphStatus InferNonZero(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}

namespace ops {

class NonZero : public OpDef {
 public:
  explicit NonZero(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_INT32})
        .Format({ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_INT64})
        .Format({ge::FORMAT_ND})
        .OutputShapeDependOnCompute();
    this->SetInferShape(InferNonZero);
    this->AICore().SetTiling(optiling::TileNonZero).AddConfig("ascend910b");
  }
};

OP_ADD(NonZero);

}  // namespace ops
