// SPDX-License-Identifier: Apache-2.0
#include "judge/operator_fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/error.h"
#include "bench/export_project.h"

namespace belay::judge {
namespace {

using bench::ExportParameter;
using runtime::OperatorSignature;
using runtime::Parameter;

// More than any chip has cores, by far.
constexpr uint32_t kMostBlocks = 65535;

template <typename T>
std::set<std::string> NameSet(const std::vector<T>& things) {
  std::set<std::string> names;
  for (const T& thing : things) names.insert(thing.name);
  return names;
}

// "" when both have the same names.
template <typename Wanted, typename Given>
std::string CompareNames(const char* what, const std::vector<Wanted>& wanted,
                         const std::vector<Given>& given) {
  const std::set<std::string> names = NameSet(wanted);
  const std::set<std::string> found = NameSet(given);
  if (names == found && given.size() == found.size()) return "";
  return fmt::format("{} are ({}), and the task's are ({})", what,
                     fmt::join(found, ", "), fmt::join(names, ", "));
}

bool IsIdentifier(const std::string& name) {
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) || c == '_';
         });
}

std::string CompareParameter(const ExportParameter& wanted,
                             const Parameter& given, bool is_input) {
  using Kind = ExportParameter::Kind;
  const bool list = given.presence == Parameter::Presence::kDynamic;
  if (list != (wanted.kind == Kind::kList)) {
    return fmt::format("'{}' is {}, but must be {}", wanted.name,
                       list ? "a list of tensors" : "one tensor",
                       list ? "one tensor" : "a list of tensors (DYNAMIC)");
  }
  const bool scalar =
      wanted.kind == Kind::kScalar || wanted.kind == Kind::kScalarList;
  if (is_input && scalar != (given.kind != Parameter::Kind::kTensor)) {
    return fmt::format("'{}' {} a host scalar (Scalar(), ScalarList())",
                       wanted.name, scalar ? "must be" : "must not be");
  }
  if (is_input && given.value_depend && !wanted.host_read && !scalar) {
    return fmt::format(
        "'{}' is a ValueDepend: its values are not for host code in this task",
        wanted.name);
  }
  return "";
}

std::string CompareParameters(const char* what,
                              const std::vector<ExportParameter>& wanted,
                              const std::vector<Parameter>& given,
                              size_t columns, bool is_input) {
  if (std::string why = CompareNames(what, wanted, given); !why.empty()) {
    return why;
  }
  for (const Parameter& parameter : given) {
    const auto found = std::find_if(
        wanted.begin(), wanted.end(),
        [&](const ExportParameter& p) { return p.name == parameter.name; });
    if (parameter.dtypes.size() != columns) {
      return fmt::format("'{}' has {} dtypes, others have {}", parameter.name,
                         parameter.dtypes.size(), columns);
    }
    std::string why = CompareParameter(*found, parameter, is_input);
    if (!why.empty()) return why;
  }
  return "";
}

// "" when the operator fits.
std::string CompareSignatures(const bench::ExportSignature& wanted,
                              const OperatorSignature& given) {
  const size_t columns = given.columns();
  if (columns == 0) return "it has no dtypes";
  if (!IsIdentifier(given.kernel)) {
    return fmt::format("'{}' is no name for a kernel", given.kernel);
  }
  std::string why = CompareParameters("its inputs", wanted.inputs, given.inputs,
                                      columns, true);
  if (why.empty()) {
    why = CompareParameters("its outputs", wanted.outputs, given.outputs,
                            columns, false);
  }
  if (why.empty()) {
    why = CompareNames("its attributes", wanted.attributes, given.attributes);
  }
  return why;
}

guest::ReadInput ReadArgument(const bench::InputSpec& input,
                              const bench::Argument& argument) {
  using Form = guest::InputRequest::Form;
  guest::ReadInput read;
  read.request.name = input.name;
  read.request.form = !argument.present ? Form::kAbsent
                      : input.list      ? Form::kList
                                        : Form::kTensor;
  for (const Array& tensor : argument.tensors) {
    read.tensors.push_back(
        {tensor.dtype, tensor.shape,
         input.host_read ? tensor.data : std::vector<std::byte>{}});
  }
  return read;
}

