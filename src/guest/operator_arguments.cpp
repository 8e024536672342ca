// SPDX-License-Identifier: Apache-2.0
#include "guest/operator_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace belay::guest {
namespace {

using runtime::OperatorSignature;
using runtime::Parameter;

bool IsList(const Parameter& parameter) {
  return parameter.presence == Parameter::Presence::kDynamic;
}

KernelArgument InputArgument(const std::string& name, bool is_list,
                             const std::vector<Array>& tensors) {
  KernelArgument argument;
  argument.label = fmt::format("input '{}'", name);
  argument.is_list = is_list;
  for (const Array& array : tensors) {
    argument.tensors.push_back(
        {array.dtype, array.shape,
         array.data.empty() ? nullptr : array.data.data()});
  }
  return argument;
}

// Appends the outputs behind the inputs.
void AddOutputs(const OperatorSignature& signature,
                const runtime::LaunchPlan& plan, OperatorArguments& result) {
  for (size_t i = 0; i < signature.outputs.size(); ++i) {
    const Parameter& parameter = signature.outputs[i];
    KernelArgument argument;
    argument.label = fmt::format("output '{}'", parameter.name);
    argument.is_list = IsList(parameter);
    const auto input = std::find_if(
        signature.inputs.begin(), signature.inputs.end(),
        [&](const Parameter& p) { return p.name == parameter.name; });
    if (input != signature.inputs.end()) {
      argument.same_as = input - signature.inputs.begin();
      result.results.push_back({parameter.name, *argument.same_as});
    } else {
      for (const runtime::CallTensor& tensor : plan.outputs.at(i)) {
        argument.tensors.push_back({tensor.dtype, tensor.shape});
      }
      if (i < plan.fill.size()) argument.fill = plan.fill[i];
      result.results.push_back({parameter.name, result.arguments.size()});
    }
    result.arguments.push_back(std::move(argument));
  }
}

// One place for the shapes of all outputs, when the kernel says any.
void AddShapePlace(const OperatorSignature& signature,
                   OperatorArguments& result) {
  const size_t count = signature.outputs.size();
  bool any = false;
  for (size_t i = 0; i < count; ++i) {
    if (!signature.outputs[i].shape_from_kernel) continue;
    any = true;
    result.results[i].shape_from = {result.arguments.size(), i};
  }
  if (!any) return;
  static const std::vector<std::byte> kNoShape(sizeof(uint64_t));
  KernelArgument argument;
  argument.label = "shapes of the outputs";
  argument.fill = kNoShape;
  argument.tensors.push_back(
      {DType::kUint64, {static_cast<int64_t>(count * kShapeWords)}});
  result.arguments.push_back(std::move(argument));
}

// Marks the inputs, which come first, that nothing says are worked on in place.
// An operator without any other result works in place on inputs it does not
// name: then nothing is marked.
void MarkReadOnly(size_t inputs, OperatorArguments& result) {
  if (result.arguments.size() == inputs) return;
  std::set<size_t> written;
  for (const ResultRequest& request : result.results) {
    written.insert(request.argument);
  }
  for (size_t i = 0; i < inputs; ++i) {
    result.arguments[i].read_only = !written.contains(i);
  }
}

std::vector<Array>* FindInput(std::vector<ReadInput>& inputs,
                              const std::string& name) {
  for (ReadInput& input : inputs) {
    if (input.request.name == name) return &input.tensors;
  }
  return nullptr;
}

KernelArgument OutputAsGiven(const OutputRequest& output,
                             std::vector<ReadInput>& inputs) {
  KernelArgument argument;
  argument.label = fmt::format("output '{}'", output.name);
  const auto add = [&](DType dtype, const Shape& shape) {
    argument.tensors.push_back({dtype, shape});
  };
  if (!output.shapes.empty()) {
    for (const OutputShape& shape : output.shapes) {
      if (shape.dtype == DType::kNone) {
        RefuseCall(fmt::format(
            "without op_host nothing says which type '{0}' has: write "
            "--out-shape {0}=SIZES:TYPE",
            output.name));
      }
      add(shape.dtype, shape.shape);
    }
  } else if (!output.like.empty()) {
    const std::vector<Array>* like = FindInput(inputs, output.like);
    if (like == nullptr) {
      RefuseCall(fmt::format("--out-like {}={}: there is no input '{}'",
                             output.name, output.like, output.like));
    }
    for (const Array& array : *like) add(array.dtype, array.shape);
  } else if (!output.expected.empty()) {
    for (const TensorFile& file : output.expected) {
      const Array array = ReadTensor(file);
      add(array.dtype, array.shape);
    }
  } else {
    RefuseCall(fmt::format(
        "without op_host nothing says which shape '{0}' has: add --out-like "
        "{0}=INPUT or --out-shape {0}=SIZES:TYPE",
        output.name));
  }
  argument.is_list = argument.tensors.size() > 1;
  return argument;
}

}  // namespace

OperatorArguments ArgumentsOfCall(const OperatorSignature& signature,
                                  const BoundCall& bound,
                                  const runtime::LaunchPlan& plan,
                                  const std::vector<OutputRequest>& outputs) {
  OperatorArguments result;
  for (size_t i = 0; i < signature.inputs.size(); ++i) {
    const Parameter& parameter = signature.inputs[i];
    result.arguments.push_back(
        InputArgument(parameter.name, IsList(parameter), bound.inputs[i]));
  }
  AddOutputs(signature, plan, result);
  AddShapePlace(signature, result);
  // Inputs that are worked on in place without being outputs too.
  for (const OutputRequest& request : outputs) {
    const bool known = std::any_of(
        result.results.begin(), result.results.end(),
        [&](const ResultRequest& r) { return r.name == request.name; });
    for (size_t i = 0; i < signature.inputs.size() && !known; ++i) {
      if (signature.inputs[i].name == request.name) {
        result.results.push_back({request.name, i});
      }
    }
  }
  MarkReadOnly(signature.inputs.size(), result);
  return result;
}

OperatorArguments ArgumentsAsGiven(std::vector<ReadInput>& inputs,
                                   const std::vector<OutputRequest>& outputs) {
  OperatorArguments result;
  for (ReadInput& input : inputs) {
    const InputRequest& request = input.request;
    if (request.form == InputRequest::Form::kScalar) {
      if (request.scalar_dtype == DType::kNone) {
        RefuseCall(fmt::format(
            "without op_host nothing says which type '{0}' has: write --in "
            "{0}=scalar:VALUE:TYPE",
            request.name));
      }
      input.tensors = {
          MakeScalars(request.scalars, request.scalar_dtype, request.name)};
    }
    result.arguments.push_back(
        InputArgument(request.name, request.form == InputRequest::Form::kList,
                      input.tensors));
  }
  for (const OutputRequest& output : outputs) {
    const auto same = std::find_if(
        inputs.begin(), inputs.end(),
        [&](const ReadInput& in) { return in.request.name == output.name; });
    if (same != inputs.end()) {
      result.results.push_back(
          {output.name, static_cast<size_t>(same - inputs.begin())});
      continue;
    }
    result.results.push_back({output.name, result.arguments.size()});
    result.arguments.push_back(OutputAsGiven(output, inputs));
  }
  MarkReadOnly(inputs.size(), result);
  return result;
}

}  // namespace belay::guest
