// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REGISTER_OP_AICORE_DEF_H_
#define BELAY_REGISTER_OP_AICORE_DEF_H_

// ops::OpAICoreDef and ops::OpAICoreConfig: how an operator runs on AI cores,
// and where one chip differs.

#include "belay/op_host_define.h"
#include "graph/operator.h"
#include "register/op_attr_def.h"
#include "register/op_impl_registry.h"
#include "register/op_param_def.h"

namespace optiling {
using OP_CHECK_FUNC = ge::graphStatus (*)(const ge::Operator& op,
                                          ge::AscendString& result);
using PARAM_GENERALIZE_FUNC = ge::graphStatus (*)(
    const ge::Operator& op, const ge::AscendString& generalize_config,
    ge::AscendString& generalized_op_params);
}  // namespace optiling

namespace ops {

class OpAICoreConfig {
 public:
  OpAICoreConfig() : data_(belay_config_create(nullptr)) {}
  explicit OpAICoreConfig(const char* soc) : OpAICoreConfig() { SetSoc(soc); }
  OpAICoreConfig(const OpAICoreConfig& other)
      : data_(belay_config_create(other.data_)) {}
  OpAICoreConfig& operator=(const OpAICoreConfig& other) {
    belay_config_assign(data_, other.data_);
    return *this;
  }
  ~OpAICoreConfig() { belay_config_destroy(data_); }

  // A parameter named here replaces the operator's own of that name.
  OpParamDef& Input(const char* name) {
    return Parameter(belay::abi::HostSide::kInput, name);
  }
  OpParamDef& Output(const char* name) {
    return Parameter(belay::abi::HostSide::kOutput, name);
  }
  OpAttrDef& Attr(const char* name) {
    return OpAttrDef::At(belay_config_attribute(data_, name));
  }

  // What graphs and the kernel compiler ask; a direct launch does not.
  OpAICoreConfig& DynamicCompileStaticFlag(bool) { return *this; }
  OpAICoreConfig& DynamicFormatFlag(bool) { return *this; }
  OpAICoreConfig& DynamicRankSupportFlag(bool) { return *this; }
  OpAICoreConfig& DynamicShapeSupportFlag(bool) { return *this; }
  OpAICoreConfig& NeedCheckSupportFlag(bool) { return *this; }
  OpAICoreConfig& PrecisionReduceFlag(bool) { return *this; }
  OpAICoreConfig& ExtendCfgInfo(const char*, const char*) { return *this; }

  void SetSoc(const char* soc) { belay_config_set_soc(data_, soc); }
  const belay::abi::HostConfig* Describe() const { return data_; }

 private:
  OpParamDef& Parameter(belay::abi::HostSide side, const char* name) {
    return OpParamDef::At(belay_config_parameter(data_, side, name));
  }

  belay::abi::HostConfig* data_;
};

class OpAICoreDef {
 public:
  // Of the definition it is a part of.
  explicit OpAICoreDef(belay::abi::HostOperator* definition)
      : definition_(definition) {}

  OpAICoreDef& SetTiling(gert::OpImplRegisterV2::TilingKernelFunc function) {
    belay_operator_set_tiling(definition_, function);
    return *this;
  }
  OpAICoreDef& SetTilingParse(
      gert::OpImplRegisterV2::TilingParseFunc function) {
    belay_operator_set_tiling_parse(definition_, function);
    return *this;
  }

  // These are asked when a graph is compiled, not when a kernel is launched.
  OpAICoreDef& SetCheckSupport(optiling::OP_CHECK_FUNC) { return *this; }
  OpAICoreDef& SetOpSelectFormat(optiling::OP_CHECK_FUNC) { return *this; }
  OpAICoreDef& SetOpSupportInfo(optiling::OP_CHECK_FUNC) { return *this; }
  OpAICoreDef& SetOpSpecInfo(optiling::OP_CHECK_FUNC) { return *this; }
  OpAICoreDef& SetParamGeneralize(optiling::PARAM_GENERALIZE_FUNC) {
    return *this;
  }
  // Empty outputs are launched here in any case.
  OpAICoreDef& LaunchWithZeroEleOutputTensors(bool) { return *this; }

  // The last one for a chip counts.
  OpAICoreDef& AddConfig(const char* soc) {
    belay_operator_add_config(definition_, soc, nullptr);
    return *this;
  }
  OpAICoreDef& AddConfig(const char* soc, OpAICoreConfig& config) {
    belay_operator_add_config(definition_, soc, config.Describe());
    return *this;
  }

 private:
  belay::abi::HostOperator* definition_;
};

}  // namespace ops

#endif  // BELAY_REGISTER_OP_AICORE_DEF_H_
