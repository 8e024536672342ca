// SPDX-License-Identifier: Apache-2.0
// CastColumns: y = x in the type that the attribute dst_type names, for nine
// pairs of types.

#include <algorithm>
#include <cstring>

#include "../op_kernel/cast_columns_tiling.h"
#include "graph/utils/type_utils.h"
#include "log/log.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

namespace {

constexpr uint64_t kReservedBytes = 8 * 1024;
constexpr uint64_t kStep = 256;  // elements: whole 32-byte blocks of any type
constexpr uint64_t kSmallestTile = 1024;

}  // namespace

static ge::graphStatus TilingCastColumns(gert::TilingContext* context) {
  const gert::StorageShape* x = context->GetRequiredInputShape(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, x);
  const gert::StorageShape* y = context->GetOutputShape(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, y);
  const int64_t elements = x->GetOriginShape().GetShapeSize();
  OP_CHECK_IF(y->GetOriginShape().GetShapeSize() != elements,
              OP_LOGE(context->GetNodeName(), "x has %ld elements, y %ld",
                      elements, y->GetOriginShape().GetShapeSize()),
              return ge::GRAPH_FAILED);
  const int64_t* dst_type = context->GetAttrs()->GetInt(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, dst_type);
  const ge::DataType y_type = context->GetOutputDesc(0)->GetDataType();
  OP_CHECK_IF(
      y_type != static_cast<ge::DataType>(*dst_type),
      OP_LOGE(context->GetNodeName(), "dst_type is %ld but y has the dtype %s",
              *dst_type, ge::TypeUtils::DataTypeToSerialString(y_type).c_str()),
      return ge::GRAPH_FAILED);

  auto* platform = platform_ascendc::PlatformAscendCManager::GetInstance();
  OP_CHECK_NULL_WITH_CONTEXT(context, platform);
  OP_CHECK_IF(
      platform->GetSocVersion() != platform_ascendc::SocVersion::ASCEND910B,
      OP_LOGW(context->GetNodeName(), "written for Ascend 910B"), );
  uint64_t ub_bytes = 0;
  platform->GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const uint64_t x_bytes =
      ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType());
  const uint64_t y_bytes = ge::GetSizeByDataType(y_type);
  // x and y twice and an intermediate of at most four bytes once.
  const uint64_t largest = (ub_bytes - kReservedBytes) /
                           (2 * x_bytes + 2 * y_bytes + 4) / kStep * kStep;
  const uint64_t most_cores = platform->GetCoreNumAiv();
  const uint64_t count = static_cast<uint64_t>(elements);
  const uint64_t share =
      ((count + most_cores - 1) / most_cores + kStep - 1) / kStep * kStep;

  CastColumnsTilingData tiling;
  tiling.elements = count;
  tiling.tileElements =
      static_cast<uint32_t>(std::min(largest, std::max(share, kSmallestTile)));
  const uint64_t tiles =
      (count + tiling.tileElements - 1) / tiling.tileElements;
  tiling.cores =
      static_cast<uint32_t>(std::max<uint64_t>(1, std::min(tiles, most_cores)));

  gert::TilingData* raw = context->GetRawTilingData();
  OP_CHECK_NULL_WITH_CONTEXT(context, raw);
  OP_CHECK_IF(raw->GetCapacity() < sizeof(tiling),
              OP_LOGE(context->GetNodeName(), "tiling data do not fit"),
              return ge::GRAPH_FAILED);
  std::memcpy(raw->GetData(), &tiling, sizeof(tiling));
  raw->SetDataSize(sizeof(tiling));
  context->SetBlockDim(platform->CalcTschBlockDim(tiling.cores, 0, most_cores));
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ge {

static ge::graphStatus InferShapeCastColumns(gert::InferShapeContext* context) {
  const gert::Shape* x = context->GetRequiredInputShape(0);
  gert::Shape* y = context->GetOutputShape(0);
  if (x == nullptr || y == nullptr) return ge::GRAPH_FAILED;
  *y = *x;
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferDataTypeCastColumns(
    gert::InferDataTypeContext* context) {
  const int64_t* dst_type = context->GetAttrs()->GetInt(0);
  if (dst_type == nullptr) return ge::GRAPH_FAILED;
  return context->SetOutputDataType(0, static_cast<ge::DataType>(*dst_type));
}

}  // namespace ge

namespace ops {

class CastColumns : public OpDef {
 public:
  explicit CastColumns(const char* name) : OpDef(name) {
    this->Comment(CommentSection::BRIEF, "y = x in another element type");
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_FLOAT,
                   ge::DT_FLOAT, ge::DT_BF16, ge::DT_INT32, ge::DT_INT8,
                   ge::DT_INT64})
        .FormatList({ge::FORMAT_ND})
        .IgnoreContiguous();
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_INT8, ge::DT_FLOAT16, ge::DT_BF16,
                   ge::DT_INT32, ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_FLOAT,
                   ge::DT_INT32})
        .FormatList({ge::FORMAT_ND});
    this->Attr("dst_type").AttrType(REQUIRED).Int();
    this->SetInferShape(ge::InferShapeCastColumns)
        .SetInferDataType(ge::InferDataTypeCastColumns);
    this->AICore().SetTiling(optiling::TilingCastColumns);
    this->AICore().AddConfig("ascend910b");
    this->AICore().AddConfig("ascend910_93");
  }
};

OP_ADD(CastColumns);

}  // namespace ops
