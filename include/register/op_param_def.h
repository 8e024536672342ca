// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REGISTER_OP_PARAM_DEF_H_
#define BELAY_REGISTER_OP_PARAM_DEF_H_

// ops::OpParamDef: one input or output of an operator's definition.

#include <string.h>

#include <string>
#include <utility>
#include <vector>

#include "belay/op_host.h"
#include "belay/op_host_describe.h"
#include "graph/ascend_string.h"
#include "graph/types.h"

namespace ops {

enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL };

enum class FollowType { ALL = 0, DTYPE, FORMAT, SHAPE, INVALID_TYPE };

enum class DependScope { ALL = 0, TILING, INVALID_SCOPE };

enum class ScalarType : uint32_t {
  UINT64 = 0,
  INT64 = 1,
  UINT32 = 2,
  INT32 = 3,
  UINT16 = 4,
  INT16 = 5,
  UINT8 = 6,
  INT8 = 7,
  FLOAT32 = 8,
  FLOAT16 = 9,
  INVALID_DTYPE = static_cast<uint32_t>(-1),
};

union ScalarNum {
  uint64_t value_u64;
  int64_t value_i64;
  float value_f32;
  ScalarNum() : value_u64(0) {}
  explicit ScalarNum(uint64_t value) : value_u64(value) {}
  explicit ScalarNum(int64_t value) : value_i64(value) {}
  explicit ScalarNum(float value) : value_u64(0) { value_f32 = value; }
};

struct ScalarVar {
  ScalarType scalar_type = ScalarType::INVALID_DTYPE;
  ScalarNum scalar_num;

  ScalarVar() = default;
  ScalarVar(ScalarType type, uint64_t value) : ScalarVar(type) { Set(value); }
  ScalarVar(ScalarType type, int64_t value) : ScalarVar(type) { Set(value); }
  ScalarVar(ScalarType type, int value) : ScalarVar(type) { Set(value); }
  ScalarVar(ScalarType type, unsigned value) : ScalarVar(type) { Set(value); }
  ScalarVar(ScalarType type, float value) : ScalarVar(type) { Set(value); }
  ScalarVar(ScalarType type, double value) : ScalarVar(type) { Set(value); }

  bool operator==(const ScalarVar& other) const {
    return scalar_type == other.scalar_type &&
           scalar_num.value_u64 == other.scalar_num.value_u64;
  }

 private:
  explicit ScalarVar(ScalarType type) : scalar_type(type) {}
  template <typename T>
  void Set(T value) {
    if (scalar_type == ScalarType::FLOAT32 ||
        scalar_type == ScalarType::FLOAT16) {
      scalar_num = ScalarNum(static_cast<float>(value));
    } else {
      scalar_num = ScalarNum(static_cast<int64_t>(value));
    }
  }
};

class OpParamDef {
 public:
  explicit OpParamDef(const char* name) : name_(name) {}

  OpParamDef& ParamType(Option presence) {
    data_.presence = presence == OPTIONAL ? belay::abi::HostPresence::kOptional
                     : presence == DYNAMIC
                         ? belay::abi::HostPresence::kDynamic
                         : belay::abi::HostPresence::kRequired;
    return *this;
  }

  // Columns: what stands at one place in all parameters belongs together.
  OpParamDef& DataType(std::vector<ge::DataType> types) {
    dtypes_ = std::move(types);
    return *this;
  }
  OpParamDef& Format(std::vector<ge::Format> formats) {
    formats_ = std::move(formats);
    return *this;
  }
  OpParamDef& UnknownShapeFormat(std::vector<ge::Format> formats) {
    unknown_shape_formats_ = std::move(formats);
    return *this;
  }
  // Each of these goes with every column.
  OpParamDef& DataTypeList(std::vector<ge::DataType> types) {
    dtype_list_ = std::move(types);
    return *this;
  }
  OpParamDef& FormatList(std::vector<ge::Format> formats) {
    format_list_ = std::move(formats);
    return *this;
  }
  // Which compiled kernel several columns share: kernels are compiled for the
  // column at hand here.
  OpParamDef& DataTypeForBinQuery(std::vector<ge::DataType>) { return *this; }
  OpParamDef& FormatForBinQuery(std::vector<ge::Format>) { return *this; }

  // Types and format (and, of an output, the shape) of an input before it.
  OpParamDef& Follow(const char* name) { return Follow(name, FollowType::ALL); }
  OpParamDef& Follow(const char* name, FollowType what) {
    follow_ = name;
    data_.follow_what = static_cast<belay::abi::HostFollow>(what);
    return *this;
  }

  OpParamDef& ValueDepend(Option) {
    data_.value_depend = true;
    return *this;
  }
  OpParamDef& ValueDepend(Option, DependScope) {
    data_.value_depend = true;
    return *this;
  }

  OpParamDef& Scalar() {
    data_.kind = belay::abi::HostKind::kScalar;
    return *this;
  }
  OpParamDef& ScalarList() {
    data_.kind = belay::abi::HostKind::kScalarList;
    return *this;
  }
  // The type a host scalar is converted to: the column says it as well.
  OpParamDef& To(const ge::DataType) { return *this; }
  OpParamDef& To(const char*) { return *this; }

  // With SetNeedAtomic(true) in tiling.
  OpParamDef& InitValue(uint64_t) {
    initial_values_ = {belay::abi::HostInitialValue{}};
    return *this;
  }
  OpParamDef& InitValue(const ScalarVar& value) {
    return InitValue(std::vector<ScalarVar>{value});
  }
  OpParamDef& InitValue(const std::vector<ScalarVar>& values) {
    initial_values_.clear();
    for (const ScalarVar& value : values) {
      initial_values_.push_back({static_cast<int32_t>(value.scalar_type),
                                 value.scalar_num.value_u64});
    }
    return *this;
  }

  OpParamDef& OutputShapeDependOnCompute() {
    data_.shape_from_kernel = true;
    return *this;
  }

  // Tensors of a call lie densely, and there is no generated interface.
  OpParamDef& IgnoreContiguous() { return *this; }
  OpParamDef& AutoContiguous() { return *this; }
  OpParamDef& Version(uint32_t) { return *this; }
  OpParamDef& Comment(const char*) { return *this; }

  bool HasName(const char* name) const { return name_ == name; }

  // Points into this object.
  const belay::abi::HostParameter& Describe() {
    data_.name = name_.c_str();
    data_.follow = follow_.empty() ? nullptr : follow_.c_str();
    data_.dtypes = ::belay::host::SpanOf(dtypes_);
    data_.dtype_list = ::belay::host::SpanOf(dtype_list_);
    data_.formats = ::belay::host::SpanOf(formats_);
    data_.format_list = ::belay::host::SpanOf(format_list_);
    data_.unknown_shape_formats = ::belay::host::SpanOf(unknown_shape_formats_);
    data_.initial_values = ::belay::host::SpanOf(initial_values_);
    return data_;
  }

 private:
  std::string name_;
  std::string follow_;
  std::vector<ge::DataType> dtypes_;
  std::vector<ge::DataType> dtype_list_;
  std::vector<ge::Format> formats_;
  std::vector<ge::Format> format_list_;
  std::vector<ge::Format> unknown_shape_formats_;
  std::vector<belay::abi::HostInitialValue> initial_values_;
  belay::abi::HostParameter data_;
};

}  // namespace ops

#endif  // BELAY_REGISTER_OP_PARAM_DEF_H_
