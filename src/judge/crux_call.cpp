// SPDX-License-Identifier: Apache-2.0
#include "judge/crux_call.h"

#include <cmath>
#include <utility>

#include "judge/tensor_message.h"

namespace belay::judge {
namespace {

using bench::AttributeType;

// JSON has no infinities and no NaN.
nlohmann::json PackNumber(const nlohmann::json& value) {
  if (!value.is_number_float()) return value;
  const auto number = value.get<double>();
  if (std::isfinite(number)) return value;
  return {{"real", std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf"}};
}

nlohmann::json UnpackNumber(const nlohmann::json& value) {
  if (!value.is_object()) return value;
  const auto word = MemberOf<std::string>(value, "real");
  if (word == "inf") return INFINITY;
  if (word == "-inf") return -INFINITY;
  return NAN;
}

template <typename F>
nlohmann::json ForEachNumber(const nlohmann::json& value, F change) {
  if (!value.is_array()) return change(value);
  nlohmann::json changed = nlohmann::json::array();
  for (const nlohmann::json& entry : value) changed.push_back(change(entry));
  return changed;
}

DType DTypeIn(const nlohmann::json& json, const char* key) {
  return ParseDType(MemberOf<std::string>(json, key)).value_or(DType::kNone);
}

std::string WordOf(DType dtype) {
  return dtype == DType::kNone ? "" : std::string(NameOf(dtype));
}

AttributeType AttributeTypeIn(const nlohmann::json& json) {
  const auto number = MemberOf<int>(json, "type");
  if (number < 0 || number > static_cast<int>(AttributeType::kFloatList)) {
    throw MessageError("an attribute has an unknown type");
  }
  return static_cast<AttributeType>(number);
}

}  // namespace

CruxCall MakeCruxCall(const bench::Task& task, const bench::Case& one_case,
                      bench::Arguments inputs) {
  CruxCall call;
  call.inputs = std::move(inputs);
  for (const bench::InputSpec& input : task.inputs) {
    if (input.host_read) call.host_read.push_back(input.name);
  }
  for (const bench::AttributeSpec& attribute : task.attributes) {
    call.attributes.push_back(
        {attribute.name, attribute.type, one_case.attributes.at(attribute.name),
         attribute.scalar.empty()
             ? DType::kNone
             : bench::DTypeOf(attribute.scalar, one_case)});
  }
  for (const bench::OutputSpec& output : task.outputs) {
    call.outputs.push_back({output.name, output.in_place, output.list,
                            bench::IsPresent(output, one_case),
                            bench::DTypeOf(output.dtype, one_case)});
  }
  return call;
}

bench::Arguments ShapesOf(const bench::Task& task,
                          const bench::Case& one_case) {
  bench::Arguments inputs;
  for (const bench::InputSpec& input : task.inputs) {
    bench::Argument argument;
    argument.name = input.name;
    argument.list = input.list;
    argument.present = bench::IsPresent(input, one_case);
    if (argument.present) {
      const DType dtype = bench::DTypeOf(input.dtype, one_case);
      for (Shape& shape : bench::InputShapes(input, one_case)) {
        argument.tensors.push_back({dtype, std::move(shape), {}});
      }
    }
    inputs.push_back(std::move(argument));
  }
  return inputs;
}

nlohmann::json PackCall(const CruxCall& call, std::vector<std::byte>& bytes) {
  nlohmann::json attributes = nlohmann::json::array();
  for (const CruxCall::Attribute& attribute : call.attributes) {
    attributes.push_back({{"name", attribute.name},
                          {"type", static_cast<int>(attribute.type)},
                          {"value", ForEachNumber(attribute.value, PackNumber)},
                          {"scalar", WordOf(attribute.scalar)}});
  }
  nlohmann::json outputs = nlohmann::json::array();
  for (const CruxCall::Output& output : call.outputs) {
    outputs.push_back({{"name", output.name},
                       {"in_place", output.in_place},
                       {"list", output.list},
                       {"present", output.present},
                       {"dtype", WordOf(output.dtype)}});
  }
  return {{"inputs", PackTensors(call.inputs, bytes)},
          {"host_read", call.host_read},
          {"attributes", std::move(attributes)},
          {"outputs", std::move(outputs)}};
}

CruxCall UnpackCall(const nlohmann::json& json,
                    const std::vector<std::byte>& bytes) {
  CruxCall call;
  call.inputs = UnpackTensors(MemberOf<nlohmann::json>(json, "inputs"), bytes);
  call.host_read = MemberOf<std::vector<std::string>>(json, "host_read");
  for (const nlohmann::json& entry :
       MemberOf<std::vector<nlohmann::json>>(json, "attributes")) {
    call.attributes.push_back(
        {MemberOf<std::string>(entry, "name"), AttributeTypeIn(entry),
         ForEachNumber(MemberOf<nlohmann::json>(entry, "value"), UnpackNumber),
         DTypeIn(entry, "scalar")});
  }
  for (const nlohmann::json& entry :
       MemberOf<std::vector<nlohmann::json>>(json, "outputs")) {
    call.outputs.push_back({MemberOf<std::string>(entry, "name"),
                            MemberOf<std::string>(entry, "in_place"),
                            MemberOf<bool>(entry, "list"),
                            MemberOf<bool>(entry, "present"),
                            DTypeIn(entry, "dtype")});
  }
  return call;
}

}  // namespace belay::judge
