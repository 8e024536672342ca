// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REGISTER_OP_AICORE_DEF_H_
#define BELAY_REGISTER_OP_AICORE_DEF_H_

// ops::OpAICoreDef and ops::OpAICoreConfig: how an operator runs on AI cores,
// and where one chip differs.

#include <deque>
#include <string>
#include <vector>

#include "belay/op_host.h"
#include "belay/op_host_describe.h"
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

class OpDef;

class OpAICoreConfig {
 public:
  OpAICoreConfig() = default;
  explicit OpAICoreConfig(const char* soc) : soc_(soc) {}

  // A parameter named here replaces the operator's own of that name.
  OpParamDef& Input(const char* name) { return FindOrAdd(inputs_, name); }
  OpParamDef& Output(const char* name) { return FindOrAdd(outputs_, name); }
  OpAttrDef& Attr(const char* name) { return FindOrAdd(attributes_, name); }

  // What graphs and the kernel compiler ask; a direct launch does not.
  OpAICoreConfig& DynamicCompileStaticFlag(bool) { return *this; }
  OpAICoreConfig& DynamicFormatFlag(bool) { return *this; }
  OpAICoreConfig& DynamicRankSupportFlag(bool) { return *this; }
  OpAICoreConfig& DynamicShapeSupportFlag(bool) { return *this; }
  OpAICoreConfig& NeedCheckSupportFlag(bool) { return *this; }
  OpAICoreConfig& PrecisionReduceFlag(bool) { return *this; }
  OpAICoreConfig& ExtendCfgInfo(const char*, const char*) { return *this; }

  void SetSoc(const char* soc) { soc_ = soc; }
  bool HasSoc(const char* soc) const { return soc_ == soc; }

  // Points into this object.
  const belay::abi::HostConfig& Describe() {
    data_.soc = soc_.c_str();
    ::belay::host::DescribeAll(inputs_, input_data_, data_.inputs);
    ::belay::host::DescribeAll(outputs_, output_data_, data_.outputs);
    ::belay::host::DescribeAll(attributes_, attribute_data_, data_.attributes);
    return data_;
  }

 private:
  template <typename T>
  static T& FindOrAdd(std::deque<T>& list, const char* name) {
    for (T& entry : list) {
      if (entry.HasName(name)) return entry;
    }
    list.emplace_back(name);
    return list.back();
  }

  std::string soc_;
  std::deque<OpParamDef> inputs_;
  std::deque<OpParamDef> outputs_;
  std::deque<OpAttrDef> attributes_;

  belay::abi::HostConfig data_;
  std::vector<belay::abi::HostParameter> input_data_;
  std::vector<belay::abi::HostParameter> output_data_;
  std::vector<belay::abi::HostAttribute> attribute_data_;
};

class OpAICoreDef {
 public:
  OpAICoreDef& SetTiling(gert::OpImplRegisterV2::TilingKernelFunc function) {
    tiling_ = function;
    return *this;
  }
  OpAICoreDef& SetTilingParse(
      gert::OpImplRegisterV2::TilingParseFunc function) {
    tiling_parse_ = function;
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

  OpAICoreDef& AddConfig(const char* soc) {
    OpAICoreConfig config(soc);
    return AddConfig(soc, config);
  }
  // The last one for a chip counts.
  OpAICoreDef& AddConfig(const char* soc, OpAICoreConfig& config) {
    for (OpAICoreConfig& known : configs_) {
      if (!known.HasSoc(soc)) continue;
      known = config;
      known.SetSoc(soc);
      return *this;
    }
    configs_.push_back(config);
    configs_.back().SetSoc(soc);
    return *this;
  }

 private:
  friend class OpDef;

  gert::OpImplRegisterV2::TilingKernelFunc tiling_ = nullptr;
  gert::OpImplRegisterV2::TilingParseFunc tiling_parse_ = nullptr;
  std::deque<OpAICoreConfig> configs_;
};

}  // namespace ops

#endif  // BELAY_REGISTER_OP_AICORE_DEF_H_
