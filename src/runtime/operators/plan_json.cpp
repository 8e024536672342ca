// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "runtime/operators/json.h"
#include "runtime/operators/plan.h"

namespace belay::runtime {
namespace {

using nlohmann::json;

json ToJson(const CallArgument& argument) {
  json tensors = json::array();
  for (const CallTensor& tensor : argument) {
    tensors.push_back({{"dtype", DTypeToText(tensor.dtype)},
                       {"shape", tensor.shape},
                       {"values", HexOf(tensor.values)}});
  }
  return tensors;
}

CallArgument ArgumentFromJson(const json& from) {
  CallArgument argument;
  for (const json& tensor : from) {
    argument.push_back({DTypeFromText(tensor.at("dtype").get<std::string>()),
                        tensor.at("shape").get<Shape>(),
                        BytesFromHex(tensor.at("values").get<std::string>())});
  }
  return argument;
}

json ToJson(const std::vector<CallArgument>& arguments) {
  json result = json::array();
  for (const CallArgument& argument : arguments) {
    result.push_back(ToJson(argument));
  }
  return result;
}

std::vector<CallArgument> ArgumentsFromJson(const json& from) {
  std::vector<CallArgument> arguments;
  for (const json& argument : from) {
    arguments.push_back(ArgumentFromJson(argument));
  }
  return arguments;
}

}  // namespace

void to_json(json& json, const OperatorCall& call) {
  nlohmann::json outputs = nlohmann::json::array();
  for (const std::optional<CallArgument>& output : call.outputs) {
    outputs.push_back(output ? ToJson(*output) : nlohmann::json());
  }
  nlohmann::json attributes = nlohmann::json::array();
  for (const AttributeValue& value : call.attributes) {
    attributes.push_back(ValueToJson(value));
  }
  json = {{"type", call.type},
          {"chip", call.chip},
          {"inputs", ToJson(call.inputs)},
          {"outputs", outputs},
          {"attributes", attributes},
          {"deterministic", call.deterministic}};
}

void from_json(const json& from, OperatorCall& call) {
  call = {};
  from.at("type").get_to(call.type);
  from.at("chip").get_to(call.chip);
  call.inputs = ArgumentsFromJson(from.at("inputs"));
  for (const json& output : from.at("outputs")) {
    if (output.is_null()) {
      call.outputs.emplace_back();
    } else {
      call.outputs.emplace_back(ArgumentFromJson(output));
    }
  }
  for (const json& value : from.at("attributes")) {
    call.attributes.push_back(ValueFromJson(value));
  }
  from.at("deterministic").get_to(call.deterministic);
}

void to_json(json& json, const LaunchPlan& plan) {
  nlohmann::json fill = nlohmann::json::array();
  for (const std::vector<std::byte>& pattern : plan.fill) {
    fill.push_back(HexOf(pattern));
  }
  json = {{"column", plan.column},
          {"outputs", ToJson(plan.outputs)},
          {"fill", fill},
          {"blocks", plan.blocks},
          {"tiling_key", plan.tiling_key},
          {"schedule_mode", plan.schedule_mode},
          {"workspace_bytes", plan.workspace_bytes},
          {"tiling", HexOf(plan.tiling)},
          {"tiling_structs", plan.tiling_structs}};
}

void from_json(const json& from, LaunchPlan& plan) {
  plan = {};
  from.at("column").get_to(plan.column);
  plan.outputs = ArgumentsFromJson(from.at("outputs"));
  for (const json& pattern : from.at("fill")) {
    plan.fill.push_back(BytesFromHex(pattern.get<std::string>()));
  }
  from.at("blocks").get_to(plan.blocks);
  from.at("tiling_key").get_to(plan.tiling_key);
  from.at("schedule_mode").get_to(plan.schedule_mode);
  from.at("workspace_bytes").get_to(plan.workspace_bytes);
  plan.tiling = BytesFromHex(from.at("tiling").get<std::string>());
  from.at("tiling_structs").get_to(plan.tiling_structs);
}

}  // namespace belay::runtime
