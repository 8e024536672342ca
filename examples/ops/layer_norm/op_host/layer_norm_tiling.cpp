// SPDX-License-Identifier: Apache-2.0
// Tiling of LayerNorm. Key 1: a row fits the Unified Buffer and is read once.
// Key 2: it does not, and is read three times in tiles.

#include "layer_norm_tiling.h"

#include <algorithm>

#include "graph/utils/type_utils.h"
#include "log/log.h"
#include "platform/platform_info.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"

namespace optiling {

namespace {

constexpr size_t kX = 0;
constexpr size_t kGamma = 1;
constexpr size_t kBias = 2;
constexpr uint64_t kKeyWholeRow = 1;
constexpr uint64_t kKeyTiledRow = 2;
// Buffers of fixed size in the kernel and the library's scratch at the end.
constexpr uint64_t kReservedBytes = 16 * 1024;
constexpr uint64_t kLanes = 64;  // floats in one repeat

uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }
uint64_t AlignUp(uint64_t a, uint64_t b) { return CeilDiv(a, b) * b; }

// Bytes for one column: x and y twice in their type, x, gamma, bias and one
// intermediate in float, and ReduceSum's partial sums.
uint64_t BytesPerColumn(uint64_t element_bytes) {
  return 4 * element_bytes + 4 * sizeof(float) + 1;
}

// gamma and bias: absent, or as many elements as a row.
ge::graphStatus CheckAffine(gert::TilingContext* context, size_t input,
                            const char* name, int64_t columns, bool& present) {
  const gert::StorageShape* shape = context->GetOptionalInputShape(input);
  present = shape != nullptr;
  if (!present) return ge::GRAPH_SUCCESS;
  const int64_t size = shape->GetStorageShape().GetShapeSize();
  OP_CHECK_IF(
      size != columns,
      OP_LOGE(context->GetNodeName(),
              "%s has %ld elements; the normalised dimensions of x have %ld",
              name, size, columns),
      return ge::GRAPH_FAILED);
  const gert::CompileTimeTensorDesc* desc =
      context->GetOptionalInputDesc(input);
  OP_CHECK_NULL_WITH_CONTEXT(context, desc);
  OP_CHECK_IF(desc->GetDataType() != context->GetInputDesc(kX)->GetDataType(),
              OP_LOGE(context->GetNodeName(), "%s must have x's dtype", name),
              return ge::GRAPH_FAILED);
  return ge::GRAPH_SUCCESS;
}

}  // namespace

