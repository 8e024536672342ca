// SPDX-License-Identifier: Apache-2.0
#include "cli/crux_arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <optional>

#include "base/error.h"
#include "guest/operator_binding.h"

namespace belay::cli {
namespace {

using crux::TypeKind;
using crux::interpret::AttributeValue;
using crux::typed::Kernel;
using crux::typed::Parameter;
using crux::typed::ParameterRole;

[[noreturn]] void Refuse(const std::string& message) {
  throw UserError("[crux run] " + message);
}

const Parameter& ParameterOf(const Kernel& kernel, const std::string& name,
                             const char* option) {
  if (const Parameter* found = kernel.FindParameter(name)) return *found;
  std::string known;
  for (const Parameter* parameter : kernel.parameters) {
    known += (known.empty() ? "" : ", ") + parameter->name;
  }
  Refuse(
      fmt::format("{} {}=…: kernel `{}` has no parameter of that name; it "
                  "has {}",
                  option, name, kernel.name, known));
}

std::optional<int64_t> ParseWhole(const std::string& text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<double> ParseReal(const std::string& text) {
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::vector<int64_t>> ParseWholes(const std::string& text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
    return std::nullopt;
  }
  std::vector<int64_t> values;
  for (const std::string& part : guest::SplitList(text, ',')) {
    const auto value = ParseWhole(part);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

AttributeValue ParseAttribute(const Parameter& parameter,
                              const std::string& text) {
  const char* example = "a text";
  switch (parameter.type.kind) {
    case TypeKind::kHostString:
      return text;
    case TypeKind::kHostInt:
      if (const auto value = ParseWhole(text)) return *value;
      example = "a whole number, like 3";
      break;
    case TypeKind::kHostFloat:
      if (const auto value = ParseReal(text)) return *value;
      example = "a number, like 1e-5";
      break;
    case TypeKind::kHostList:
      if (const auto values = ParseWholes(text)) return *values;
      example = "a list, like [0,1]";
      break;
    default:
      if (text == "true" || text == "True" || text == "1") return true;
      if (text == "false" || text == "False" || text == "0") return false;
      example = "true or false";
  }
  Refuse(fmt::format("--attr {}={}: give {}", parameter.name, text, example));
}

template <typename Map>
void RequireOnce(const char* option, const std::string& name,
                 const Map& given) {
  if (given.count(name) == 0) return;
  Refuse(fmt::format("{0} {1}=…: `{1}` is given twice", option, name));
}

crux::interpret::TensorArgument ReadInput(const Parameter& parameter,
                                          const guest::InputRequest& input) {
  crux::interpret::TensorArgument argument;
  if (input.form == guest::InputRequest::Form::kScalar) {
    DType dtype = input.scalar_dtype;
    if (dtype == DType::kNone) {
      dtype = parameter.type.kind == TypeKind::kHostList &&
                      !parameter.type.element.known()
                  ? DType::kInt64
                  : InstancesOf(parameter.type.element).front();
    }
    argument.arrays.push_back(
        guest::MakeScalars(input.scalars, dtype, input.name));
    return argument;
  }
  argument.list = input.form == guest::InputRequest::Form::kList;
  for (const guest::TensorFile& file : input.files) {
    argument.arrays.push_back(guest::ReadTensor(file));
  }
  return argument;
}

}  // namespace

const Kernel& ChooseKernel(const crux::typed::Program& program,
                           const std::string& name) {
  if (!name.empty()) {
    if (const Kernel* found = program.FindKernel(name)) return *found;
  } else if (program.kernels.size() == 1) {
    return *program.kernels.front();
  }
  std::string known;
  for (const Kernel* kernel : program.kernels) {
    known += (known.empty() ? "" : ", ") + kernel->name;
  }
  throw UserError(
      name.empty()
          ? "[crux] the file has several kernels; name one with --kernel: " +
                known
          : fmt::format("[crux] --kernel {}: the file has {}", name, known));
}

void RequireVariable(const Kernel& kernel, const std::string& name,
                     const std::string& text) {
  std::string known;
  for (const crux::DtypeVariable* variable : kernel.dtypes) {
    if (variable->name == name) return;
    known += (known.empty() ? "" : ", ") + variable->name;
  }
  throw UserError(fmt::format(
      "[crux] --dtype {}: kernel `{}` has {}", text, kernel.name,
      known.empty() ? "no dtype variables" : "the dtype variables " + known));
}

std::vector<guest::OutputRequest> ReadOutputs(const Kernel& kernel,
                                              const CruxCall& call) {
  std::vector<guest::OutputRequest> outputs;
  for (const std::string& text : call.output_files) {
    guest::ParseOutputFile(text, outputs);
  }
  for (const std::string& text : call.expected) {
    guest::ParseExpected(text, outputs);
  }
  for (const guest::OutputRequest& output : outputs) {
    const Parameter& parameter = ParameterOf(kernel, output.name, "--out");
    if (parameter.role != ParameterRole::kOut &&
        parameter.role != ParameterRole::kInOut) {
      Refuse(fmt::format("--out {}=…: `{}` is not written by kernel `{}`",
                         output.name, output.name, kernel.name));
    }
  }
  return outputs;
}

crux::interpret::Arguments ReadArguments(
    const Kernel& kernel, const CruxCall& call,
    const std::vector<guest::OutputRequest>& outputs) {
  crux::interpret::Arguments arguments;
  for (const std::string& text : call.inputs) {
    const guest::InputRequest input = guest::ParseInput(text);
    const Parameter& parameter = ParameterOf(kernel, input.name, "--in");
    if (input.form == guest::InputRequest::Form::kAbsent) continue;
    RequireOnce("--in", input.name, arguments.tensors);
    arguments.tensors[input.name] = ReadInput(parameter, input);
  }
  for (const std::string& text : call.attributes) {
    const guest::AttributeRequest attribute = guest::ParseAttribute(text);
    const Parameter& parameter = ParameterOf(kernel, attribute.name, "--attr");
    if (parameter.role != ParameterRole::kAttribute) {
      Refuse(fmt::format("--attr {}=…: `{}` is a tensor: use --in",
                         attribute.name, attribute.name));
    }
    RequireOnce("--attr", attribute.name, arguments.attributes);
    arguments.attributes[attribute.name] =
        ParseAttribute(parameter, attribute.text);
  }
  for (const std::string& text : call.dtypes) {
    const guest::AttributeRequest choice = guest::ParseAttribute(text);
    const auto dtype = ParseDType(choice.text);
    if (!dtype) Refuse(fmt::format("--dtype {}: use T=f16", text));
    RequireVariable(kernel, choice.name, text);
    RequireOnce("--dtype", choice.name, arguments.dtypes);
    arguments.dtypes[choice.name] = *dtype;
  }
  for (const guest::OutputRequest& output : outputs) {
    const Parameter& parameter = ParameterOf(kernel, output.name, "--out");
    if (parameter.optional && parameter.role == ParameterRole::kOut) {
      arguments.wanted.insert(output.name);
    }
  }
  return arguments;
}

}  // namespace belay::cli
