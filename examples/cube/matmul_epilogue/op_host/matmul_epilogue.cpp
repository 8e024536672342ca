// SPDX-License-Identifier: Apache-2.0
// MatmulEpilogue: y = LeakyRelu(a b + bias, slope) + residual.

#include "log/log.h"
#include "matmul_epilogue_tiling.h"
#include "register/op_def_registry.h"

namespace optiling {

using matmul_tiling::CubeFormat;
using matmul_tiling::DataType;
using matmul_tiling::TPosition;

// Two buffers each of a sum in float, the residual and the result in half.
constexpr uint64_t kBytesPerElement = 2 * (sizeof(float) + 2 + 2);
// What some vector calls use as scratch.
constexpr uint64_t kReservedBytes = 8192;

static ge::graphStatus TilingMatmulEpilogue(gert::TilingContext* context) {
  const gert::StorageShape* a = context->GetInputShape(0);
  const gert::StorageShape* b = context->GetInputShape(1);
  OP_CHECK_NULL_WITH_CONTEXT(context, a);
  OP_CHECK_NULL_WITH_CONTEXT(context, b);
  const int32_t m = static_cast<int32_t>(a->GetStorageShape().GetDim(0));
  const int32_t k = static_cast<int32_t>(a->GetStorageShape().GetDim(1));
  const int32_t n = static_cast<int32_t>(b->GetStorageShape().GetDim(1));
  OP_CHECK_IF(b->GetStorageShape().GetDim(0) != k,
              OP_LOGE(context->GetNodeName(),
                      "a has %d columns and b %ld rows: they must be equal", k,
                      static_cast<long>(b->GetStorageShape().GetDim(0))),
              return ge::GRAPH_FAILED);

  platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
  // Every vector core asks its cube core for a share of the product.
  matmul_tiling::MultiCoreMatmulTiling cube(platform);
  cube.SetDim(static_cast<int32_t>(platform.GetCoreNumAiv()));
  cube.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
  cube.SetBType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
  cube.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
  cube.SetBiasType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
  cube.EnableBias(true);
  cube.SetOrgShape(m, n, k);
  cube.SetShape(m, n, k);
  MatmulEpilogueTilingData tiling;
  OP_CHECK_IF(
      cube.GetTiling(tiling.cube) == -1,
      OP_LOGE(context->GetNodeName(),
              "no tiling for %d x %d x %d: all must be above 0", m, n, k),
      return ge::GRAPH_FAILED);

  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  tiling.set_tileElements(static_cast<uint32_t>((ub_bytes - kReservedBytes) /
                                                kBytesPerElement / 64 * 64));
  tiling.set_slope(*context->GetAttrs()->GetFloat(0));
  gert::TilingData* raw = context->GetRawTilingData();
  tiling.SaveToBuffer(raw->GetData(), raw->GetCapacity());
  raw->SetDataSize(tiling.GetDataSize());

  const uint32_t vector_cores =
      static_cast<uint32_t>(tiling.cube.get_usedCoreNum());
  context->SetBlockDim(platform.CalcTschBlockDim(
      vector_cores, platform.GetCoreNumAic(), platform.GetCoreNumAiv()));
  size_t* workspace = context->GetWorkspaceSizes(1);
  OP_CHECK_NULL_WITH_CONTEXT(context, workspace);
  workspace[0] = platform.GetLibApiWorkSpaceSize() +
                 static_cast<size_t>(m) * n * sizeof(float);
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ge {

static graphStatus InferShape(gert::InferShapeContext* context) {
  const gert::Shape* a = context->GetInputShape(0);
  const gert::Shape* b = context->GetInputShape(1);
  *context->GetOutputShape(0) = {a->GetDim(0), b->GetDim(1)};
  return GRAPH_SUCCESS;
}

static graphStatus InferDataType(gert::InferDataTypeContext* context) {
  return context->SetOutputDataType(0, DT_FLOAT16);
}

}  // namespace ge

namespace ops {

class MatmulEpilogue : public OpDef {
 public:
  explicit MatmulEpilogue(const char* name) : OpDef(name) {
    Add(Input("a"), ge::DT_FLOAT16);
    Add(Input("b"), ge::DT_FLOAT16);
    Add(Input("bias"), ge::DT_FLOAT);
    Add(Input("residual"), ge::DT_FLOAT16);
    Add(Output("y"), ge::DT_FLOAT16);
    Attr("slope").AttrType(OPTIONAL).Float(0.01f);
    SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
    AICore().SetTiling(optiling::TilingMatmulEpilogue);
    AICore().AddConfig("ascend910b");
  }

 private:
  static void Add(OpParamDef& parameter, ge::DataType type) {
    parameter.ParamType(REQUIRED).DataType({type}).Format({ge::FORMAT_ND});
  }
};

OP_ADD(MatmulEpilogue);

}  // namespace ops
