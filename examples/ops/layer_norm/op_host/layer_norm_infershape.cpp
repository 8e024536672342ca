// SPDX-License-Identifier: Apache-2.0
// Shapes and types of LayerNorm's outputs: y as x; mean and rstd in float, with
// 1 for every normalised dimension.

#include "log/log.h"
#include "register/op_impl_registry.h"

namespace ops {

static ge::graphStatus InferShapeLayerNorm(gert::InferShapeContext* context) {
  const gert::Shape* x = context->GetInputShape(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, x);
  const gert::RuntimeAttrs* attrs = context->GetAttrs();
  OP_CHECK_NULL_WITH_CONTEXT(context, attrs);
  const int64_t* axis = attrs->GetInt(1);
  OP_CHECK_NULL_WITH_CONTEXT(context, axis);
  const int64_t rank = static_cast<int64_t>(x->GetDimNum());
  const int64_t begin = *axis < 0 ? *axis + rank : *axis;
  OP_CHECK_IF(begin < 0 || begin >= rank,
              OP_LOGE(context->GetNodeName(),
                      "begin_norm_axis is %ld; x has rank %ld", *axis, rank),
              return ge::GRAPH_FAILED);

  *context->GetOutputShape(0) = *x;
  for (size_t output = 1; output <= 2; ++output) {
    gert::Shape* statistic = context->GetOutputShape(output);
    OP_CHECK_NULL_WITH_CONTEXT(context, statistic);
    statistic->SetDimNum(0);
    for (int64_t i = 0; i < rank; ++i) {
      statistic->AppendDim(i < begin ? x->GetDim(i) : 1);
    }
  }
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferDataTypeLayerNorm(
    gert::InferDataTypeContext* context) {
  context->SetOutputDataType(0, context->GetInputDataType(0));
  context->SetOutputDataType(1, ge::DT_FLOAT);
  context->SetOutputDataType(2, ge::DT_FLOAT);
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_INFERSHAPE(LayerNorm)
    .InferShape(InferShapeLayerNorm)
    .InferDataType(InferDataTypeLayerNorm);

}  // namespace ops
