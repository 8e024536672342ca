// SPDX-License-Identifier: Apache-2.0
// DoubleAll works in place and has no output at all.

#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(DoubleAllData)
TILING_DATA_FIELD_DEF(uint32_t, count);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(DoubleAll, DoubleAllData)

static ge::graphStatus TileDoubleAll(gert::TilingContext* context) {
  DoubleAllData data;
  data.set_count(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  data.SaveToBuffer(context->GetRawTilingData()->GetData(),
                    context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(data.GetDataSize());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ops {

class DoubleAll : public OpDef {
 public:
  explicit DoubleAll(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND});
    this->AICore().SetTiling(optiling::TileDoubleAll).AddConfig("ascend910b");
  }
};

OP_ADD(DoubleAll);

}  // namespace ops
