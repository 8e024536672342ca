// SPDX-License-Identifier: Apache-2.0
#include "guest/operator_binding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <set>

#include "base/catalogue.h"
#include "base/edit_distance.h"
#include "base/error.h"

namespace belay::guest {
namespace {

using runtime::Attribute;
using runtime::CallArgument;
using runtime::CallTensor;
using runtime::OperatorSignature;
using runtime::Parameter;

template <typename T>
std::vector<std::string> NamesOf(const std::vector<T>& things) {
  std::vector<std::string> names;
  for (const T& thing : things) names.push_back(thing.name);
  return names;
}

template <typename T>
const T* FindNamed(const std::vector<T>& things, const std::string& name) {
  const auto found = std::find_if(things.begin(), things.end(),
                                  [&](const T& t) { return t.name == name; });
  return found == things.end() ? nullptr : &*found;
}

template <typename T>
void RefuseTwice(const std::vector<T>& requests, const char* what) {
  std::set<std::string> seen;
  for (const T& request : requests) {
    if (!seen.insert(request.name).second) {
      RefuseCall(fmt::format("{} '{}' is given twice", what, request.name));
    }
  }
}

CallArgument Describe(const std::vector<Array>& tensors, bool with_values) {
  CallArgument argument;
  for (const Array& tensor : tensors) {
    argument.push_back({tensor.dtype, tensor.shape,
                        with_values ? tensor.data : std::vector<std::byte>{}});
  }
  return argument;
}

void RequireValues(const std::string& name, const std::vector<Array>& tensors) {
  for (const Array& tensor : tensors) {
    if (tensor.data.empty() && ElementCount(tensor.shape) > 0) {
      RefuseCall(
          fmt::format("input '{0}' is read by host code: give its values (--in "
                      "{0}=FILE.npy), not only its shape",
                      name));
    }
  }
}

bool Fits(const std::vector<Parameter>& parameters,
          const std::vector<CallArgument>& arguments, size_t column) {
  for (size_t i = 0; i < parameters.size() && i < arguments.size(); ++i) {
    for (const CallTensor& tensor : arguments[i]) {
      if (tensor.dtype != parameters[i].dtypes.at(column)) return false;
    }
  }
  return true;
}

void RequireForm(const Parameter& parameter, const InputRequest& request) {
  const bool is_list = parameter.presence == Parameter::Presence::kDynamic;
  if (request.form == InputRequest::Form::kList && !is_list) {
    RefuseCall(fmt::format(
        "input '{0}' is one tensor, but a list of {1} was given: write --in "
        "{0}=FILE.npy",
        parameter.name, request.files.size()));
  }
  if (request.form == InputRequest::Form::kAbsent &&
      parameter.presence == Parameter::Presence::kRequired) {
    RefuseCall(fmt::format("input '{}' is required and cannot be none",
                           parameter.name));
  }
  if (request.form == InputRequest::Form::kScalar &&
      parameter.kind != Parameter::Kind::kScalarList &&
      !parameter.value_depend && request.scalars.size() != 1) {
    RefuseCall(fmt::format("input '{}' takes one scalar, not {}",
                           parameter.name, request.scalars.size()));
  }
}

// A file of uint16 is bf16 where nothing else is possible.
void ReadAsBfloat16(const Parameter& parameter,
                    const std::vector<size_t>& columns,
                    std::vector<Array>& tensors) {
  for (const size_t column : columns) {
    if (parameter.dtypes.at(column) != DType::kBfloat16) return;
  }
  for (Array& tensor : tensors) {
    if (tensor.dtype == DType::kUint16) tensor.dtype = DType::kBfloat16;
  }
}

// Columns the inputs known so far fit. When none does, all of them, so that the
// operator itself says what is wrong; unless the caller has chosen.
std::vector<size_t> Candidates(const OperatorSignature& signature,
                               const std::vector<size_t>& columns,
                               const std::vector<CallArgument>& inputs) {
  std::vector<size_t> fitting;
  for (const size_t column : columns) {
    if (Fits(signature.inputs, inputs, column)) fitting.push_back(column);
  }
  if (!fitting.empty()) return fitting;
  if (columns.size() == signature.columns()) return columns;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Parameter& parameter = signature.inputs[i];
    for (const CallTensor& tensor : inputs[i]) {
      const DType wanted = parameter.dtypes.at(columns.front());
      if (tensor.dtype == wanted) continue;
      RefuseCall(fmt::format(
          "--dtype chose column {}, where input '{}' is {}, but it was given "
          "as {}",
          columns.front(), parameter.name, NameOf(wanted),
          NameOf(tensor.dtype)));
    }
  }
  return columns;
}

void BindInputs(const OperatorSignature& signature,
                std::vector<ReadInput> inputs,
                const std::vector<size_t>& columns, BoundCall& bound) {
  std::vector<InputRequest> requests;
  for (const ReadInput& input : inputs) requests.push_back(input.request);
  RefuseTwice(requests, "input");
  for (const InputRequest& request : requests) {
    if (FindNamed(signature.inputs, request.name) == nullptr) {
      RefuseCall(fmt::format("operator {} has no input '{}'{}", signature.type,
                             request.name,
                             Suggest(request.name, NamesOf(signature.inputs))));
    }
  }
  const size_t count = signature.inputs.size();
  bound.inputs.resize(count);
  bound.call.inputs.resize(count);
  // Host scalars take their type from the column the tensors choose.
  for (const bool scalars : {false, true}) {
    for (size_t i = 0; i < count; ++i) {
      const Parameter& parameter = signature.inputs[i];
      const auto found =
          std::find_if(inputs.begin(), inputs.end(), [&](const ReadInput& in) {
            return in.request.name == parameter.name;
          });
      if (found == inputs.end()) {
        if (parameter.presence != Parameter::Presence::kRequired) continue;
        RefuseCall(fmt::format(
            "operator {} needs input '{}': add --in {}=FILE.npy{}",
            signature.type, parameter.name, parameter.name,
            parameter.kind == Parameter::Kind::kTensor
                ? ""
                : fmt::format(" or --in {}=scalar:VALUE", parameter.name)));
      }
      const InputRequest& request = found->request;
      const bool is_scalar = request.form == InputRequest::Form::kScalar;
      if (is_scalar != scalars) continue;
      RequireForm(parameter, request);
      if (is_scalar) {
        DType dtype = request.scalar_dtype;
        if (dtype == DType::kNone) {
          dtype = parameter.dtypes.at(
              Candidates(signature, columns, bound.call.inputs).front());
        }
        bound.inputs[i] = {MakeScalars(request.scalars, dtype, request.name)};
      } else {
        bound.inputs[i] = std::move(found->tensors);
        ReadAsBfloat16(parameter, columns, bound.inputs[i]);
      }
      const bool host_reads =
          parameter.value_depend || parameter.kind != Parameter::Kind::kTensor;
      if (host_reads) RequireValues(parameter.name, bound.inputs[i]);
      bound.call.inputs[i] = Describe(bound.inputs[i], host_reads);
    }
  }
}

void BindAttributes(const OperatorSignature& signature,
                    const std::vector<AttributeRequest>& requests,
                    BoundCall& bound) {
  RefuseTwice(requests, "attribute");
  for (const AttributeRequest& request : requests) {
    if (FindNamed(signature.attributes, request.name) == nullptr) {
      RefuseCall(fmt::format(
          "operator {} has no attribute '{}'{}", signature.type, request.name,
          Suggest(request.name, NamesOf(signature.attributes))));
    }
  }
  for (const Attribute& attribute : signature.attributes) {
    const AttributeRequest* request = FindNamed(requests, attribute.name);
    if (request != nullptr) {
      bound.call.attributes.push_back(
          ParseAttributeValue(attribute, request->text));
    } else if (attribute.required) {
      RefuseCall(fmt::format(
          "operator {} needs attribute '{}' of type {}: add --attr {}=VALUE",
          signature.type, attribute.name, NameOf(attribute.type),
          attribute.name));
    } else {
      bound.call.attributes.push_back(attribute.default_value);
    }
  }
}

// The type of an output whose shape the caller gives: the only one possible,
// or the first wish that is.
DType OutputDType(const Parameter& parameter,
                  const std::vector<size_t>& candidates,
                  const std::vector<DType>& wishes) {
  std::set<DType> possible;
  for (const size_t column : candidates) {
    possible.insert(parameter.dtypes.at(column));
  }
  if (possible.size() == 1) return *possible.begin();
  for (const DType wish : wishes) {
    if (possible.contains(wish)) return wish;
  }
  return parameter.dtypes.at(candidates.front());
}

// What the caller knows about an output; nothing when it must be inferred.
std::optional<CallArgument> KnownOutput(const OperatorSignature& signature,
                                        const Parameter& parameter,
                                        const OutputRequest& request,
                                        const std::vector<size_t>& candidates,
                                        const BoundCall& bound) {
  CallArgument argument;
  if (!request.shapes.empty()) {
    for (const OutputShape& wanted : request.shapes) {
      argument.push_back({wanted.dtype != DType::kNone
                              ? wanted.dtype
                              : OutputDType(parameter, candidates, {}),
                          wanted.shape,
                          {}});
    }
    return argument;
  }
  if (!request.like.empty()) {
    const Parameter* input = FindNamed(signature.inputs, request.like);
    if (input == nullptr) {
      RefuseCall(fmt::format("--out-like {}={}: there is no input '{}'{}",
                             request.name, request.like, request.like,
                             Suggest(request.like, NamesOf(signature.inputs))));
    }
    for (const Array& like : bound.inputs[input - signature.inputs.data()]) {
      argument.push_back(
          {OutputDType(parameter, candidates, {like.dtype}), like.shape, {}});
    }
    return argument;
  }
  if (!request.expected.empty() && !signature.has_infer_shape) {
    for (const TensorFile& file : request.expected) {
      const Array expected = ReadTensor(file);
      argument.push_back({OutputDType(parameter, candidates, {expected.dtype}),
                          expected.shape,
                          {}});
    }
    return argument;
  }
  return std::nullopt;
}

void BindOutputs(const OperatorSignature& signature,
                 const std::vector<OutputRequest>& requests,
                 const std::vector<size_t>& columns, BoundCall& bound) {
  for (const OutputRequest& request : requests) {
    const bool is_input = FindNamed(signature.inputs, request.name) != nullptr;
    const bool is_output =
        FindNamed(signature.outputs, request.name) != nullptr;
    if (!is_output && !is_input) {
      RefuseCall(fmt::format(
          "operator {} has no output '{}'{}", signature.type, request.name,
          Suggest(request.name, NamesOf(signature.outputs))));
    }
    if (is_input && (!request.like.empty() || !request.shapes.empty())) {
      RefuseCall(fmt::format(
          "'{}' is worked on in place and has the shape of the input: leave "
          "--out-like and --out-shape out",
          request.name));
    }
  }
  const std::vector<size_t> candidates =
      Candidates(signature, columns, bound.call.inputs);
  bound.columns = candidates;
  for (const Parameter& output : signature.outputs) {
    const Parameter* in_place = FindNamed(signature.inputs, output.name);
    if (in_place != nullptr) {
      bound.call.outputs.emplace_back(
          Describe(bound.inputs[in_place - signature.inputs.data()], false));
      continue;
    }
    const OutputRequest* request = FindNamed(requests, output.name);
    bound.call.outputs.push_back(
        request == nullptr
            ? std::nullopt
            : KnownOutput(signature, output, *request, candidates, bound));
  }
}

}  // namespace

