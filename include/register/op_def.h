// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REGISTER_OP_DEF_H_
#define BELAY_REGISTER_OP_DEF_H_

// ops::OpDef: an operator's definition, written as chains of calls in the
// constructor of a class derived from it.

#include <stdint.h>

#include <string>
#include <vector>

#include "belay/op_host_define.h"
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
  explicit OpDef(const char* type)
      : type_(type), data_(belay_operator_create()), core_(data_) {}
  virtual ~OpDef() { belay_operator_destroy(data_); }
  OpDef(const OpDef&) = delete;
  OpDef& operator=(const OpDef&) = delete;

  OpParamDef& Input(const char* name) {
    return Parameter(belay::abi::HostSide::kInput, name);
  }
  OpParamDef& Output(const char* name) {
    return Parameter(belay::abi::HostSide::kOutput, name);
  }
  OpAttrDef& Attr(const char* name) {
    return OpAttrDef::At(belay_operator_attribute(data_, name));
  }

  OpDef& SetInferShape(gert::OpImplRegisterV2::InferShapeKernelFunc function) {
    belay_operator_set_infer_shape(data_, function);
    return *this;
  }
  OpDef& SetInferDataType(
      gert::OpImplRegisterV2::InferDataTypeKernelFunc function) {
    belay_operator_set_infer_dtype(data_, function);
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

  std::string GetOpType() const { return type_; }

  // Lives as long as this object.
  const belay::abi::HostOperator* Describe() const { return data_; }

 private:
  OpParamDef& Parameter(belay::abi::HostSide side, const char* name) {
    return OpParamDef::At(belay_operator_parameter(data_, side, name));
  }

  const char* type_;
  belay::abi::HostOperator* data_;
  OpAICoreDef core_;
  OpMC2Def communication_;
  OpOtherCPUDef other_;
};

}  // namespace ops

#endif  // BELAY_REGISTER_OP_DEF_H_
