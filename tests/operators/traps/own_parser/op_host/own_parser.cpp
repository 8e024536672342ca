// SPDX-License-Identifier: Apache-2.0
// OwnParser: y = x + 3; its kernel reads the bytes of the tiling data itself.

#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(OwnParserTilingData)
TILING_DATA_FIELD_DEF(uint32_t, count);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(OwnParser, OwnParserTilingData)

static ge::graphStatus Tiling(gert::TilingContext* context) {
  OwnParserTilingData tiling;
  tiling.set_count(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(1);
  context->GetWorkspaceSizes(1)[0] = 0;
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

class OwnParser : public OpDef {
 public:
  explicit OwnParser(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND});
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::Tiling);
    this->AICore().AddConfig("ascend910b");
  }
};

OP_ADD(OwnParser);

}  // namespace ops
