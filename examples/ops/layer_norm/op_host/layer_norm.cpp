// SPDX-License-Identifier: Apache-2.0
// LayerNorm: y = (x - mean) * rstd * gamma + bias over the dimensions from
// begin_norm_axis on, and mean and rstd of every row. Its definition; shapes
// are in layer_norm_infershape.cpp, tiling in layer_norm_tiling.cpp.

#include "register/op_def_registry.h"

namespace ops {

class LayerNorm : public OpDef {
 public:
  explicit LayerNorm(const char* name) : OpDef(name) {
    const std::vector<ge::DataType> types = {ge::DT_FLOAT16, ge::DT_FLOAT,
                                             ge::DT_BF16};
    const std::vector<ge::DataType> floats(types.size(), ge::DT_FLOAT);
    const std::vector<ge::Format> formats(types.size(), ge::FORMAT_ND);
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType(types)
        .Format(formats)
        .UnknownShapeFormat(formats)
        .AutoContiguous();
    this->Input("gamma")
        .ParamType(OPTIONAL)
        .DataType(types)
        .Format(formats)
        .UnknownShapeFormat(formats)
        .AutoContiguous();
    this->Input("bias")
        .ParamType(OPTIONAL)
        .DataType(types)
        .Format(formats)
        .UnknownShapeFormat(formats)
        .AutoContiguous();
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType(types)
        .Format(formats)
        .UnknownShapeFormat(formats);
    this->Output("mean")
        .ParamType(REQUIRED)
        .DataType(floats)
        .Format(formats)
        .UnknownShapeFormat(formats);
    this->Output("rstd")
        .ParamType(REQUIRED)
        .DataType(floats)
        .Format(formats)
        .UnknownShapeFormat(formats);
    this->Attr("epsilon").AttrType(OPTIONAL).Float(1e-5f);
    this->Attr("begin_norm_axis").AttrType(OPTIONAL).Int(-1);
    this->Attr("unbiased").AttrType(OPTIONAL).Bool(false);

    OpAICoreConfig config;
    config.DynamicCompileStaticFlag(true)
        .DynamicFormatFlag(true)
        .DynamicRankSupportFlag(true)
        .DynamicShapeSupportFlag(true)
        .NeedCheckSupportFlag(false)
        .PrecisionReduceFlag(true)
        .ExtendCfgInfo("opFile.value", "layer_norm");
    this->AICore().AddConfig("ascend910b", config);
    this->AICore().AddConfig("ascend910_93", config);
  }
};

OP_ADD(LayerNorm);

}  // namespace ops
