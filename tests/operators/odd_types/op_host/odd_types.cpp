// SPDX-License-Identifier: Apache-2.0
// OddTypes: bf16 stays, c64 is conjugated, bool is negated.

#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(OddTypesData)
TILING_DATA_FIELD_DEF(uint32_t, count);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(OddTypes, OddTypesData)

static ge::graphStatus TileOddTypes(gert::TilingContext* context) {
  OddTypesData data;
  data.set_count(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  data.SaveToBuffer(context->GetRawTilingData()->GetData(),
                    context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(data.GetDataSize());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

static ge::graphStatus InferOddTypes(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}

namespace ops {

class OddTypes : public OpDef {
 public:
  explicit OddTypes(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_BF16, ge::DT_COMPLEX64, ge::DT_BOOL})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_BF16, ge::DT_COMPLEX64, ge::DT_BOOL})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->SetInferShape(InferOddTypes);
    this->AICore().SetTiling(optiling::TileOddTypes).AddConfig("ascend910b");
  }
};

OP_ADD(OddTypes);

}  // namespace ops
