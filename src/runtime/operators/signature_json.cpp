// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "runtime/operators/json.h"
#include "runtime/operators/signature.h"

namespace belay::runtime {
namespace {

using nlohmann::json;

constexpr const char* kPresences[] = {"required", "optional", "dynamic"};
constexpr const char* kKinds[] = {"tensor", "scalar", "scalar_list"};

template <typename Enum, size_t count>
Enum FromName(const std::string& name, const char* const (&names)[count]) {
  for (size_t i = 0; i < count; ++i) {
    if (name == names[i]) return static_cast<Enum>(i);
  }
  throw UserError(fmt::format("[signature] unknown word '{}'", name));
}

json ToJson(const Parameter& parameter) {
  json dtypes = json::array();
  for (const DType dtype : parameter.dtypes) {
    dtypes.push_back(DTypeToText(dtype));
  }
  return {{"name", parameter.name},
          {"presence", kPresences[static_cast<int>(parameter.presence)]},
          {"kind", kKinds[static_cast<int>(parameter.kind)]},
          {"dtypes", dtypes},
          {"formats", parameter.formats},
          {"value_depend", parameter.value_depend},
          {"shape_from_kernel", parameter.shape_from_kernel}};
}

Parameter ParameterFromJson(const json& from) {
  Parameter parameter;
  from.at("name").get_to(parameter.name);
  parameter.presence = FromName<Parameter::Presence>(
      from.at("presence").get<std::string>(), kPresences);
  parameter.kind =
      FromName<Parameter::Kind>(from.at("kind").get<std::string>(), kKinds);
  for (const json& dtype : from.at("dtypes")) {
    parameter.dtypes.push_back(DTypeFromText(dtype.get<std::string>()));
  }
  from.at("formats").get_to(parameter.formats);
  from.at("value_depend").get_to(parameter.value_depend);
  from.at("shape_from_kernel").get_to(parameter.shape_from_kernel);
  return parameter;
}

json ToJson(const Attribute& attribute) {
  return {{"name", attribute.name},
          {"required", attribute.required},
          {"type", NameOf(attribute.type)},
          {"default", ValueToJson(attribute.default_value)}};
}

Attribute AttributeFromJson(const json& from) {
  Attribute attribute;
  from.at("name").get_to(attribute.name);
  from.at("required").get_to(attribute.required);
  const auto type = from.at("type").get<std::string>();
  for (int i = 0;; ++i) {
    attribute.type = static_cast<Attribute::Type>(i);
    if (NameOf(attribute.type) == type) break;
    if (attribute.type == Attribute::Type::kListListInt) {
      throw UserError(fmt::format("[signature] unknown type '{}'", type));
    }
  }
  attribute.default_value = ValueFromJson(from.at("default"));
  return attribute;
}

template <typename T>
json ListToJson(const std::vector<T>& list) {
  json result = json::array();
  for (const T& entry : list) result.push_back(ToJson(entry));
  return result;
}

}  // namespace

void to_json(json& json, const OperatorSignature& signature) {
  json = {{"type", signature.type},
          {"kernel", signature.kernel},
          {"inputs", ListToJson(signature.inputs)},
          {"outputs", ListToJson(signature.outputs)},
          {"attributes", ListToJson(signature.attributes)},
          {"socs", signature.socs},
          {"has_tiling", signature.has_tiling},
          {"has_infer_shape", signature.has_infer_shape},
          {"has_infer_dtype", signature.has_infer_dtype}};
}

void from_json(const json& from, OperatorSignature& signature) {
  signature = {};
  from.at("type").get_to(signature.type);
  from.at("kernel").get_to(signature.kernel);
  for (const json& input : from.at("inputs")) {
    signature.inputs.push_back(ParameterFromJson(input));
  }
  for (const json& output : from.at("outputs")) {
    signature.outputs.push_back(ParameterFromJson(output));
  }
  for (const json& attribute : from.at("attributes")) {
    signature.attributes.push_back(AttributeFromJson(attribute));
  }
  from.at("socs").get_to(signature.socs);
  from.at("has_tiling").get_to(signature.has_tiling);
  from.at("has_infer_shape").get_to(signature.has_infer_shape);
  from.at("has_infer_dtype").get_to(signature.has_infer_dtype);
}

}  // namespace belay::runtime
