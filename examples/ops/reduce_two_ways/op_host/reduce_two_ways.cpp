// SPDX-License-Identifier: Apache-2.0
// ReduceTwoWays: sum or maximum of x over neighbouring axes. Few outputs of
// many elements are split over the cores, whose partial results meet in the
// workspace; the order of additions never depends on timing.

#include <algorithm>
#include <cstring>
#include <string>

#include "log/log.h"
#include "reduce_axes.h"
#include "reduce_two_ways_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

namespace {

constexpr uint64_t kMaxCores = 64;
constexpr uint64_t kLanes = 64;
constexpr uint64_t kMostInner = 2048;        // outputs accumulated at once
constexpr uint64_t kFixedBytes = 48 * 1024;  // accumulators, results, scratch
constexpr uint32_t kBatchMode = 1;           // all blocks start together

uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }
uint64_t AlignUp(uint64_t a, uint64_t b) { return CeilDiv(a, b) * b; }

// x as outer x reduce x inner. Dimensions of size 1 belong anywhere.
ge::graphStatus Split(gert::TilingContext* context, const gert::Shape& x,
                      const std::vector<bool>& is_reduced, uint64_t& outer,
                      uint64_t& reduce, uint64_t& inner) {
  outer = reduce = inner = 1;
  bool has_begun = false;
  for (size_t i = 0; i < x.GetDimNum(); ++i) {
    const uint64_t size = x.GetDim(i);
    if (size == 1) continue;
    if (is_reduced[i]) {
      OP_CHECK_IF(has_begun && inner != 1,
                  OP_LOGE(context->GetNodeName(),
                          "the reduced axes must be neighbours: axis %zu is "
                          "apart from the others",
                          i),
                  return ge::GRAPH_FAILED);
      has_begun = true;
      reduce *= size;
    } else {
      (has_begun ? inner : outer) *= size;
    }
  }
  return ge::GRAPH_SUCCESS;
}

template <typename Data>
void Save(gert::TilingContext* context, Data& tiling) {
  gert::TilingData* raw = context->GetRawTilingData();
  tiling.SaveToBuffer(raw->GetData(), raw->GetCapacity());
  raw->SetDataSize(tiling.GetDataSize());
}

}  // namespace

