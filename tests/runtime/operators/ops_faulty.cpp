// SPDX-License-Identifier: Apache-2.0
// Operators that go wrong, one way each.

#include <stdexcept>

#include "log/log.h"
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(HugeTilingData)
TILING_DATA_FIELD_DEF_ARR(uint64_t, 10000, table);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(HugeTiling, HugeTilingData)

namespace {

ge::graphStatus Succeed(gert::TilingContext* context) {
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus Fail(gert::TilingContext* context) {
  OP_LOGD(context, "not shown");
  OP_LOGE(context->GetNodeName(), "rows %d must be a multiple of %s\n", 7,
          "16");
  return ge::GRAPH_FAILED;
}

ge::graphStatus FailSilently(gert::TilingContext* context) {
  OP_CHECK_IF(context->GetInputShape(5) == nullptr, (void)0,
              return ge::GRAPH_PARAM_INVALID);
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus Throw(gert::TilingContext*) {
  throw std::out_of_range("no such dimension");
}

ge::graphStatus NoBlocks(gert::TilingContext*) { return ge::GRAPH_SUCCESS; }

ge::graphStatus ManyBlocks(gert::TilingContext* context) {
  context->SetBlockDim(70000);
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus WriteHuge(gert::TilingContext* context) {
  HugeTilingData data;
  data.SaveToBuffer(context->GetRawTilingData()->GetData(),
                    context->GetRawTilingData()->GetCapacity());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus SizeTooLarge(gert::TilingContext* context) {
  context->GetRawTilingData()->SetDataSize(1 << 20);
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

struct Big {
  char bytes[100000];
};

ge::graphStatus AskForHuge(gert::TilingContext* context) {
  return context->GetTilingData<Big>() == nullptr ? ge::GRAPH_FAILED
                                                  : ge::GRAPH_SUCCESS;
}

}  // namespace
}  // namespace optiling

namespace ge {
namespace {

graphStatus FailInference(gert::InferShapeContext* context) {
  OP_LOGE(context, "cannot say");
  return GRAPH_FAILED;
}

graphStatus NegativeShape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = gert::Shape{2, -1};
  return GRAPH_SUCCESS;
}

graphStatus WrongType(gert::InferDataTypeContext* context) {
  return context->SetOutputDataType(0, DT_INT8);
}

}  // namespace
}  // namespace ge

namespace ops {

// x and y of one type, y shaped like x, nothing else.
class Plain : public OpDef {
 public:
  Plain(const char* name, gert::OpImplRegisterV2::TilingKernelFunc tiling)
      : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED).Follow("x");
    this->AICore().SetTiling(tiling);
    this->AICore().AddConfig("ascend910b");
  }
};

#define PLAIN_OPERATOR(type, tiling)                                   \
  class type : public Plain {                                          \
   public:                                                             \
    explicit type(const char* name) : Plain(name, optiling::tiling) {} \
  };                                                                   \
  OP_ADD(type)

PLAIN_OPERATOR(FailingTiling, Fail);
PLAIN_OPERATOR(SilentTiling, FailSilently);
PLAIN_OPERATOR(ThrowingTiling, Throw);
PLAIN_OPERATOR(NoBlocks, NoBlocks);
PLAIN_OPERATOR(ManyBlocks, ManyBlocks);
PLAIN_OPERATOR(HugeTiling, WriteHuge);
PLAIN_OPERATOR(SizeTooLarge, SizeTooLarge);
PLAIN_OPERATOR(AsksForHuge, AskForHuge);

class NoTiling : public Plain {
 public:
  explicit NoTiling(const char* name) : Plain(name, nullptr) {}
};
OP_ADD(NoTiling);

class UnknownShape : public Plain {
 public:
  explicit UnknownShape(const char* name) : Plain(name, optiling::Succeed) {
    this->Output("z").DataType({ge::DT_FLOAT});
    this->Output("spare").ParamType(OPTIONAL).DataType({ge::DT_FLOAT});
  }
};
OP_ADD(UnknownShape);

class FailingInference : public Plain {
 public:
  explicit FailingInference(const char* name) : Plain(name, optiling::Succeed) {
    this->SetInferShape(ge::FailInference);
  }
};
OP_ADD(FailingInference);

class NegativeInference : public Plain {
 public:
  explicit NegativeInference(const char* name)
      : Plain(name, optiling::Succeed) {
    this->SetInferShape(ge::NegativeShape);
  }
};
OP_ADD(NegativeInference);

class WrongInference : public Plain {
 public:
  explicit WrongInference(const char* name) : Plain(name, optiling::Succeed) {
    this->SetInferDataType(ge::WrongType);
  }
};
OP_ADD(WrongInference);

class UnevenColumns : public Plain {
 public:
  explicit UnevenColumns(const char* name) : Plain(name, optiling::Succeed) {
    this->Input("w").DataType({ge::DT_FLOAT, ge::DT_FLOAT16});
  }
};
OP_ADD(UnevenColumns);

class Contradiction : public Plain {
 public:
  explicit Contradiction(const char* name) : Plain(name, optiling::Succeed) {
    this->Input("both").DataType({ge::DT_FLOAT}).DataTypeList({ge::DT_INT8});
    this->Input("untyped").ParamType(REQUIRED);
    this->Input("astray").Follow("nobody");
    this->Attr("vague");
  }
};
OP_ADD(Contradiction);

class OtherChip : public OpDef {
 public:
  explicit OtherChip(const char* name) : OpDef(name) {
    this->Input("x").DataType({ge::DT_FLOAT});
    this->AICore().SetTiling(optiling::Succeed);
    this->AICore().AddConfig("ascend310p");
  }
};
OP_ADD(OtherChip);

}  // namespace ops

IMPL_OP_OPTILING(Undefined).Tiling(optiling::Succeed);
