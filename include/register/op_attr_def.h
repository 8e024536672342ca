// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REGISTER_OP_ATTR_DEF_H_
#define BELAY_REGISTER_OP_ATTR_DEF_H_

// ops::OpAttrDef: one attribute of an operator's definition.

#include <string>
#include <utility>
#include <vector>

#include "belay/op_host.h"
#include "belay/op_host_describe.h"
#include "graph/ascend_string.h"
#include "register/op_param_def.h"

namespace ops {

class OpAttrDef {
 public:
  explicit OpAttrDef(const char* name) : name_(name) {}

  OpAttrDef& AttrType(Option presence) {
    data_.required = presence != OPTIONAL;
    return *this;
  }

  OpAttrDef& Bool() { return Type(Kind::kBool); }
  OpAttrDef& Bool(bool value) {
    data_.bool_value = value;
    return Default(Kind::kBool);
  }
  OpAttrDef& Int() { return Type(Kind::kInt); }
  OpAttrDef& Int(int64_t value) {
    data_.int_value = value;
    return Default(Kind::kInt);
  }
  OpAttrDef& Float() { return Type(Kind::kFloat); }
  OpAttrDef& Float(float value) {
    data_.float_value = value;
    return Default(Kind::kFloat);
  }
  OpAttrDef& String() { return Type(Kind::kString); }
  OpAttrDef& String(const char* value) {
    text_ = value;
    return Default(Kind::kString);
  }
  OpAttrDef& ListBool() { return Type(Kind::kListBool); }
  OpAttrDef& ListBool(std::vector<bool> value) {
    bools_.assign(value.begin(), value.end());
    return Default(Kind::kListBool);
  }
  OpAttrDef& ListInt() { return Type(Kind::kListInt); }
  OpAttrDef& ListInt(std::vector<int64_t> value) {
    ints_ = std::move(value);
    return Default(Kind::kListInt);
  }
  OpAttrDef& ListFloat() { return Type(Kind::kListFloat); }
  OpAttrDef& ListFloat(std::vector<float> value) {
    floats_ = std::move(value);
    return Default(Kind::kListFloat);
  }
  OpAttrDef& ListListInt() { return Type(Kind::kListListInt); }
  OpAttrDef& ListListInt(std::vector<std::vector<int64_t>> value) {
    int_lists_ = std::move(value);
    return Default(Kind::kListListInt);
  }

  OpAttrDef& Version(uint32_t) { return *this; }
  OpAttrDef& Comment(const char*) { return *this; }

  ge::AscendString GetName() const { return name_.c_str(); }
  bool IsRequired() const { return data_.required; }
  bool HasName(const char* name) const { return name_ == name; }

  // Points into this object.
  const belay::abi::HostAttribute& Describe() {
    data_.name = name_.c_str();
    data_.string_value = text_.c_str();
    data_.bool_list = ::belay::host::SpanOf(bools_);
    data_.int_list = ::belay::host::SpanOf(ints_);
    data_.float_list = ::belay::host::SpanOf(floats_);
    int_list_spans_.clear();
    for (const std::vector<int64_t>& list : int_lists_) {
      int_list_spans_.push_back(::belay::host::SpanOf(list));
    }
    data_.int_lists = ::belay::host::SpanOf(int_list_spans_);
    return data_;
  }

 private:
  using Kind = belay::abi::HostAttributeType;

  OpAttrDef& Type(Kind type) {
    data_.type = type;
    data_.typed = true;
    return *this;
  }
  OpAttrDef& Default(Kind type) {
    data_.has_default = true;
    return Type(type);
  }

  std::string name_;
  std::string text_;
  std::vector<uint8_t> bools_;
  std::vector<int64_t> ints_;
  std::vector<float> floats_;
  std::vector<std::vector<int64_t>> int_lists_;
  std::vector<belay::abi::HostSpan<int64_t>> int_list_spans_;
  belay::abi::HostAttribute data_;
};

}  // namespace ops

#endif  // BELAY_REGISTER_OP_ATTR_DEF_H_
