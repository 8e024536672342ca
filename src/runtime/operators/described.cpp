// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/described.h"

#include <utility>

namespace belay::abi {
namespace {

template <typename T>
T* FindOrAdd(std::deque<T>& list, const char* name) {
  for (T& entry : list) {
    if (entry.name == name) return &entry;
  }
  list.emplace_back().name = name;
  return &list.back();
}

HostParameter* FindOrAdd(HostParts& parts, HostSide side, const char* name) {
  return FindOrAdd(side == HostSide::kInput ? parts.inputs : parts.outputs,
                   name);
}

template <typename T>
void Assign(std::vector<T>& to, const void* values, uint64_t count) {
  const T* first = static_cast<const T*>(values);
  to.assign(first, first + count);
}

}  // namespace
}  // namespace belay::abi

using belay::abi::FindOrAdd;
using belay::abi::HostAttribute;
using belay::abi::HostAttributeType;
using belay::abi::HostConfig;
using belay::abi::HostListKind;
using belay::abi::HostOperator;
using belay::abi::HostParameter;
using belay::abi::HostSide;

extern "C" {

HostOperator* belay_operator_create() { return new HostOperator; }

void belay_operator_destroy(HostOperator* definition) { delete definition; }

void belay_operator_set_tiling(HostOperator* definition,
                               belay::abi::TilingFunction function) {
  definition->tiling = function;
}

void belay_operator_set_tiling_parse(HostOperator* definition,
                                     belay::abi::TilingParseFunction function) {
  definition->tiling_parse = function;
}

void belay_operator_set_infer_shape(HostOperator* definition,
                                    belay::abi::InferShapeFunction function) {
  definition->infer_shape = function;
}

void belay_operator_set_infer_dtype(
    HostOperator* definition, belay::abi::InferDataTypeFunction function) {
  definition->infer_dtype = function;
}

void belay_operator_add_config(HostOperator* definition, const char* soc,
                               const HostConfig* config) {
  HostConfig copy = config == nullptr ? HostConfig() : *config;
  copy.soc = soc;
  for (HostConfig& known : definition->configs) {
    if (known.soc != soc) continue;
    known = std::move(copy);
    return;
  }
  definition->configs.push_back(std::move(copy));
}

HostConfig* belay_config_create(const HostConfig* other) {
  return other == nullptr ? new HostConfig : new HostConfig(*other);
}

void belay_config_destroy(HostConfig* config) { delete config; }

void belay_config_assign(HostConfig* config, const HostConfig* other) {
  *config = *other;
}

void belay_config_set_soc(HostConfig* config, const char* soc) {
  config->soc = soc;
}

HostParameter* belay_operator_parameter(HostOperator* definition, HostSide side,
                                        const char* name) {
  return FindOrAdd(*definition, side, name);
}

HostAttribute* belay_operator_attribute(HostOperator* definition,
                                        const char* name) {
  return FindOrAdd(definition->attributes, name);
}

HostParameter* belay_config_parameter(HostConfig* config, HostSide side,
                                      const char* name) {
  return FindOrAdd(*config, side, name);
}

HostAttribute* belay_config_attribute(HostConfig* config, const char* name) {
  return FindOrAdd(config->attributes, name);
}

void belay_parameter_set_presence(HostParameter* parameter,
                                  belay::abi::HostPresence presence) {
  parameter->presence = presence;
}

void belay_parameter_set_kind(HostParameter* parameter,
                              belay::abi::HostKind kind) {
  parameter->kind = kind;
}

void belay_parameter_set_dtypes(HostParameter* parameter, HostListKind kind,
                                const ge::DataType* types, uint64_t count) {
  (kind == HostListKind::kColumns ? parameter->dtypes : parameter->dtype_list)
      .assign(types, types + count);
}

void belay_parameter_set_formats(HostParameter* parameter, HostListKind kind,
                                 const ge::Format* formats, uint64_t count) {
  (kind == HostListKind::kColumns ? parameter->formats : parameter->format_list)
      .assign(formats, formats + count);
}

void belay_parameter_follow(HostParameter* parameter, const char* name,
                            belay::abi::HostFollow what) {
  parameter->follow = name;
  parameter->follow_what = what;
}

void belay_parameter_depend_on_value(HostParameter* parameter) {
  parameter->value_depend = true;
}

void belay_parameter_take_shape_from_kernel(HostParameter* parameter) {
  parameter->shape_from_kernel = true;
}

void belay_parameter_clear_initial_values(HostParameter* parameter) {
  parameter->initial_values.clear();
}

void belay_parameter_add_initial_value(HostParameter* parameter,
                                       belay::abi::HostInitialValue value) {
  parameter->initial_values.push_back(value);
}

const char* belay_attribute_name(const HostAttribute* attribute) {
  return attribute->name.c_str();
}

bool belay_attribute_is_required(const HostAttribute* attribute) {
  return attribute->required;
}

void belay_attribute_set_required(HostAttribute* attribute, bool required) {
  attribute->required = required;
}

void belay_attribute_set_type(HostAttribute* attribute,
                              HostAttributeType type) {
  attribute->type = type;
  attribute->typed = true;
}

void belay_attribute_set_default(HostAttribute* attribute,
                                 HostAttributeType type, const void* values,
                                 uint64_t count) {
  belay_attribute_set_type(attribute, type);
  attribute->has_default = true;
  switch (type) {
    case HostAttributeType::kBool:
    case HostAttributeType::kListBool:
      belay::abi::Assign(attribute->bools, values, count);
      break;
    case HostAttributeType::kInt:
    case HostAttributeType::kListInt:
      belay::abi::Assign(attribute->ints, values, count);
      break;
    case HostAttributeType::kFloat:
    case HostAttributeType::kListFloat:
      belay::abi::Assign(attribute->floats, values, count);
      break;
    case HostAttributeType::kString:
      attribute->text.assign(static_cast<const char*>(values), count);
      break;
    case HostAttributeType::kListListInt:
      attribute->int_lists.clear();
      break;
  }
}

void belay_attribute_add_list(HostAttribute* attribute, const int64_t* values,
                              uint64_t count) {
  attribute->int_lists.emplace_back(values, values + count);
}
}
