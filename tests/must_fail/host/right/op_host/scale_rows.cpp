// SPDX-License-Identifier: Apache-2.0
// ScaleRows: y = factor * x for a matrix x; nothing is wrong with it.

#include "log/log.h"
#include "register/op_def_registry.h"
#include "scale_rows_tiling.h"

namespace optiling {

static ge::graphStatus TilingScaleRows(gert::TilingContext* context) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const float factor = *context->GetAttrs()->GetFloat(0);
  OP_CHECK_IF(x.GetDimNum() != 2,
              OP_LOGE(context->GetNodeName(),
                      "x must be a matrix; it has rank %zu", x.GetDimNum()),
              return ge::GRAPH_FAILED);
  OP_CHECK_IF(factor == 0.0f,
              OP_LOGE(context->GetNodeName(), "factor must not be 0"),
              return ge::GRAPH_FAILED);
  ScaleRowsTilingData tiling;
  tiling.set_rows(x.GetDim(0));
  tiling.set_columns(x.GetDim(1));
  tiling.set_factor(factor);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetTilingKey(1);
  context->SetBlockDim(4);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ge {

static ge::graphStatus InferShapeScaleRows(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferDataTypeScaleRows(
    gert::InferDataTypeContext* context) {
  return context->SetOutputDataType(0, context->GetInputDataType(0));
}

}  // namespace ge

namespace ops {

class ScaleRows : public OpDef {
 public:
  explicit ScaleRows(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Attr("factor").AttrType(REQUIRED).Float();
    this->Attr("repeat").AttrType(OPTIONAL).Int(1);
    this->SetInferShape(ge::InferShapeScaleRows);
    this->SetInferDataType(ge::InferDataTypeScaleRows);
    this->AICore().SetTiling(optiling::TilingScaleRows);
    this->AICore().AddConfig("ascend910b");
  }
};

OP_ADD(ScaleRows);

}  // namespace ops
