// SPDX-License-Identifier: Apache-2.0
#include "judge/crux_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/catalogue.h"
#include "base/float16.h"
#include "crux/interpret/host_call.h"

namespace belay::judge {
namespace {

using bench::AttributeType;
using crux::typed::Parameter;
using crux::typed::ParameterRole;

template <typename T>
void Append(std::vector<std::byte>& data, T value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  data.insert(data.end(), bytes, bytes + sizeof(T));
}

// One number as an element; false where the dtype is none for numbers.
bool AppendNumber(std::vector<std::byte>& data, DType dtype,
                  const bench::Value& value) {
  const double real = value.get<double>();
  const auto whole = value.is_number_float() ? static_cast<int64_t>(real)
                                             : value.get<int64_t>();
  switch (dtype) {
    case DType::kHalf:
      Append(data, HalfFromFloat(static_cast<float>(real)));
      return true;
    case DType::kBfloat16:
      Append(data, BfloatFromFloat(static_cast<float>(real)));
      return true;
    case DType::kFloat:
      Append(data, static_cast<float>(real));
      return true;
    case DType::kInt32:
      Append(data, static_cast<int32_t>(whole));
      return true;
    case DType::kInt64:
      Append(data, whole);
      return true;
    default:
      return false;
  }
}

// The numbers of a host scalar or list as a tensor of one dimension.
std::optional<Array> TensorOf(const CruxCall::Attribute& attribute) {
  Array array;
  switch (attribute.type) {
    case AttributeType::kInt:
    case AttributeType::kIntList:
      array.dtype = DType::kInt64;
      break;
    case AttributeType::kFloat:
    case AttributeType::kFloatList:
      array.dtype = DType::kFloat;
      break;
    default:
      return std::nullopt;
  }
  if (attribute.scalar != DType::kNone) array.dtype = attribute.scalar;
  const bench::Value numbers = attribute.value.is_array()
                                   ? attribute.value
                                   : bench::Value::array({attribute.value});
  for (const bench::Value& number : numbers) {
    if (!number.is_number() || !AppendNumber(array.data, array.dtype, number)) {
      return std::nullopt;
    }
  }
  array.shape = {static_cast<int64_t>(numbers.size())};
  return array;
}

class Fitter {
 public:
  Fitter(const crux::typed::Kernel& kernel, CruxCall& call,
         const std::string& file)
      : kernel_(kernel), call_(call), file_(file) {}

  CruxFit Fit() {
    RequireOutputs();
    for (const Parameter* parameter : kernel_.parameters) {
      parameter_ = parameter;
      switch (parameter->role) {
        case ParameterRole::kAttribute:
          FitAttribute();
          break;
        case ParameterRole::kOut:
          FitOutput();
          break;
        default:
          FitInput();
      }
    }
    return std::move(fit_);
  }

 private:
  [[noreturn]] void Refuse(const crux::SourceRange& range, std::string message,
                           std::string fix) const {
    Diagnostic diagnostic;
    diagnostic.code = code::kJ105;
    diagnostic.message =
        fmt::format("[crux] kernel `{}`: {}", kernel_.name, message);
    diagnostic.fix = std::move(fix);
    diagnostic.location = {file_, range.line, range.column, kernel_.name,
                           range.end_column};
    throw crux::interpret::CallRefused(std::move(diagnostic));
  }
  [[noreturn]] void Refuse(std::string message, std::string fix) const {
    Refuse(parameter_->range, std::move(message), std::move(fix));
  }

  // Every output of the task has its parameter.
  void RequireOutputs() {
    for (const CruxCall::Output& output : call_.outputs) {
      fit_.outputs.push_back(nullptr);
      if (!output.present) continue;
      const bool over = !output.in_place.empty();
      const std::string& name = over ? output.in_place : output.name;
      const Parameter* parameter = kernel_.FindParameter(name);
      const ParameterRole role =
          over ? ParameterRole::kInOut : ParameterRole::kOut;
      if (parameter == nullptr || parameter->role != role) {
        Refuse(
            kernel_.range,
            over ? fmt::format("output `{}` of the task takes the place of "
                               "input `{}`, which is no inout parameter",
                               output.name, name)
                 : fmt::format("the task's output `{}` is no out parameter",
                               name),
            fmt::format("declare `{}: {}(…)`", name, over ? "inout" : "out"));
      }
      if (parameter->list != output.list) {
        Refuse(parameter->range,
               fmt::format("`{}` is {}, the task's output is {}", name,
                           parameter->list ? "a list" : "one tensor",
                           output.list ? "a list" : "one tensor"),
               "");
      }
      fit_.outputs.back() = parameter;
    }
  }

