// SPDX-License-Identifier: Apache-2.0
// The definition of an operator whose host functions are in other files. It
// uses every kind of parameter and attribute.

#include "ops_add_tiling.h"
#include "register/op_config_registry.h"
#include "register/op_def_registry.h"

namespace ops {

class SplitOp : public OpDef {
 public:
  explicit SplitOp(const char* name) : OpDef(name) {
    this->Comment(CommentSection::BRIEF, "all of it")
        .EnableFallBack()
        .FormatMatchMode(FormatCheckOption::STRICT);
    this->Input("x")
        .ParamType(DYNAMIC)
        .DataType({ge::DT_FLOAT16, ge::DT_BF16})
        .Format({ge::FORMAT_ND, ge::FORMAT_NCHW})
        .AutoContiguous()
        .Comment("a list");
    this->Input("bias")
        .ParamType(OPTIONAL)
        .Follow("x", FollowType::DTYPE)
        .FormatList({ge::FORMAT_ND})
        .Version(1)
        .IgnoreContiguous();
    this->Input("begin")
        .ParamType(REQUIRED)
        .DataTypeList({ge::DT_INT32, ge::DT_INT64})
        .FormatList({ge::FORMAT_ND})
        .ValueDepend(REQUIRED, DependScope::TILING);
    this->Input("alpha")
        .ParamType(REQUIRED)
        .DataTypeList({ge::DT_FLOAT})
        .DataTypeForBinQuery({ge::DT_FLOAT})
        .FormatForBinQuery({ge::FORMAT_ND})
        .Scalar()
        .To(ge::DT_FLOAT);
    this->Input("weights")
        .ParamType(OPTIONAL)
        .DataTypeList({ge::DT_FLOAT})
        .ScalarList()
        .To("x");
    this->Output("y").ParamType(DYNAMIC).Follow("x");
    this->Output("count")
        .ParamType(REQUIRED)
        .DataTypeList({ge::DT_INT32})
        .InitValue(ScalarVar(ScalarType::INT32, -1))
        .OutputShapeDependOnCompute();
    this->Attr("flag").AttrType(OPTIONAL).Bool(true);
    this->Attr("axis").AttrType(REQUIRED).Int();
    this->Attr("eps").AttrType(OPTIONAL).Float(0.5f).Version(1);
    this->Attr("mode").AttrType(OPTIONAL).String("same").Comment("how");
    this->Attr("flags").AttrType(OPTIONAL).ListBool({true, false, true});
    this->Attr("pads").AttrType(OPTIONAL).ListInt({4, -5});
    this->Attr("scales").AttrType(OPTIONAL).ListFloat({1.5f});
    this->Attr("pairs").AttrType(OPTIONAL).ListListInt({{1}, {}, {2, 3}});
    this->MC2().HcclGroup("group");
    this->AICPU().OpkernelLib("CUSTAICPUKernel").FunctionName("f");
    this->HostCPU().Engine("e").UserDefined(true);

    OpAICoreConfig config;
    config.DynamicCompileStaticFlag(true)
        .DynamicFormatFlag(false)
        .DynamicRankSupportFlag(true)
        .DynamicShapeSupportFlag(true)
        .NeedCheckSupportFlag(false)
        .PrecisionReduceFlag(true)
        .ExtendCfgInfo("aclnnSupport.value", "support_aclnn");
    this->AICore().AddConfig("ascend910b", config);
    OpAICoreConfig other("ascend910_93");
    other.Input("begin")
        .ParamType(OPTIONAL)
        .DataTypeList({ge::DT_INT64})
        .FormatList({ge::FORMAT_ND});
    this->AICore().AddConfig("ascend910_93", other);
    this->AICore().LaunchWithZeroEleOutputTensors(true);
  }
};

OP_ADD(SplitOp);

// Registered in a file of its own; the definition's own comes first.
REGISTER_OP_AICORE_CONFIG(SplitOp, ascend310p, []() {
  OpAICoreConfig config("ascend310p");
  config.Input("extra").ParamType(OPTIONAL), config.Attr("more").Int(1);
  return config;
});

}  // namespace ops