static ge::graphStatus TilingReduceTwoWays(gert::TilingContext* context) {
  const gert::StorageShape* x_shape = context->GetInputShape(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, x_shape);
  const gert::Shape& x = x_shape->GetStorageShape();
  const gert::RuntimeAttrs* attrs = context->GetAttrs();
  OP_CHECK_NULL_WITH_CONTEXT(context, attrs);
  std::vector<bool> is_reduced;
  const std::string wrong =
      reduce_two_ways::ReadAxes(x, attrs->GetListInt(0), is_reduced);
  OP_CHECK_IF(!wrong.empty(),
              OP_LOGE(context->GetNodeName(), "%s", wrong.c_str()),
              return ge::GRAPH_FAILED);
  const char* mode = attrs->GetStr(1);
  OP_CHECK_NULL_WITH_CONTEXT(context, mode);
  const bool is_max = std::strcmp(mode, "max") == 0;
  OP_CHECK_IF(!is_max && std::strcmp(mode, "sum") != 0,
              OP_LOGE(context->GetNodeName(),
                      "mode is \"%s\"; it must be \"sum\" or \"max\"", mode),
              return ge::GRAPH_FAILED);
  uint64_t outer = 0;
  uint64_t reduce = 0;
  uint64_t inner = 0;
  if (Split(context, x, is_reduced, outer, reduce, inner) !=
      ge::GRAPH_SUCCESS) {
    return ge::GRAPH_FAILED;
  }
  OP_CHECK_IF(is_max && reduce == 0 && outer * inner != 0,
              OP_LOGE(context->GetNodeName(), "no maximum of no elements"),
              return ge::GRAPH_FAILED);

  platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
  const uint64_t most_cores =
      std::min<uint64_t>(platform.GetCoreNumAiv(), kMaxCores);
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const uint64_t element_bytes =
      ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType());
  const uint64_t tile = (ub_bytes - kFixedBytes) /
                        (2 * element_bytes + sizeof(float)) / kLanes * kLanes;
  const uint64_t inner_tile =
      std::min(std::max<uint64_t>(inner, 1), kMostInner);
  const uint64_t units = outer * CeilDiv(inner, inner_tile);
  // ReduceMax keeps a value and an index of each repeat.
  const uint64_t work = AlignUp(2 * CeilDiv(tile, kLanes), 8) * sizeof(float);
  const uint64_t outputs = outer * inner;
  const bool is_split =
      units != 0 && units * 4 <= most_cores && reduce >= 8 * most_cores;
  const size_t system_workspace = platform.GetLibApiWorkSpaceSize();
  size_t* workspace = context->GetWorkspaceSizes(1);
  OP_CHECK_NULL_WITH_CONTEXT(context, workspace);
  const auto set_shape = [&](ReduceShape& shape) {
    shape.set_outer(outer);
    shape.set_reduce(reduce);
    shape.set_inner(inner);
    shape.set_tileElements(static_cast<uint32_t>(tile));
    shape.set_innerTile(static_cast<uint32_t>(inner_tile));
    shape.set_workBytes(static_cast<uint32_t>(work));
  };

  if (is_split) {
    ReduceSplitTilingData tiling;
    set_shape(tiling.shape);
    uint64_t starts[kMaxCores + 1] = {0};
    for (uint64_t core = 0; core <= most_cores; ++core) {
      starts[core] = reduce * core / most_cores;
    }
    tiling.set_cores(static_cast<uint16_t>(most_cores));
    tiling.set_rowStart(starts);
    tiling.set_combineElements(static_cast<uint32_t>(
        tile * element_bytes / sizeof(float) / most_cores / 8 * 8));
    Save(context, tiling);
    workspace[0] = system_workspace + most_cores * outputs * sizeof(float);
    context->SetBlockDim(static_cast<uint32_t>(most_cores));
    context->SetScheduleMode(kBatchMode);
  } else {
    const uint64_t cores =
        std::max<uint64_t>(1, std::min<uint64_t>(units, most_cores));
    ReduceOwnTilingData tiling;
    set_shape(tiling.shape);
    tiling.set_unitsPerCore(units / cores);
    tiling.set_longCores(static_cast<uint32_t>(units % cores));
    Save(context, tiling);
    workspace[0] = system_workspace;
    context->SetBlockDim(static_cast<uint32_t>(cores));
  }
  context->SetTilingKey((is_max ? 20 : 10) + (is_split ? 2 : 1));
  OP_LOGI(context->GetNodeName(),
          "key %lu, %u blocks, deterministic wanted: %d",
          context->GetTilingKey(), context->GetBlockDim(),
          context->GetDeterministic());
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ge {

static ge::graphStatus InferShapeReduceTwoWays(
    gert::InferShapeContext* context) {
  const gert::Shape* x = context->GetInputShape(0);
  gert::Shape* y = context->GetOutputShape(0);
  const gert::RuntimeAttrs* attrs = context->GetAttrs();
  if (x == nullptr || y == nullptr || attrs == nullptr) {
    return ge::GRAPH_FAILED;
  }
  std::vector<bool> is_reduced;
  const std::string wrong =
      reduce_two_ways::ReadAxes(*x, attrs->GetListInt(0), is_reduced);
  OP_CHECK_IF(!wrong.empty(),
              OP_LOGE(context->GetNodeName(), "%s", wrong.c_str()),
              return ge::GRAPH_FAILED);
  const bool keeps_dims = *attrs->GetBool(2);
  y->SetDimNum(0);
  for (size_t i = 0; i < x->GetDimNum(); ++i) {
    if (!is_reduced[i]) {
      y->AppendDim(x->GetDim(i));
    } else if (keeps_dims) {
      y->AppendDim(1);
    }
  }
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferDataTypeReduceTwoWays(
    gert::InferDataTypeContext* context) {
  return context->SetOutputDataType(0, context->GetInputDataType(0));
}

}  // namespace ge

namespace ops {

class ReduceTwoWays : public OpDef {
 public:
  explicit ReduceTwoWays(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataTypeList({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16})
        .FormatList({ge::FORMAT_ND})
        .AutoContiguous();
    this->Output("y")
        .ParamType(REQUIRED)
        .Follow("x", FollowType::DTYPE)
        .FormatList({ge::FORMAT_ND});
    this->Attr("axes").AttrType(REQUIRED).ListInt();
    this->Attr("mode").AttrType(OPTIONAL).String("sum");
    this->Attr("keep_dims").AttrType(OPTIONAL).Bool(false);
    this->SetInferShape(ge::InferShapeReduceTwoWays);
    this->SetInferDataType(ge::InferDataTypeReduceTwoWays);
    this->AICore().SetTiling(optiling::TilingReduceTwoWays);
    this->AICore().AddConfig("ascend910b");
    this->AICore().AddConfig("ascend910_93");
  }
};

OP_ADD(ReduceTwoWays);

}  // namespace ops
