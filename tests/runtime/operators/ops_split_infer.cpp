// SPDX-License-Identifier: Apache-2.0
// Inference of SplitOp, apart from its definition and its tiling.

#include "register/op_impl_registry.h"

namespace ge {
namespace {

graphStatus InferSplit(gert::InferShapeContext* context) {
  const size_t lists = context->GetIrInputInstanceInfo(0)->GetInstanceNum();
  for (size_t i = 0; i < lists; ++i) {
    *context->GetOutputShape(i) = *context->GetDynamicInputShape(0, i);
  }
  gert::Shape* count = context->GetOutputShape(lists);
  count->SetDimNum(1);
  count->SetDim(0, static_cast<int64_t>(lists));
  return GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_INFERSHAPE(SplitOp).InferShape(InferSplit).InputsDataDependency({2});

}  // namespace ge
