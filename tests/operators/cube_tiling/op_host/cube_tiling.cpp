// SPDX-License-Identifier: Apache-2.0
// CubeTiling: a tiling class holds one of the library, between fields of its
// own, and the kernel says what it got.

#include "register/op_def_registry.h"
#include "tiling/tiling_api.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(CubeTilingData)
TILING_DATA_FIELD_DEF(uint8_t, before);
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, cube);
TILING_DATA_FIELD_DEF(int32_t, after);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(CubeTiling, CubeTilingData)

static ge::graphStatus TileCubeTiling(gert::TilingContext* context) {
  using matmul_tiling::CubeFormat;
  using matmul_tiling::DataType;
  using matmul_tiling::TPosition;
  const int32_t size = static_cast<int32_t>(*context->GetAttrs()->GetInt(0));
  matmul_tiling::MatmulApiTiling tiling;
  tiling.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
  tiling.SetBType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
  tiling.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
  tiling.SetShape(size, 96, 80);
  tiling.SetOrgShape(size, 96, 80, 160);
  tiling.SetFixSplit(64, 32, -1);
  CubeTilingData data;
  data.set_before(1);
  data.set_after(2);
  if (tiling.GetTiling(data.cube) == -1) return ge::GRAPH_FAILED;
  data.SaveToBuffer(context->GetRawTilingData()->GetData(),
                    context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(data.GetDataSize());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ops {

class CubeTiling : public OpDef {
 public:
  explicit CubeTiling(const char* name) : OpDef(name) {
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_INT32})
        .Format({ge::FORMAT_ND});
    this->Attr("size").AttrType(REQUIRED).Int();
    this->AICore().SetTiling(optiling::TileCubeTiling).AddConfig("ascend910b");
  }
};

OP_ADD(CubeTiling);

}  // namespace ops
