// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REGISTER_OP_PARAM_DEF_H_
#define BELAY_REGISTER_OP_PARAM_DEF_H_

// ops::OpParamDef: one input or output of an operator's definition.

#include <stdint.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "belay/op_host_define.h"
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

// Its address is the library's parameter, which it has no data beside.
class OpParamDef {
 public:
  OpParamDef() = delete;
  OpParamDef(const OpParamDef&) = delete;
  OpParamDef& operator=(const OpParamDef&) = delete;

  static OpParamDef& At(belay::abi::HostParameter* parameter) {
    return *reinterpret_cast<OpParamDef*>(parameter);
  }

  OpParamDef& ParamType(Option presence) {
    using belay::abi::HostPresence;
    belay_parameter_set_presence(
        Data(), presence == OPTIONAL  ? HostPresence::kOptional
                : presence == DYNAMIC ? HostPresence::kDynamic
                                      : HostPresence::kRequired);
    return *this;
  }

  // Columns: what stands at one place in all parameters belongs together.
  // (Braces find the first form, which needs no std::vector.)
  OpParamDef& DataType(std::initializer_list<ge::DataType> types) {
    return SetTypes(ListKind::kColumns, types.begin(), types.size());
  }
  OpParamDef& DataType(const std::vector<ge::DataType>& types) {
    return SetTypes(ListKind::kColumns, types.data(), types.size());
  }
  OpParamDef& Format(std::initializer_list<ge::Format> formats) {
    return SetFormats(ListKind::kColumns, formats.begin(), formats.size());
  }
  OpParamDef& Format(const std::vector<ge::Format>& formats) {
    return SetFormats(ListKind::kColumns, formats.data(), formats.size());
  }
  // Each of these goes with every column.
  OpParamDef& DataTypeList(std::initializer_list<ge::DataType> types) {
    return SetTypes(ListKind::kEveryColumn, types.begin(), types.size());
  }
  OpParamDef& DataTypeList(const std::vector<ge::DataType>& types) {
    return SetTypes(ListKind::kEveryColumn, types.data(), types.size());
  }
  OpParamDef& FormatList(std::initializer_list<ge::Format> formats) {
    return SetFormats(ListKind::kEveryColumn, formats.begin(), formats.size());
  }
  OpParamDef& FormatList(const std::vector<ge::Format>& formats) {
    return SetFormats(ListKind::kEveryColumn, formats.data(), formats.size());
  }
  // Every shape is known when a kernel is launched.
  OpParamDef& UnknownShapeFormat(std::initializer_list<ge::Format>) {
    return *this;
  }
  OpParamDef& UnknownShapeFormat(const std::vector<ge::Format>&) {
    return *this;
  }
  // Which compiled kernel several columns share: kernels are compiled for the
  // column at hand here.
  OpParamDef& DataTypeForBinQuery(std::initializer_list<ge::DataType>) {
    return *this;
  }
  OpParamDef& DataTypeForBinQuery(const std::vector<ge::DataType>&) {
    return *this;
  }
  OpParamDef& FormatForBinQuery(std::initializer_list<ge::Format>) {
    return *this;
  }
  OpParamDef& FormatForBinQuery(const std::vector<ge::Format>&) {
    return *this;
  }

  // Types and format (and, of an output, the shape) of an input before it.
  OpParamDef& Follow(const char* name) { return Follow(name, FollowType::ALL); }
  OpParamDef& Follow(const char* name, FollowType what) {
    belay_parameter_follow(Data(), name,
                           static_cast<belay::abi::HostFollow>(what));
    return *this;
  }

  OpParamDef& ValueDepend(Option) {
    belay_parameter_depend_on_value(Data());
    return *this;
  }
  OpParamDef& ValueDepend(Option presence, DependScope) {
    return ValueDepend(presence);
  }

  OpParamDef& Scalar() {
    belay_parameter_set_kind(Data(), belay::abi::HostKind::kScalar);
    return *this;
  }
  OpParamDef& ScalarList() {
    belay_parameter_set_kind(Data(), belay::abi::HostKind::kScalarList);
    return *this;
  }
  // The type a host scalar is converted to: the column says it as well.
  OpParamDef& To(const ge::DataType) { return *this; }
  OpParamDef& To(const char*) { return *this; }

  // With SetNeedAtomic(true) in tiling.
  OpParamDef& InitValue(uint64_t) {
    belay_parameter_clear_initial_values(Data());
    belay_parameter_add_initial_value(Data(), {});
    return *this;
  }
  OpParamDef& InitValue(const ScalarVar& value) {
    belay_parameter_clear_initial_values(Data());
    return AddInitValue(value);
  }
  OpParamDef& InitValue(const std::vector<ScalarVar>& values) {
    belay_parameter_clear_initial_values(Data());
    for (const ScalarVar& value : values) AddInitValue(value);
    return *this;
  }

  OpParamDef& OutputShapeDependOnCompute() {
    belay_parameter_take_shape_from_kernel(Data());
    return *this;
  }

  // Tensors of a call lie densely, and there is no generated interface.
  OpParamDef& IgnoreContiguous() { return *this; }
  OpParamDef& AutoContiguous() { return *this; }
  OpParamDef& Version(uint32_t) { return *this; }
  OpParamDef& Comment(const char*) { return *this; }

 private:
  using ListKind = belay::abi::HostListKind;

  belay::abi::HostParameter* Data() {
    return reinterpret_cast<belay::abi::HostParameter*>(this);
  }
  OpParamDef& SetTypes(ListKind kind, const ge::DataType* types,
                       uint64_t count) {
    belay_parameter_set_dtypes(Data(), kind, types, count);
    return *this;
  }
  OpParamDef& SetFormats(ListKind kind, const ge::Format* formats,
                         uint64_t count) {
    belay_parameter_set_formats(Data(), kind, formats, count);
    return *this;
  }
  OpParamDef& AddInitValue(const ScalarVar& value) {
    belay_parameter_add_initial_value(
        Data(),
        {static_cast<int32_t>(value.scalar_type), value.scalar_num.value_u64});
    return *this;
  }
};

}  // namespace ops

#endif  // BELAY_REGISTER_OP_PARAM_DEF_H_
