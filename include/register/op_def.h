// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REGISTER_OP_DEF_H_
#define BELAY_REGISTER_OP_DEF_H_

// ops::OpDef: an operator's definition, written as chains of calls in the
// constructor of a class derived from it.

#include <deque>
#include <string>

#include "belay/op_host.h"
#include "register/op_aicore_def.h"
#include "register/op_attr_def.h"
#include "register/op_impl_registry.h"
#include "register/op_param_def.h"

namespace ops {

enum class CommentSection {
  BRIEF,
  CONSTRAINTS,
  RESTRICTIONS,
  SEE,
  THIRDPARTYFWKCOMPAT,
  CATEGORY,
  SECTION_MAX,
};

enum class FormatCheckOption { DEFAULT, STRICT, MAX };

enum HcclServerType : uint32_t { AICPU = 0, AICORE, CCU, MAX };

// Communication between devices is not simulated; the definition may say it.
class OpMC2Def {
 public:
  OpMC2Def& HcclGroup(const char*) { return *this; }
  OpMC2Def& HcclGroup(std::vector<const char*>) { return *this; }
  void HcclServerType(enum HcclServerType, const char* = nullptr) {}
};

// Nor are the implementations of an operator on other processors.
class OpOtherCPUDef {
 public:
  OpOtherCPUDef& Engine(const char*) { return *this; }
  OpOtherCPUDef& FlagPartial(bool) { return *this; }
  OpOtherCPUDef& ComputeCost(const char*) { return *this; }
  OpOtherCPUDef& FlagAsync(bool) { return *this; }
  OpOtherCPUDef& OpkernelLib(const char*) { return *this; }
  OpOtherCPUDef& OpKernelLib(const char*) { return *this; }
  OpOtherCPUDef& KernelSo(const char*) { return *this; }
  OpOtherCPUDef& FunctionName(const char*) { return *this; }
  OpOtherCPUDef& UserDefined(bool) { return *this; }
  OpOtherCPUDef& ExtendCfgInfo(const char*, const char*) { return *this; }
};
using OpAICPUDef = OpOtherCPUDef;
using OpHostCPUDef = OpOtherCPUDef;

class OpDef {
 public:
  explicit OpDef(const char* type) : type_(type) {}
  virtual ~OpDef() = default;

  OpParamDef& Input(const char* name) { return FindOrAdd(inputs_, name); }
  OpParamDef& Output(const char* name) { return FindOrAdd(outputs_, name); }
  OpAttrDef& Attr(const char* name) { return FindOrAdd(attributes_, name); }

  OpDef& SetInferShape(gert::OpImplRegisterV2::InferShapeKernelFunc function) {
    infer_shape_ = function;
    return *this;
  }
  OpDef& SetInferDataType(
      gert::OpImplRegisterV2::InferDataTypeKernelFunc function) {
    infer_dtype_ = function;
    return *this;
  }
  // Ranges of shapes exist in graphs only.
  OpDef& SetInferShapeRange(gert::OpImplRegisterV2::InferShapeRangeKernelFunc) {
    return *this;
  }

  OpAICoreDef& AICore() { return core_; }
  OpMC2Def& MC2() { return communication_; }
  OpAICPUDef& AICPU() { return other_; }
  OpHostCPUDef& HostCPU() { return other_; }

  // These speak to generators of documents and of graph code.
  OpDef& Comment(CommentSection, const char*) { return *this; }
  OpDef& EnableFallBack() { return *this; }
  OpDef& FormatMatchMode(FormatCheckOption) { return *this; }

  const std::string& GetOpType() const { return type_; }

  // The definition as plain data, which points into this object.
  const belay::abi::HostOperator* Describe() {
    ::belay::host::DescribeAll(inputs_, input_data_, data_.inputs);
    ::belay::host::DescribeAll(outputs_, output_data_, data_.outputs);
    ::belay::host::DescribeAll(attributes_, attribute_data_, data_.attributes);
    ::belay::host::DescribeAll(core_.configs_, config_data_, data_.configs);
    data_.tiling = core_.tiling_;
    data_.tiling_parse = core_.tiling_parse_;
    data_.infer_shape = infer_shape_;
    data_.infer_dtype = infer_dtype_;
    return &data_;
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

  std::string type_;
  std::deque<OpParamDef> inputs_;
  std::deque<OpParamDef> outputs_;
  std::deque<OpAttrDef> attributes_;
  OpAICoreDef core_;
  OpMC2Def communication_;
  OpOtherCPUDef other_;
  gert::OpImplRegisterV2::InferShapeKernelFunc infer_shape_ = nullptr;
  gert::OpImplRegisterV2::InferDataTypeKernelFunc infer_dtype_ = nullptr;

  belay::abi::HostOperator data_;
  std::vector<belay::abi::HostParameter> input_data_;
  std::vector<belay::abi::HostParameter> output_data_;
  std::vector<belay::abi::HostAttribute> attribute_data_;
  std::vector<belay::abi::HostConfig> config_data_;
};

}  // namespace ops

#endif  // BELAY_REGISTER_OP_DEF_H_
