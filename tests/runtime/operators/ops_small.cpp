// SPDX-License-Identifier: Apache-2.0
// Operators for one feature each: outputs in place, and a type that only
// inference knows.

#include "register/op_def_registry.h"

namespace optiling {
namespace {

struct Info {
  int64_t number;
};

ge::graphStatus Parse(gert::TilingParseContext* context) {
  context->GetCompiledInfo<Info>()->number = 77;
  return ge::GRAPH_SUCCESS;
}

struct Data {
  int64_t number;
  int64_t tensors;
};

ge::graphStatus TileInPlace(gert::TilingContext* context) {
  auto* data = context->GetTilingData<Data>();
  data->number = context->GetCompileInfo<Info>()->number;
  data->tensors = static_cast<int64_t>(context->GetComputeNodeOutputNum());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus TileCast(gert::TilingContext* context) {
  context->SetBlockDim(
      context->GetOutputDesc(0)->GetDataType() == ge::DT_INT32 ? 1 : 0);
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus InferCast(gert::InferDataTypeContext* context) {
  return context->SetOutputDataType(
      0, static_cast<ge::DataType>(*context->GetAttrs()->GetInt(0)));
}

}  // namespace
}  // namespace optiling

namespace ops {

class InPlaceOp : public OpDef {
 public:
  explicit InPlaceOp(const char* name) : OpDef(name) {
    this->Input("var").ParamType(DYNAMIC).DataType({ge::DT_INT8});
    this->Input("value").ParamType(REQUIRED).Follow("var", FollowType::DTYPE);
    this->Output("var").ParamType(DYNAMIC).DataType({ge::DT_INT8});
    this->AICore()
        .SetTiling(optiling::TileInPlace)
        .SetTilingParse(optiling::Parse);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(InPlaceOp);

class CastOp : public OpDef {
 public:
  explicit CastOp(const char* name) : OpDef(name) {
    this->Input("x").DataType({ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_FLOAT});
    this->Output("y")
        .DataType({ge::DT_FLOAT16, ge::DT_INT32, ge::DT_INT32})
        .Follow("x", FollowType::SHAPE);
    this->Attr("dst_type").AttrType(REQUIRED).Int();
    this->SetInferDataType(optiling::InferCast);
    this->AICore().SetTiling(optiling::TileCast);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(CastOp);

}  // namespace ops
