// SPDX-License-Identifier: Apache-2.0
// Tiling of SplitOp: writes what it is told into its tiling data, as text.

#include <cstdio>
#include <cstring>
#include <string>

#include "error/ops_error.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
namespace {

struct SplitCompileInfo {
  uint32_t cores = 0;
  uint64_t ub_bytes = 0;
};

ge::graphStatus ParseSplit(gert::TilingParseContext* context) {
  auto* info = context->GetCompiledInfo<SplitCompileInfo>();
  OPS_CHECK_NULL_WITH_CONTEXT(context, info);
  const platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
  info->cores = platform.GetCoreNumAiv();
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, info->ub_bytes);
  return ge::GRAPH_SUCCESS;
}

std::string ShapeText(const gert::StorageShape* shape) {
  if (shape == nullptr) return "absent";
  std::string text;
  for (size_t i = 0; i < shape->GetOriginShape().GetDimNum(); ++i) {
    text += std::to_string(shape->GetOriginShape().GetDim(i)) + "x";
  }
  return text;
}

ge::graphStatus TilingSplit(gert::TilingContext* context) {
  const auto* info = context->GetCompileInfo<SplitCompileInfo>();
  OP_TILING_CHECK(info == nullptr,
                  VECTOR_INNER_ERR_REPORT_TILIING(context->GetNodeName(),
                                                  "no compile info"),
                  return ge::GRAPH_FAILED);
  std::string text = context->GetNodeType();
  text += " inputs " + std::to_string(context->GetComputeNodeInputNum());
  const auto* lists = context->GetIrInputInstanceInfo(0);
  text += " list " + std::to_string(lists->GetInstanceNum());
  for (uint32_t i = 0; i < lists->GetInstanceNum(); ++i) {
    text += " " + ShapeText(context->GetDynamicInputShape(0, i));
  }
  text += " beyond " +
          ShapeText(context->GetDynamicInputShape(0, lists->GetInstanceNum()));
  text += " bias " + ShapeText(context->GetOptionalInputShape(1));
  text += context->GetOptionalInputDesc(1) == nullptr ? " nodesc" : " desc";
  const gert::Tensor* begin = context->GetRequiredInputTensor(2);
  text += " begin";
  for (int64_t i = 0; i < begin->GetShapeSize(); ++i) {
    text += " " + std::to_string(begin->GetDataType() == ge::DT_INT32
                                     ? begin->GetData<int32_t>()[i]
                                     : begin->GetData<int64_t>()[i]);
  }
  const gert::RuntimeAttrs* attributes = context->GetAttrs();
  text += *attributes->GetBool(0) ? " flag" : " noflag";
  text += " axis " + std::to_string(*attributes->GetInt(1));
  text += " eps " + std::to_string(*attributes->GetAttrPointer<float>(2));
  text += std::string(" mode ") + attributes->GetStr(3);
  const auto* flags = attributes->GetListBool(4);
  for (size_t i = 0; i < flags->GetSize(); ++i) {
    text += flags->GetData()[i] ? "T" : "F";
  }
  const auto* pads = attributes->GetAttrPointer<gert::ContinuousVector>(5);
  for (size_t i = 0; i < pads->GetSize(); ++i) {
    text += " pad " +
            std::to_string(static_cast<const int64_t*>(pads->GetData())[i]);
  }
  text += " scale " + std::to_string(attributes->GetListFloat(6)->GetData()[0]);
  const auto* pairs = attributes->GetListListInt(7);
  for (size_t i = 0; i < pairs->GetSize(); ++i) {
    text += " pairs" + std::to_string(pairs->Get(i)->GetSize());
  }
  text += attributes->GetInt(8) == nullptr ? " end" : " more";
  text += " outputs " + std::to_string(context->GetComputeNodeOutputNum());
  text += " " + ShapeText(context->GetOutputShape(0));
  text += context->GetDeterministic() == 1 ? " deterministic" : "";
  text += context->GetInputDesc(0)->GetFormat().GetStorageFormat() ==
                  ge::FORMAT_NCHW
              ? " NCHW"
              : " ND";
  context->GetRawTilingData()->Append(text.data(), text.size());
  context->SetBlockDim(info->cores);
  context->SetNeedAtomic(true);
  return info->ub_bytes == 196608 ? ge::GRAPH_SUCCESS : ge::GRAPH_FAILED;
}

}  // namespace

IMPL_OP_OPTILING(SplitOp)
    .Tiling(TilingSplit)
    .TilingParse<SplitCompileInfo>(ParseSplit);

}  // namespace optiling
