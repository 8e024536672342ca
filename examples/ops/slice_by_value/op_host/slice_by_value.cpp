// SPDX-License-Identifier: Apache-2.0
// SliceByValue: y = x[begins : begins + sizes], where begins and sizes are
// inputs whose values shape inference and tiling read on the host.

#include <algorithm>

#include "log/log.h"
#include "register/op_def_registry.h"
#include "register/op_impl_registry.h"
#include "slice_by_value_tiling.h"
#include "slice_range.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

namespace {

constexpr uint64_t kBlockBytes = 32;
constexpr uint64_t kReservedBytes = 8 * 1024;
constexpr uint64_t kMostRuns = 4095;  // of one DataCopyPad

uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

// Dimensions of a slice, outermost first; stride in elements of x.
struct Dimension {
  uint64_t size;
  uint64_t stride;
  bool is_whole;
};

// Merges each dimension that is taken whole with the one outside of it.
std::vector<Dimension> Merge(const gert::Shape& x,
                             const slice_by_value::SliceRange& range,
                             uint64_t& first_element) {
  std::vector<Dimension> dimensions;  // innermost first
  uint64_t stride = 1;
  first_element = 0;
  for (size_t i = x.GetDimNum(); i-- > 0;) {
    const uint64_t size = range.sizes[i];
    first_element += range.begins[i] * stride;
    const bool is_whole = range.sizes[i] == x.GetDim(i);
    if (!dimensions.empty() && dimensions.back().is_whole) {
      dimensions.back().size *= size;
      dimensions.back().is_whole = is_whole;
    } else {
      dimensions.push_back({size, stride, is_whole});
    }
    stride *= x.GetDim(i);
  }
  std::reverse(dimensions.begin(), dimensions.end());
  return dimensions;
}

}  // namespace

static ge::graphStatus TilingSliceByValue(gert::TilingContext* context) {
  const gert::StorageShape* x_shape = context->GetInputShape(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, x_shape);
  const gert::Shape& x = x_shape->GetStorageShape();
  OP_CHECK_IF(x.GetDimNum() > kMaxRank,
              OP_LOGE(context->GetNodeName(), "x has rank %zu; at most %zu",
                      x.GetDimNum(), kMaxRank),
              return ge::GRAPH_FAILED);
  slice_by_value::SliceRange range;
  const std::string wrong = slice_by_value::ReadRange(
      x, context->GetInputTensor(1), context->GetInputTensor(2), range);
  OP_CHECK_IF(!wrong.empty(),
              OP_LOGE(context->GetNodeName(), "%s", wrong.c_str()),
              return ge::GRAPH_FAILED);

  uint64_t first_element = 0;
  std::vector<Dimension> dimensions = Merge(x, range, first_element);
  if (dimensions.empty()) dimensions.push_back({1, 1, true});
  if (dimensions.size() == 1) {
    dimensions.insert(dimensions.begin(), {1, dimensions[0].size, false});
  }
  const Dimension run = dimensions.back();
  const Dimension runs = dimensions[dimensions.size() - 2];
  const size_t outer_rank = dimensions.size() - 2;
  uint64_t outer_size[kMaxRank] = {0};
  uint64_t outer_stride[kMaxRank] = {0};
  uint64_t strips = 1;
  for (size_t i = 0; i < outer_rank; ++i) {
    outer_size[i] = dimensions[i].size;
    outer_stride[i] = dimensions[i].stride;
    strips *= dimensions[i].size;
  }

  platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const uint64_t element_bytes =
      ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType());
  const uint64_t in_block = kBlockBytes / element_bytes;
  const uint64_t buffer =
      (ub_bytes - kReservedBytes) / 2 / element_bytes / in_block * in_block;
  const uint64_t tile_run = std::max<uint64_t>(1, std::min(run.size, buffer));
  // In the Unified Buffer every run begins at a block.
  const uint64_t padded_run = CeilDiv(tile_run, in_block) * in_block;
  const uint64_t tile_runs = std::max<uint64_t>(
      1, std::min({runs.size, buffer / padded_run, kMostRuns}));
  const uint64_t pieces =
      strips * CeilDiv(runs.size, tile_runs) * CeilDiv(run.size, tile_run);

  SliceByValueTilingData tiling;
  tiling.set_run(run.size);
  tiling.set_runs(runs.size);
  tiling.set_runStride(runs.stride);
  tiling.set_firstElement(first_element);
  tiling.set_outerRank(static_cast<uint32_t>(outer_rank));
  tiling.set_outerSize(outer_size);
  tiling.set_outerStride(outer_stride);
  tiling.set_tileRun(static_cast<uint32_t>(tile_run));
  tiling.set_tileRuns(static_cast<uint32_t>(tile_runs));
  tiling.set_pieces(pieces);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(static_cast<uint32_t>(std::max<uint64_t>(
      1, std::min<uint64_t>(pieces, platform.GetCoreNumAiv()))));
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(SliceByValue)
    .Tiling(TilingSliceByValue)
    .TilingInputsDataDependency({1, 2});

}  // namespace optiling

namespace ops {

static ge::graphStatus InferShapeSliceByValue(
    gert::InferShapeContext* context) {
  const gert::Shape* x = context->GetInputShape(0);
  gert::Shape* y = context->GetOutputShape(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, x);
  OP_CHECK_NULL_WITH_CONTEXT(context, y);
  slice_by_value::SliceRange range;
  const std::string wrong = slice_by_value::ReadRange(
      *x, context->GetInputTensor(1), context->GetInputTensor(2), range);
  OP_CHECK_IF(!wrong.empty(),
              OP_LOGE(context->GetNodeName(), "%s", wrong.c_str()),
              return ge::GRAPH_FAILED);
  y->SetDimNum(x->GetDimNum());
  for (size_t i = 0; i < x->GetDimNum(); ++i) y->SetDim(i, range.sizes[i]);
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferDataTypeSliceByValue(
    gert::InferDataTypeContext* context) {
  return context->SetOutputDataType(0, context->GetInputDataType(0));
}

IMPL_OP_INFERSHAPE(SliceByValue)
    .InferShape(InferShapeSliceByValue)
    .InferDataType(InferDataTypeSliceByValue)
    .InputsDataDependency({1, 2});

class SliceByValue : public OpDef {
 public:
  explicit SliceByValue(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16, ge::DT_INT8,
                   ge::DT_INT32, ge::DT_INT64, ge::DT_FLOAT, ge::DT_BOOL})
        .FormatList({ge::FORMAT_ND});
    this->Input("begins")
        .ParamType(REQUIRED)
        .DataType({ge::DT_INT64, ge::DT_INT64, ge::DT_INT64, ge::DT_INT64,
                   ge::DT_INT64, ge::DT_INT64, ge::DT_INT32, ge::DT_INT32})
        .FormatList({ge::FORMAT_ND})
        .ValueDepend(REQUIRED);
    this->Input("sizes")
        .ParamType(REQUIRED)
        .DataType({ge::DT_INT64, ge::DT_INT64, ge::DT_INT64, ge::DT_INT64,
                   ge::DT_INT64, ge::DT_INT64, ge::DT_INT32, ge::DT_INT32})
        .FormatList({ge::FORMAT_ND})
        .ValueDepend(REQUIRED);
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16, ge::DT_INT8,
                   ge::DT_INT32, ge::DT_INT64, ge::DT_FLOAT, ge::DT_BOOL})
        .FormatList({ge::FORMAT_ND});
    this->AICore().AddConfig("ascend910b");
  }
};

OP_ADD(SliceByValue);

}  // namespace ops
