// SPDX-License-Identifier: Apache-2.0
// RowSoftmax: softmax of rows and its log, with the library's tiling structs
// inside the operator's own, after an odd number of words.

#include "register/op_def_registry.h"
#include "tiling/tiling_api.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(RowSoftmaxData)
TILING_DATA_FIELD_DEF(uint32_t, rows);
TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, softmax);
TILING_DATA_FIELD_DEF(uint32_t, columns);
TILING_DATA_FIELD_DEF(uint32_t, bytes);
TILING_DATA_FIELD_DEF_STRUCT(LogSoftMaxTiling, log);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(RowSoftmax, RowSoftmaxData)

static ge::graphStatus TileRowSoftmax(gert::TilingContext* context) {
  const gert::Shape& shape = context->GetInputShape(0)->GetStorageShape();
  const AscendC::TensorShape rows(
      std::vector<int64_t>{shape.GetDim(0), shape.GetDim(1)});
  const uint32_t bytes =
      AscendC::GetSoftMaxMinTmpSize(rows, sizeof(float), false);
  RowSoftmaxData data;
  data.set_rows(shape.GetDim(0));
  data.set_columns(shape.GetDim(1));
  data.set_bytes((bytes + 31) / 32 * 32);
  AscendC::SoftMaxTilingFunc(rows, sizeof(float), bytes, data.softmax);
  AscendC::LogSoftMaxTilingFunc(rows, sizeof(float), bytes, data.log);
  data.SaveToBuffer(context->GetRawTilingData()->GetData(),
                    context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(data.GetDataSize());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

static ge::graphStatus InferRowSoftmax(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  *context->GetOutputShape(1) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}

namespace ops {

class RowSoftmax : public OpDef {
 public:
  explicit RowSoftmax(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND});
    this->Output("log")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND});
    this->SetInferShape(InferRowSoftmax);
    this->AICore().SetTiling(optiling::TileRowSoftmax).AddConfig("ascend910b");
  }
};

OP_ADD(RowSoftmax);

}  // namespace ops