void RefuseCall(const std::string& message) {
  throw UserError(fmt::format("[run] {} [{}]", message, code::kU105));
}

std::string Suggest(const std::string& name,
                    const std::vector<std::string>& known) {
  const std::string* best = nullptr;
  size_t best_distance = std::max<size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const auto distance = static_cast<size_t>(EditDistance(name, candidate));
    // Among names of one or two letters everything is near.
    if (distance < best_distance && distance < name.size()) {
      best = &candidate;
      best_distance = distance;
    }
  }
  if (best != nullptr) return fmt::format("; did you mean '{}'?", *best);
  if (known.empty()) return ": it has none";
  return fmt::format("; it has: {}", fmt::join(known, ", "));
}

std::vector<ReadInput> ReadInputs(const std::vector<InputRequest>& requests) {
  std::vector<ReadInput> inputs;
  for (const InputRequest& request : requests) {
    ReadInput input{request, {}};
    for (const TensorFile& file : request.files) {
      input.tensors.push_back(ReadTensor(file));
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

const OperatorSignature& ChooseOperator(
    const std::vector<OperatorSignature>& operators, const std::string& type) {
  std::vector<std::string> types;
  for (const OperatorSignature& signature : operators) {
    if (signature.type == type) return signature;
    types.push_back(signature.type);
  }
  if (!type.empty()) {
    RefuseCall(fmt::format("the project has no operator '{}'{}", type,
                           Suggest(type, types)));
  }
  if (operators.size() != 1) {
    RefuseCall(
        fmt::format("the project has {} operators ({}): choose one with --op",
                    operators.size(), fmt::join(types, ", ")));
  }
  return operators.front();
}

std::vector<size_t> AllowedColumns(const OperatorSignature& signature,
                                   const std::string& dtype) {
  const size_t count = signature.columns();
  std::vector<size_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  if (dtype.empty()) return all;
  size_t number = 0;
  const auto [end, error] =
      std::from_chars(dtype.data(), dtype.data() + dtype.size(), number);
  if (error == std::errc() && end == dtype.data() + dtype.size()) {
    if (number >= count) {
      RefuseCall(fmt::format("--dtype {}: operator {} has columns 0 to {}",
                             number, signature.type, count - 1));
    }
    return {number};
  }
  const auto wanted = ParseDType(dtype);
  if (!wanted) {
    RefuseCall(fmt::format(
        "--dtype takes the number of a column or a type, not '{}'", dtype));
  }
  std::vector<size_t> by_first;
  std::vector<size_t> by_any;
  for (const size_t column : all) {
    bool any = false;
    for (const auto* parameters : {&signature.inputs, &signature.outputs}) {
      for (const Parameter& parameter : *parameters) {
        any |= parameter.dtypes.at(column) == *wanted;
      }
    }
    if (any) by_any.push_back(column);
    if (!signature.inputs.empty() &&
        signature.inputs.front().dtypes.at(column) == *wanted) {
      by_first.push_back(column);
    }
  }
  if (by_any.empty()) {
    RefuseCall(fmt::format("--dtype {}: operator {} has no column with it",
                           dtype, signature.type));
  }
  return by_first.empty() ? by_any : by_first;
}

BoundCall BindCall(const OperatorSignature& signature,
                   std::vector<ReadInput> inputs,
                   const std::vector<AttributeRequest>& attributes,
                   const std::vector<OutputRequest>& outputs,
                   const std::vector<size_t>& columns) {
  BoundCall bound;
  bound.call.type = signature.type;
  BindInputs(signature, std::move(inputs), columns, bound);
  BindAttributes(signature, attributes, bound);
  BindOutputs(signature, outputs, columns, bound);
  return bound;
}

}  // namespace belay::guest
