// SPDX-License-Identifier: Apache-2.0
// AddOne works in place: its output is its input.

#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(AddOneData)
TILING_DATA_FIELD_DEF(uint32_t, count);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(AddOne, AddOneData)

static ge::graphStatus TileAddOne(gert::TilingContext* context) {
  AddOneData data;
  data.set_count(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  data.SaveToBuffer(context->GetRawTilingData()->GetData(),
                    context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(data.GetDataSize());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ops {

class AddOne : public OpDef {
 public:
  explicit AddOne(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND});
    this->Output("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND});
    this->AICore().SetTiling(optiling::TileAddOne).AddConfig("ascend910b");
  }
};

OP_ADD(AddOne);

}  // namespace ops
