// SPDX-License-Identifier: Apache-2.0
#include "bench/torch/signature.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/task_error.h"

namespace belay::bench {
namespace {

struct Parameter {
  std::string name;
  std::string type;  // as TorchScript prints it
};

std::string TensorType(bool list, bool optional) {
  const std::string type = list ? "List[Tensor]" : "Tensor";
  return optional ? fmt::format("Optional[{}]", type) : type;
}

std::string TypeOf(AttributeType type) {
  switch (type) {
    case AttributeType::kInt:
      return "int";
    case AttributeType::kFloat:
      return "float";
    case AttributeType::kBool:
      return "bool";
    case AttributeType::kString:
      return "str";
    case AttributeType::kIntList:
      return "List[int]";
    case AttributeType::kFloatList:
      return "List[float]";
  }
  return "";
}

std::vector<Parameter> WantedParameters(const Task& task, bool outputs) {
  std::vector<Parameter> wanted;
  for (const InputSpec& input : task.inputs) {
    wanted.push_back({input.name, TensorType(input.list, input.optional)});
  }
  for (const AttributeSpec& attribute : task.attributes) {
    wanted.push_back({attribute.name, TypeOf(attribute.type)});
  }
  if (!outputs) return wanted;
  for (const OutputSpec& output : task.outputs) {
    const bool taken = FindInput(task, output.name) != nullptr ||
                       FindAttribute(task, output.name) != nullptr;
    wanted.push_back({taken ? output.name + "_out" : output.name,
                      TensorType(output.list, false)});
  }
  return wanted;
}

}  // namespace

void RequireSignatures(const Task& task, torch::jit::CompilationUnit& unit) {
  for (const char* function :
       {"reference", "eager", "prepare", "scale", "check"}) {
    const std::string name = function;
    torch::jit::Function* found = unit.find_function(name);
    if (found == nullptr) {
      if (name != "reference" && name != "eager") continue;
      throw TaskError(
          code::kK113, task.reference_file, 0,
          fmt::format("[reference.py] the function {}() is missing", name));
    }
    std::vector<std::string> wanted;
    for (const Parameter& parameter : WantedParameters(task, name == "check")) {
      wanted.push_back(fmt::format("{}: {}", parameter.name, parameter.type));
    }
    std::vector<std::string> actual;
    for (const c10::Argument& argument : found->getSchema().arguments()) {
      actual.push_back(fmt::format("{}: {}", argument.name(),
                                   argument.type()->annotation_str()));
    }
    if (wanted != actual) {
      throw TaskError(
          code::kK113, task.reference_file, 0,
          fmt::format("[reference.py] the parameters of {}() must be ({}), got "
                      "({})",
                      name, fmt::join(wanted, ", "), fmt::join(actual, ", ")),
          "inputs in the order of task.toml, then attributes, then for check() "
          "the outputs");
    }
    if (name == "check" &&
        found->getSchema().returns().at(0).type()->annotation_str() != "str") {
      throw TaskError(code::kK113, task.reference_file, 0,
                      "[reference.py] check() must return a string, empty if "
                      "the outputs are right");
    }
  }
}

}  // namespace belay::bench