static ge::graphStatus TilingLayerNorm(gert::TilingContext* context) {
  const auto* info =
      reinterpret_cast<const LayerNormCompileInfo*>(context->GetCompileInfo());
  OP_CHECK_NULL_WITH_CONTEXT(context, info);
  const gert::StorageShape* x_shape = context->GetInputShape(kX);
  OP_CHECK_NULL_WITH_CONTEXT(context, x_shape);
  const gert::Shape& x = x_shape->GetStorageShape();
  const gert::RuntimeAttrs* attrs = context->GetAttrs();
  OP_CHECK_NULL_WITH_CONTEXT(context, attrs);
  const float epsilon = *attrs->GetFloat(0);
  int64_t begin = *attrs->GetAttrPointer<int64_t>(1);
  const bool unbiased = *attrs->GetBool(2);

  const int64_t rank = static_cast<int64_t>(x.GetDimNum());
  begin = begin < 0 ? begin + rank : begin;
  OP_CHECK_IF(begin < 0 || begin >= rank,
              OP_LOGE(context->GetNodeName(),
                      "begin_norm_axis is outside the rank %ld of x", rank),
              return ge::GRAPH_FAILED);
  OP_CHECK_IF(epsilon < 0.0f,
              OP_LOGE(context->GetNodeName(),
                      "epsilon is %f; it must not be negative", epsilon),
              return ge::GRAPH_FAILED);
  int64_t rows = 1;
  int64_t columns = 1;
  for (int64_t i = 0; i < rank; ++i) {
    (i < begin ? rows : columns) *= x.GetDim(i);
  }
  OP_CHECK_IF(columns < (unbiased ? 2 : 1),
              OP_LOGE(context->GetNodeName(),
                      "a row has %ld elements: too few to normalise", columns),
              return ge::GRAPH_FAILED);
  bool has_gamma = false;
  bool has_bias = false;
  if (CheckAffine(context, kGamma, "gamma", columns, has_gamma) !=
          ge::GRAPH_SUCCESS ||
      CheckAffine(context, kBias, "bias", columns, has_bias) !=
          ge::GRAPH_SUCCESS) {
    return ge::GRAPH_FAILED;
  }

  uint32_t element_bytes = 0;
  ge::TypeUtils::GetDataTypeLength(context->GetInputDesc(kX)->GetDataType(),
                                   element_bytes);
  OP_CHECK_IF(element_bytes == 0,
              OP_LOGE(context->GetNodeName(), "x has a dtype without a size"),
              return ge::GRAPH_FAILED);
  const uint64_t fitting = (info->ubBytes - kReservedBytes) /
                           BytesPerColumn(element_bytes) / kLanes * kLanes;
  const uint64_t needed = AlignUp(columns, kLanes);
  const bool is_whole = needed <= fitting;
  const uint64_t tile = is_whole ? needed : fitting;

  const uint64_t cores =
      std::max<uint64_t>(1, std::min<uint64_t>(rows, info->coreCount));
  LayerNormTilingData tiling;
  tiling.set_columns(columns);
  tiling.set_rowsPerCore(rows / cores);
  tiling.set_longCores(static_cast<uint32_t>(rows % cores));
  tiling.set_tileColumns(static_cast<uint32_t>(tile));
  tiling.set_workBytes(
      static_cast<uint32_t>(AlignUp(tile / kLanes, 8) * sizeof(float)));
  tiling.set_epsilon(epsilon);
  tiling.set_meanFactor(1.0f / static_cast<float>(columns));
  tiling.set_varianceFactor(1.0f /
                            static_cast<float>(columns - (unbiased ? 1 : 0)));
  tiling.set_hasGamma(has_gamma ? 1 : 0);
  tiling.set_hasBias(has_bias ? 1 : 0);

  context->SetBlockDim(static_cast<uint32_t>(cores));
  context->SetTilingKey(is_whole ? kKeyWholeRow : kKeyTiledRow);
  gert::TilingData* raw = context->GetRawTilingData();
  OP_CHECK_NULL_WITH_CONTEXT(context, raw);
  OP_CHECK_IF(tiling.GetDataSize() > raw->GetCapacity(),
              OP_LOGE(context->GetNodeName(), "tiling data do not fit"),
              return ge::GRAPH_FAILED);
  tiling.SaveToBuffer(raw->GetData(), raw->GetCapacity());
  raw->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus TilingPrepareLayerNorm(
    gert::TilingParseContext* context) {
  auto* info = context->GetCompiledInfo<LayerNormCompileInfo>();
  OP_CHECK_NULL_WITH_CONTEXT(context, info);
  fe::PlatFormInfos* platform_info = context->GetPlatformInfo();
  OP_CHECK_NULL_WITH_CONTEXT(context, platform_info);
  platform_ascendc::PlatformAscendC platform(platform_info);
  info->coreCount = platform.GetCoreNumAiv();
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, info->ubBytes);
  OP_CHECK_IF(info->coreCount == 0 || info->ubBytes <= kReservedBytes,
              OP_LOGE(context->GetNodeName(), "the platform has no cores"),
              return ge::GRAPH_FAILED);
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(LayerNorm)
    .Tiling(TilingLayerNorm)
    .TilingParse<LayerNormCompileInfo>(TilingPrepareLayerNorm);

}  // namespace optiling
