// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REGISTER_OP_ATTR_DEF_H_
#define BELAY_REGISTER_OP_ATTR_DEF_H_

// ops::OpAttrDef: one attribute of an operator's definition.

#include <stdint.h>
#include <string.h>

#include <initializer_list>
#include <memory>
#include <vector>

#include "belay/op_host_define.h"
#include "graph/ascend_string.h"
#include "register/op_param_def.h"

namespace ops {

// Its address is the library's attribute, which it has no data beside.
class OpAttrDef {
 public:
  OpAttrDef() = delete;
  OpAttrDef(const OpAttrDef&) = delete;
  OpAttrDef& operator=(const OpAttrDef&) = delete;

  static OpAttrDef& At(belay::abi::HostAttribute* attribute) {
    return *reinterpret_cast<OpAttrDef*>(attribute);
  }

  OpAttrDef& AttrType(Option presence) {
    belay_attribute_set_required(Data(), presence != OPTIONAL);
    return *this;
  }

  OpAttrDef& Bool() { return Type(Kind::kBool); }
  OpAttrDef& Bool(bool value) { return Default(Kind::kBool, &value, 1); }
  OpAttrDef& Int() { return Type(Kind::kInt); }
  OpAttrDef& Int(int64_t value) { return Default(Kind::kInt, &value, 1); }
  OpAttrDef& Float() { return Type(Kind::kFloat); }
  OpAttrDef& Float(float value) { return Default(Kind::kFloat, &value, 1); }
  OpAttrDef& String() { return Type(Kind::kString); }
  OpAttrDef& String(const char* value) {
    return Default(Kind::kString, value, strlen(value));
  }

  // Braces find the first form, which needs no std::vector.
  OpAttrDef& ListBool() { return Type(Kind::kListBool); }
  OpAttrDef& ListBool(std::initializer_list<bool> value) {
    return Default(Kind::kListBool, value.begin(), value.size());
  }
  OpAttrDef& ListBool(const std::vector<bool>& value) {
    const std::unique_ptr<bool[]> bools(new bool[value.size()]);
    for (size_t i = 0; i < value.size(); ++i) bools[i] = value[i];
    return Default(Kind::kListBool, bools.get(), value.size());
  }
  OpAttrDef& ListInt() { return Type(Kind::kListInt); }
  OpAttrDef& ListInt(std::initializer_list<int64_t> value) {
    return Default(Kind::kListInt, value.begin(), value.size());
  }
  OpAttrDef& ListInt(const std::vector<int64_t>& value) {
    return Default(Kind::kListInt, value.data(), value.size());
  }
  OpAttrDef& ListFloat() { return Type(Kind::kListFloat); }
  OpAttrDef& ListFloat(std::initializer_list<float> value) {
    return Default(Kind::kListFloat, value.begin(), value.size());
  }
  OpAttrDef& ListFloat(const std::vector<float>& value) {
    return Default(Kind::kListFloat, value.data(), value.size());
  }
  OpAttrDef& ListListInt() { return Type(Kind::kListListInt); }
  OpAttrDef& ListListInt(const std::vector<std::vector<int64_t>>& value) {
    Default(Kind::kListListInt, nullptr, 0);
    for (const std::vector<int64_t>& list : value) {
      belay_attribute_add_list(Data(), list.data(), list.size());
    }
    return *this;
  }

  OpAttrDef& Version(uint32_t) { return *this; }
  OpAttrDef& Comment(const char*) { return *this; }

  ge::AscendString GetName() const { return belay_attribute_name(Data()); }
  bool IsRequired() const { return belay_attribute_is_required(Data()); }

 private:
  using Kind = belay::abi::HostAttributeType;

  belay::abi::HostAttribute* Data() {
    return reinterpret_cast<belay::abi::HostAttribute*>(this);
  }
  const belay::abi::HostAttribute* Data() const {
    return reinterpret_cast<const belay::abi::HostAttribute*>(this);
  }
  OpAttrDef& Type(Kind type) {
    belay_attribute_set_type(Data(), type);
    return *this;
  }
  OpAttrDef& Default(Kind type, const void* values, uint64_t count) {
    belay_attribute_set_default(Data(), type, values, count);
    return *this;
  }
};

}  // namespace ops

#endif  // BELAY_REGISTER_OP_ATTR_DEF_H_
