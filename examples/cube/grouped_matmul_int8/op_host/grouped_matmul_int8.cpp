// SPDX-License-Identifier: Apache-2.0
// GroupedMatmulInt8: the rows of x belong to groups one behind the other,
// group_list[g] of them to group g, and each group has weights of its own:
// y = (x weight[g]) scale[g], with a scale for every column. The scales come as
// the cube reads them: a float's bits in the low half of 64.

#include <algorithm>

#include "grouped_matmul_int8_tiling.h"
#include "log/log.h"
#include "register/op_def_registry.h"

namespace optiling {

using matmul_tiling::CubeFormat;
using matmul_tiling::DataType;
using matmul_tiling::TPosition;

// A core computes one such tile of y after the other.
constexpr int32_t kTileRows = 128;
constexpr int32_t kTileColumns = 256;

static ge::graphStatus TilingGroupedMatmulInt8(gert::TilingContext* context) {
  const gert::StorageShape* x_shape = context->GetInputShape(0);
  const gert::StorageShape* weight_shape = context->GetInputShape(1);
  OP_CHECK_NULL_WITH_CONTEXT(context, x_shape);
  OP_CHECK_NULL_WITH_CONTEXT(context, weight_shape);
  const gert::Shape& x = x_shape->GetStorageShape();
  const gert::Shape& weight = weight_shape->GetStorageShape();
  OP_CHECK_IF(x.GetDimNum() != 2 || weight.GetDimNum() != 3 ||
                  weight.GetDim(1) != x.GetDim(1),
              OP_LOGE(context->GetNodeName(),
                      "x must be (rows, k) and weight (groups, k, columns)"),
              return ge::GRAPH_FAILED);
  const int32_t m = static_cast<int32_t>(x.GetDim(0));
  const int32_t k = static_cast<int32_t>(x.GetDim(1));
  const int32_t n = static_cast<int32_t>(weight.GetDim(2));

  platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
  matmul_tiling::MatmulApiTiling cube(platform);
  cube.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_INT8);
  cube.SetBType(TPosition::GM, CubeFormat::ND, DataType::DT_INT8);
  cube.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
  cube.SetDequantType(matmul_tiling::DequantType::TENSOR);
  cube.SetOrgShape(m, n, k);
  cube.SetShape(std::min(m, kTileRows), std::min(n, kTileColumns), k);
  GroupedMatmulInt8TilingData tiling;
  OP_CHECK_IF(
      cube.GetTiling(tiling.cube) == -1,
      OP_LOGE(context->GetNodeName(), "no tiling for %d x %d x %d", m, n, k),
      return ge::GRAPH_FAILED);
  tiling.set_groups(static_cast<uint32_t>(weight.GetDim(0)));
  tiling.set_cores(platform.GetCoreNumAic());
  gert::TilingData* raw = context->GetRawTilingData();
  tiling.SaveToBuffer(raw->GetData(), raw->GetCapacity());
  raw->SetDataSize(tiling.GetDataSize());

  context->SetBlockDim(tiling.get_cores());
  size_t* workspace = context->GetWorkspaceSizes(1);
  OP_CHECK_NULL_WITH_CONTEXT(context, workspace);
  workspace[0] = platform.GetLibApiWorkSpaceSize();
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ge {

static graphStatus InferShape(gert::InferShapeContext* context) {
  const gert::Shape* x = context->GetInputShape(0);
  const gert::Shape* weight = context->GetInputShape(1);
  *context->GetOutputShape(0) = {x->GetDim(0), weight->GetDim(2)};
  return GRAPH_SUCCESS;
}

static graphStatus InferDataType(gert::InferDataTypeContext* context) {
  return context->SetOutputDataType(0, DT_FLOAT16);
}

}  // namespace ge

namespace ops {

class GroupedMatmulInt8 : public OpDef {
 public:
  explicit GroupedMatmulInt8(const char* name) : OpDef(name) {
    Add(Input("x"), ge::DT_INT8);
    Add(Input("weight"), ge::DT_INT8);
    Add(Input("scale"), ge::DT_UINT64);
    Add(Input("group_list"), ge::DT_INT64);
    Add(Output("y"), ge::DT_FLOAT16);
    SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
    AICore().SetTiling(optiling::TilingGroupedMatmulInt8);
    AICore().AddConfig("ascend910b");
  }

 private:
  static void Add(OpParamDef& parameter, ge::DataType type) {
    parameter.ParamType(REQUIRED).DataType({type}).Format({ge::FORMAT_ND});
  }
};

OP_ADD(GroupedMatmulInt8);

}  // namespace ops
