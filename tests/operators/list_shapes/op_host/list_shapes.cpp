// SPDX-License-Identifier: Apache-2.0
// ListShapes: of each tensor of a list its rank, its sizes and its first
// element.

#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {

static ge::graphStatus TileListShapes(gert::TilingContext* context) {
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ops {

class ListShapes : public OpDef {
 public:
  explicit ListShapes(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(DYNAMIC)
        .DataType({ge::DT_INT64})
        .Format({ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_INT64})
        .Format({ge::FORMAT_ND});
    this->AICore().SetTiling(optiling::TileListShapes).AddConfig("ascend910b");
  }
};

OP_ADD(ListShapes);

}  // namespace ops
