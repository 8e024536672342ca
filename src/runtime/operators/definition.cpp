// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/definition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>

#include "base/kernel_name.h"
#include "graph/utils/type_utils.h"
#include "runtime/operators/columns.h"
#include "runtime/operators/described.h"
#include "runtime/operators/host_types.h"
#include "runtime/operators/platform.h"

namespace belay::runtime {
namespace {

// `own`, with those of the same name replaced and new ones behind.
template <typename T>
std::vector<T> Override(const std::deque<T>& own,
                        const std::deque<T>* replaced) {
  std::vector<T> result(own.begin(), own.end());
  if (replaced == nullptr) return result;
  for (const T& entry : *replaced) {
    const auto known =
        std::find_if(result.begin(), result.end(),
                     [&](const T& other) { return other.name == entry.name; });
    if (known != result.end()) {
      *known = entry;
    } else {
      result.push_back(entry);
    }
  }
  return result;
}

Parameter ToParameter(const abi::HostParameter& from,
                      const ColumnsOfParameter& columns) {
  Parameter parameter;
  parameter.name = from.name;
  parameter.presence = static_cast<Parameter::Presence>(from.presence);
  parameter.kind = static_cast<Parameter::Kind>(from.kind);
  parameter.value_depend = from.value_depend;
  parameter.shape_from_kernel = from.shape_from_kernel;
  for (const ge::DataType type : columns.dtypes) {
    parameter.dtypes.push_back(FromHost(type));
  }
  for (const ge::Format format : columns.formats) {
    parameter.formats.push_back(ge::TypeUtils::FormatToSerialString(format));
  }
  return parameter;
}

AttributeValue DefaultOf(const abi::HostAttribute& from) {
  using Type = abi::HostAttributeType;
  if (!from.has_default) return {};
  switch (from.type) {
    case Type::kBool:
      return static_cast<bool>(from.bools.front());
    case Type::kInt:
      return from.ints.front();
    case Type::kFloat:
      return from.floats.front();
    case Type::kString:
      return from.text;
    case Type::kListBool:
      return from.bools;
    case Type::kListInt:
      return from.ints;
    case Type::kListFloat:
      return from.floats;
    case Type::kListListInt:
      return from.int_lists;
  }
  return {};
}

Attribute ToAttribute(const abi::HostAttribute& from, Definition& definition) {
  Attribute attribute;
  attribute.name = from.name;
  attribute.required = from.required;
  attribute.type = static_cast<Attribute::Type>(from.type);
  attribute.default_value = DefaultOf(from);
  if (!from.typed) {
    definition.problems.push_back(fmt::format(
        "attribute '{}' has no type: call Int(), Float(), Bool(), String() or "
        "a List… of them",
        from.name));
  }
  return attribute;
}

ParameterDetails DetailsOf(const abi::HostParameter& from,
                           const ColumnsOfParameter& columns) {
  ParameterDetails details;
  details.formats = columns.formats;
  if (from.follow_what == abi::HostFollow::kAll ||
      from.follow_what == abi::HostFollow::kShape) {
    details.shape_of = from.follow;
  }
  details.initial_values = from.initial_values;
  return details;
}

// The configuration for this chip: the definition's own before one from
// REGISTER_OP_AICORE_CONFIG. Null if there is none.
const abi::HostConfig* ConfigFor(const RegisteredOperator& registered,
                                 const abi::HostOperator& described,
                                 const abi::HostPlatform& platform,
                                 std::vector<std::string>& socs) {
  const std::string wanted = ConfigNameOf(platform);
  const abi::HostConfig* found = nullptr;
  const auto see = [&](const abi::HostConfig& config) {
    socs.push_back(config.soc);
    if (found == nullptr && wanted == config.soc) found = &config;
  };
  for (const abi::HostConfig& config : described.configs) see(config);
  for (const auto describe : registered.configs) see(*describe());
  return found;
}

// An output's initial values are none, one for all, or one per column.
void CheckInitialValues(const Parameter& output,
                        const ParameterDetails& details,
                        std::vector<std::string>& problems) {
  const size_t values = details.initial_values.size();
  if (values <= 1 || values == output.dtypes.size()) return;
  problems.push_back(
      fmt::format("InitValue of output '{}' has {} entries, but there are {} "
                  "columns",
                  output.name, values, output.dtypes.size()));
}

}  // namespace

Definition Define(const RegisteredOperator& registered,
                  const abi::HostPlatform& platform) {
  const abi::HostOperator& described = *registered.describe();
  Definition definition;
  OperatorSignature& signature = definition.signature;
  signature.type = registered.type;
  signature.kernel = KernelNameOf(registered.type);

  const abi::HostConfig* config =
      ConfigFor(registered, described, platform, signature.socs);
  if (config == nullptr) {
    definition.problems.push_back(fmt::format(
        "it has no kernel for {}: AddConfig names {}", ConfigNameOf(platform),
        signature.socs.empty()
            ? "no chip"
            : fmt::format("{}", fmt::join(signature.socs, ", "))));
  }

  const std::vector<abi::HostParameter> inputs =
      Override(described.inputs, config ? &config->inputs : nullptr);
  const std::vector<abi::HostParameter> outputs =
      Override(described.outputs, config ? &config->outputs : nullptr);
  const std::vector<ColumnsOfParameter> columns =
      ResolveColumns(inputs, outputs, definition.problems);

  size_t column = 0;
  for (const abi::HostParameter& input : inputs) {
    signature.inputs.push_back(ToParameter(input, columns[column]));
    definition.inputs.push_back(DetailsOf(input, columns[column]));
    ++column;
  }
  for (const abi::HostParameter& output : outputs) {
    signature.outputs.push_back(ToParameter(output, columns[column]));
    definition.outputs.push_back(DetailsOf(output, columns[column]));
    CheckInitialValues(signature.outputs.back(), definition.outputs.back(),
                       definition.problems);
    ++column;
  }
  for (const uint64_t index : registered.value_depend) {
    if (index < signature.inputs.size()) {
      signature.inputs[index].value_depend = true;
    } else {
      definition.problems.push_back(fmt::format(
          "InputsDataDependency names input {}, but there are {} inputs", index,
          signature.inputs.size()));
    }
  }
  for (const abi::HostAttribute& attribute :
       Override(described.attributes, config ? &config->attributes : nullptr)) {
    signature.attributes.push_back(ToAttribute(attribute, definition));
  }

  const auto choose = [](auto first, auto second) {
    return first != nullptr ? first : second;
  };
  definition.tiling = choose(registered.tiling, described.tiling);
  definition.tiling_parse =
      choose(registered.tiling_parse, described.tiling_parse);
  definition.infer_shape =
      choose(registered.infer_shape, described.infer_shape);
  definition.infer_dtype =
      choose(registered.infer_dtype, described.infer_dtype);
  signature.has_tiling = definition.tiling != nullptr;
  signature.has_infer_shape = definition.infer_shape != nullptr;
  signature.has_infer_dtype = definition.infer_dtype != nullptr;
  return definition;
}

}  // namespace belay::runtime