  void FitOutput() {
    const auto& outputs = call_.outputs;
    const auto found = std::find_if(
        outputs.begin(), outputs.end(),
        [&](const auto& output) { return output.name == parameter_->name; });
    if (found == outputs.end() || !found->present) {
      if (parameter_->optional) return;
      Refuse(found == outputs.end()
                 ? fmt::format("the task has no output `{}`", parameter_->name)
                 : fmt::format("the task's output `{}` is absent in this case",
                               parameter_->name),
             "make it `optional(out(…))`, or use the names of the task");
    }
    if (parameter_->optional) fit_.arguments.wanted.insert(parameter_->name);
    if (const auto* variable = parameter_->type.element.variable) {
      fit_.arguments.dtypes.emplace(variable->name, found->dtype);
    }
  }

  void FitInput() {
    const std::string& name = parameter_->name;
    for (bench::Argument& input : call_.inputs) {
      if (input.name != name) continue;
      if (!input.present) {
        if (parameter_->optional) return;
        Refuse(
            fmt::format("the task's input `{}` is absent in this case", name),
            fmt::format("make it `{}: optional(…)`", name));
      }
      RequireRole();
      fit_.arguments.tensors[name] = {std::move(input.tensors), input.list};
      return;
    }
    for (const CruxCall::Attribute& attribute : call_.attributes) {
      if (attribute.name != name || parameter_->role == ParameterRole::kInOut) {
        continue;
      }
      std::optional<Array> tensor = TensorOf(attribute);
      if (!tensor) break;
      fit_.arguments.tensors[name].arrays.push_back(std::move(*tensor));
      return;
    }
    if (parameter_->optional) return;
    Refuse(fmt::format("the task has no input `{}`", name),
           "parameters bear the names of the task's inputs, outputs and "
           "attributes");
  }

  void RequireRole() const {
    const std::string& name = parameter_->name;
    if (parameter_->role == ParameterRole::kValue &&
        std::find(call_.host_read.begin(), call_.host_read.end(), name) ==
            call_.host_read.end()) {
      Refuse(
          fmt::format("the host may not read the values of input `{}`", name),
          "load them on the device");
    }
    if (parameter_->role != ParameterRole::kInOut) return;
    for (const CruxCall::Output& output : call_.outputs) {
      if (output.in_place == name) return;
    }
    Refuse(fmt::format("input `{}` of the task may only be read", name),
           "store into an output");
  }

  void FitAttribute() {
    const std::string& name = parameter_->name;
    for (const CruxCall::Attribute& attribute : call_.attributes) {
      if (attribute.name != name) continue;
      fit_.arguments.attributes[name] = ValueOf(attribute);
      return;
    }
    if (parameter_->fallback != nullptr) return;
    Refuse(fmt::format("the task has no attribute `{}`", name),
           "give it a default, or use the names of the task");
  }

  crux::interpret::AttributeValue ValueOf(
      const CruxCall::Attribute& attribute) const {
    const bench::Value& value = attribute.value;
    if (attribute.type == AttributeType::kBool && value.is_boolean()) {
      return value.get<bool>();
    }
    if (attribute.type == AttributeType::kInt && value.is_number_integer()) {
      return value.get<int64_t>();
    }
    if (attribute.type == AttributeType::kFloat && value.is_number()) {
      return value.get<double>();
    }
    if (attribute.type == AttributeType::kString && value.is_string()) {
      return value.get<std::string>();
    }
    if (attribute.type == AttributeType::kIntList && value.is_array()) {
      std::vector<int64_t> numbers;
      for (const bench::Value& number : value) {
        if (number.is_number_integer()) {
          numbers.push_back(number.get<int64_t>());
        }
      }
      if (numbers.size() == value.size()) return numbers;
    }
    Refuse(fmt::format("attribute `{}` of the task is of type {}",
                       attribute.name, NameOf(attribute.type)),
           "a list of reals is a tensor: `scalars: f32[N]`");
  }

  const crux::typed::Kernel& kernel_;
  CruxCall& call_;
  const std::string& file_;
  const Parameter* parameter_ = nullptr;
  CruxFit fit_;
};

}  // namespace

CruxFit FitCall(const crux::typed::Kernel& kernel, CruxCall& call,
                const std::string& file) {
  return Fitter(kernel, call, file).Fit();
}

}  // namespace belay::judge
