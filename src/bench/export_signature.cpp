// SPDX-License-Identifier: Apache-2.0
#include "bench/export_signature.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/kernel_name.h"

namespace belay::bench {
namespace {

using Kind = ExportParameter::Kind;

char Upper(char c) {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
}

void Widen(const std::vector<Shape>& shapes, ExportParameter& parameter) {
  parameter.most_tensors = std::max(parameter.most_tensors, shapes.size());
  for (const Shape& shape : shapes) {
    parameter.most_rank = std::max(parameter.most_rank, shape.size());
  }
}

class Builder {
 public:
  Builder(const Task& task, const Case* only) : task_(task) {
    if (only != nullptr) {
      cases_ = {*only};
      columns_ = {only->types};
    } else {
      cases_ = ExpandCases(task);
      columns_ = task.types;
    }
    if (columns_.empty()) columns_.emplace_back();
  }

  ExportSignature Build() const {
    ExportSignature signature;
    signature.type = TypeName(task_.name);
    signature.kernel = KernelNameOf(signature.type);
    for (const InputSpec& input : task_.inputs) {
      signature.inputs.push_back(Input(input));
    }
    for (const AttributeSpec& attribute : task_.attributes) {
      if (attribute.scalar.empty()) {
        signature.attributes.push_back(Attribute(attribute));
      } else {
        signature.inputs.push_back(Scalar(attribute));
      }
    }
    for (const OutputSpec& output : task_.outputs) {
      signature.outputs.push_back(Output(output));
    }
    return signature;
  }

 private:
  std::vector<DType> Types(const std::string& word) const {
    std::vector<DType> types;
    for (const auto& column : columns_) {
      const auto found = column.find(word);
      types.push_back(found != column.end() ? found->second
                                            : ParseDType(word).value());
    }
    return types;
  }

  ExportParameter Input(const InputSpec& input) const {
    ExportParameter parameter;
    parameter.name = parameter.kernel_name = input.name;
    parameter.kind = input.list       ? Kind::kList
                     : input.optional ? Kind::kOptional
                                      : Kind::kRequired;
    parameter.dtypes = Types(input.dtype);
    parameter.host_read = input.host_read;
    for (const Case& one_case : cases_) {
      Widen(InputShapes(input, one_case), parameter);
    }
    return parameter;
  }

  ExportParameter Scalar(const AttributeSpec& attribute) const {
    const bool list = attribute.type == AttributeType::kIntList ||
                      attribute.type == AttributeType::kFloatList;
    ExportParameter parameter;
    parameter.name = parameter.kernel_name = attribute.name;
    parameter.kind = list ? Kind::kScalarList : Kind::kScalar;
    parameter.dtypes = Types(attribute.scalar);
    return parameter;
  }

  ExportParameter Output(const OutputSpec& output) const {
    ExportParameter parameter;
    parameter.in_place = !output.in_place.empty();
    parameter.name = parameter.in_place ? output.in_place : output.name;
    parameter.kernel_name = FindInput(task_, output.name) != nullptr
                                ? output.name + "_out"
                                : output.name;
    parameter.kind = output.list           ? Kind::kList
                     : output.when.empty() ? Kind::kRequired
                                           : Kind::kOptional;
    if (output.shape.empty()) parameter.most_rank = 8;
    parameter.dtypes = Types(output.dtype);
    for (const Case& one_case : cases_) {
      if (!IsPresent(output, one_case)) continue;
      if (const auto shapes = OutputShapes(output, one_case)) {
        Widen(*shapes, parameter);
      }
    }
    return parameter;
  }

  ExportAttribute Attribute(const AttributeSpec& spec) const {
    ExportAttribute attribute{spec.name, spec.type, spec.fallback, 1, {}};
    std::vector<Value> values;
    if (!spec.fallback.is_null()) values.push_back(spec.fallback);
    for (const Case& one_case : cases_) {
      values.push_back(one_case.attributes.at(spec.name));
    }
    for (const Value& value : values) {
      if (value.is_array()) {
        attribute.most_elements =
            std::max(attribute.most_elements, value.size());
      } else if (value.is_string()) {
        attribute.strings.push_back(value.get<std::string>());
      }
    }
    std::sort(attribute.strings.begin(), attribute.strings.end());
    attribute.strings.erase(
        std::unique(attribute.strings.begin(), attribute.strings.end()),
        attribute.strings.end());
    return attribute;
  }

  const Task& task_;
  std::vector<Case> cases_;
  std::vector<std::map<std::string, DType>> columns_;
};

}  // namespace

ExportSignature SignatureOf(const Task& task, const Case* only) {
  return Builder(task, only).Build();
}

std::string HostNameOf(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return "DT_FLOAT16";
    case DType::kBfloat16:
      return "DT_BF16";
    case DType::kFloat:
      return "DT_FLOAT";
    case DType::kDouble:
      return "DT_DOUBLE";
    case DType::kInt8:
      return "DT_INT8";
    case DType::kUint8:
      return "DT_UINT8";
    case DType::kInt16:
      return "DT_INT16";
    case DType::kUint16:
      return "DT_UINT16";
    case DType::kInt32:
      return "DT_INT32";
    case DType::kUint32:
      return "DT_UINT32";
    case DType::kInt64:
      return "DT_INT64";
    case DType::kUint64:
      return "DT_UINT64";
    case DType::kBool:
      return "DT_BOOL";
    case DType::kComplex64:
      return "DT_COMPLEX64";
    default:
      throw InternalError("[export] dtype without a name on the host");
  }
}

std::string TypeName(std::string_view name) {
  std::string type;
  bool at_start = true;
  for (const char c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) {
      at_start = true;
      continue;
    }
    type += at_start ? Upper(c) : c;
    at_start = false;
  }
  return type;
}

}  // namespace belay::bench