guest::ReadInput ReadScalar(const bench::AttributeSpec& attribute,
                            const bench::Case& one_case) {
  guest::ReadInput read;
  read.request.name = attribute.name;
  read.request.form = guest::InputRequest::Form::kScalar;
  read.request.scalar_dtype = bench::DTypeOf(attribute.scalar, one_case);
  read.request.scalars = guest::SplitList(
      bench::ValueText(one_case.attributes.at(attribute.name)), ',');
  return read;
}

std::vector<guest::OutputRequest> RequestOutputs(const bench::Task& task,
                                                 const bench::Case& one_case) {
  std::vector<guest::OutputRequest> requests;
  for (const bench::OutputSpec& output : task.outputs) {
    if (!bench::IsPresent(output, one_case) || !output.in_place.empty()) {
      continue;
    }
    guest::OutputRequest request;
    request.name = output.name;
    const DType dtype = bench::DTypeOf(output.dtype, one_case);
    const auto shapes = bench::OutputShapes(output, one_case);
    if (shapes) {
      for (const Shape& shape : *shapes) {
        request.shapes.push_back({shape, dtype});
      }
    } else {
      request.shapes.push_back({{bench::LargestInput(task, one_case)}, dtype});
    }
    // A list without tensors is as absent.
    if (!request.shapes.empty()) requests.push_back(std::move(request));
  }
  return requests;
}

}  // namespace

std::optional<OperatorSignature> ChooseOperator(
    const std::vector<OperatorSignature>& operators, const bench::Task& task,
    const bench::Case* only, std::string* why) {
  const bench::ExportSignature wanted = bench::SignatureOf(task, only);
  // One of the right name first.
  std::vector<const OperatorSignature*> order;
  for (const OperatorSignature& one : operators) order.push_back(&one);
  std::stable_partition(
      order.begin(), order.end(),
      [&](const OperatorSignature* one) { return one->type == wanted.type; });
  for (const OperatorSignature* one : order) {
    const std::string reason = CompareSignatures(wanted, *one);
    if (reason.empty()) return *one;
    if (why->empty()) *why = fmt::format("operator {}: {}", one->type, reason);
  }
  if (why->empty()) *why = "there is no operator";
  return std::nullopt;
}

CaseCall CallOfCase(const bench::Task& task, const bench::Case& one_case,
                    const bench::Arguments& inputs,
                    const OperatorSignature& signature) {
  std::vector<guest::ReadInput> read;
  for (size_t i = 0; i < task.inputs.size(); ++i) {
    read.push_back(ReadArgument(task.inputs[i], inputs.at(i)));
  }
  std::vector<guest::AttributeRequest> attributes;
  for (const bench::AttributeSpec& attribute : task.attributes) {
    if (attribute.scalar.empty()) {
      attributes.push_back(
          {attribute.name,
           bench::ValueText(one_case.attributes.at(attribute.name))});
    } else {
      read.push_back(ReadScalar(attribute, one_case));
    }
  }
  CaseCall call;
  call.outputs = RequestOutputs(task, one_case);
  call.bound =
      guest::BindCall(signature, std::move(read), attributes, call.outputs,
                      guest::AllowedColumns(signature, ""));
  return call;
}

void RequireSoundPlan(const OperatorSignature& signature, const CaseCall& call,
                      runtime::LaunchPlan& plan) {
  const std::vector<size_t>& columns = call.bound.columns;
  if (std::find(columns.begin(), columns.end(), plan.column) == columns.end()) {
    throw UserError(fmt::format(
        "tiling was done for column {} of the dtypes, which does not fit the "
        "inputs",
        plan.column));
  }
  if (plan.blocks == 0 || plan.blocks > kMostBlocks) {
    throw UserError(fmt::format("tiling asks for {} blocks: 1 to {} can be",
                                plan.blocks, kMostBlocks));
  }
  plan.outputs.resize(signature.outputs.size());
  plan.fill.resize(std::min(plan.fill.size(), signature.outputs.size()));
  for (size_t i = 0; i < signature.outputs.size(); ++i) {
    const auto& known = call.bound.call.outputs.at(i);
    plan.outputs[i] = known ? *known : runtime::CallArgument{};
  }
}

const std::string& OperatorNameOf(const bench::OutputSpec& output) {
  return output.in_place.empty() ? output.name : output.in_place;
}

}  // namespace belay::judge
