// SPDX-License-Identifier: Apache-2.0
// FlashAttention: softmax(scale q k^T) v for q, k, v of (batch, heads,
// sequence, depth) in half; k and v may be of another length than q.

#include <algorithm>
#include <cmath>

#include "../op_kernel/flash_attention_tile.h"
#include "flash_attention_tiling.h"
#include "log/log.h"
#include "register/op_def_registry.h"

namespace optiling {

using matmul_tiling::CubeFormat;
using matmul_tiling::DataType;
using matmul_tiling::MatmulApiTiling;
using matmul_tiling::TPosition;

// Of one product; the two share the memories of a cube core.
static int64_t TileProduct(const platform_ascendc::PlatformAscendC& platform,
                           int32_t m, int32_t n, int32_t k, bool b_transposed,
                           TCubeTiling& tiling) {
  uint64_t l1_bytes = 0;
  uint64_t l0c_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::L1, l1_bytes);
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::L0_C, l0c_bytes);
  MatmulApiTiling product(platform);
  product.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
  product.SetBType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16,
                   b_transposed);
  product.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
  product.SetShape(m, n, k);
  product.SetOrgShape(m, n, k);
  product.SetBufferSpace(static_cast<int32_t>(l1_bytes / 2),
                         static_cast<int32_t>(l0c_bytes / 2));
  return product.GetTiling(tiling);
}

static ge::graphStatus TilingFlashAttention(gert::TilingContext* context) {
  const gert::StorageShape* q_shape = context->GetInputShape(0);
  const gert::StorageShape* k_shape = context->GetInputShape(1);
  OP_CHECK_NULL_WITH_CONTEXT(context, q_shape);
  OP_CHECK_NULL_WITH_CONTEXT(context, k_shape);
  const gert::Shape& q = q_shape->GetStorageShape();
  const gert::Shape& k = k_shape->GetStorageShape();
  OP_CHECK_IF(q.GetDimNum() != 4 || k.GetDimNum() != 4,
              OP_LOGE(context->GetNodeName(),
                      "q and k have %zu and %zu dimensions; they must have 4: "
                      "batch, heads, sequence, depth",
                      q.GetDimNum(), k.GetDimNum()),
              return ge::GRAPH_FAILED);
  const int64_t depth = q.GetDim(3);
  OP_CHECK_IF(depth % 16 != 0 || depth < 16 || depth > kMostDepth,
              OP_LOGE(context->GetNodeName(),
                      "the depth is %ld; it must be a multiple of 16 up to %d",
                      static_cast<long>(depth), kMostDepth),
              return ge::GRAPH_FAILED);
  OP_CHECK_IF(k.GetDim(0) != q.GetDim(0) || k.GetDim(1) != q.GetDim(1) ||
                  k.GetDim(3) != depth,
              OP_LOGE(context->GetNodeName(),
                      "q and k differ in batch, heads or depth"),
              return ge::GRAPH_FAILED);

  FlashAttentionTilingData tiling;
  const uint64_t heads = static_cast<uint64_t>(q.GetDim(0) * q.GetDim(1));
  const uint64_t tiles =
      heads * ((q.GetDim(2) + kTileQueries - 1) / kTileQueries);
  tiling.set_heads(heads);
  tiling.set_queries(static_cast<uint32_t>(q.GetDim(2)));
  tiling.set_keys(static_cast<uint32_t>(k.GetDim(2)));
  tiling.set_depth(static_cast<uint32_t>(depth));
  const float scale = *context->GetAttrs()->GetFloat(0);
  tiling.set_scale(scale != 0 ? scale
                              : 1.0f / std::sqrt(static_cast<float>(depth)));

  platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
  const int32_t width = static_cast<int32_t>(depth);
  OP_CHECK_IF(TileProduct(platform, kTileQueries, kTileKeys, width, true,
                          tiling.scores) == -1 ||
                  TileProduct(platform, kTileQueries, width, kTileKeys, false,
                              tiling.values) == -1,
              OP_LOGE(context->GetNodeName(), "no tiling for the products"),
              return ge::GRAPH_FAILED);
  const uint32_t cores = static_cast<uint32_t>(
      std::min<uint64_t>(tiles, platform.GetCoreNumAiv()));
  tiling.set_cores(cores);
  gert::TilingData* raw = context->GetRawTilingData();
  tiling.SaveToBuffer(raw->GetData(), raw->GetCapacity());
  raw->SetDataSize(tiling.GetDataSize());

  context->SetBlockDim(platform.CalcTschBlockDim(
      cores, platform.GetCoreNumAic(), platform.GetCoreNumAiv()));
  size_t* workspace = context->GetWorkspaceSizes(1);
  OP_CHECK_NULL_WITH_CONTEXT(context, workspace);
  workspace[0] = platform.GetLibApiWorkSpaceSize() +
                 static_cast<size_t>(cores) * kWorkspaceFloats * sizeof(float);
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ge {

static graphStatus InferShape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return GRAPH_SUCCESS;
}

static graphStatus InferDataType(gert::InferDataTypeContext* context) {
  return context->SetOutputDataType(0, DT_FLOAT16);
}

}  // namespace ge

namespace ops {

class FlashAttention : public OpDef {
 public:
  explicit FlashAttention(const char* name) : OpDef(name) {
    Add(Input("q"));
    Add(Input("k"));
    Add(Input("v"));
    Add(Output("y"));
    // 0 stands for 1 / sqrt(depth).
    Attr("scale").AttrType(OPTIONAL).Float(0.0f);
    SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
    AICore().SetTiling(optiling::TilingFlashAttention);
    AICore().AddConfig("ascend910b");
  }

 private:
  static void Add(OpParamDef& parameter) {
    parameter.ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND});
  }
};

OP_ADD(FlashAttention);

}  // namespace ops
