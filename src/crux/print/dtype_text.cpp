// SPDX-License-Identifier: Apache-2.0
#include "crux/print/dtype_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

std::string UpperCase(std::string_view name) {
  std::string result;
  for (const char c : name) {
    result += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return result;
}

// (T == a && P == b) || …, by `equals`; variables that never differ are left
// out.
template <typename Equals>
std::string AnyOf(const typed::Kernel& kernel,
                  const std::vector<std::vector<DType>>& choices,
                  const Equals& equals) {
  const auto varies = [&](size_t variable) {
    const std::vector<DType>& allowed = kernel.dtypes[variable]->allowed;
    return std::any_of(allowed.begin(), allowed.end(),
                       [&](DType dtype) { return dtype != allowed.front(); });
  };
  std::vector<std::string> alternatives;
  for (const std::vector<DType>& choice : choices) {
    std::vector<std::string> parts;
    for (size_t i = 0; i < choice.size(); ++i) {
      if (varies(i)) parts.push_back(equals(*kernel.dtypes[i], choice[i]));
    }
    const bool wrap = parts.size() > 1 && choices.size() > 1;
    alternatives.push_back(fmt::format(
        "{}{}{}", wrap ? "(" : "", fmt::join(parts, " && "), wrap ? ")" : ""));
  }
  return fmt::format("{}", fmt::join(alternatives, " || "));
}

}  // namespace

std::string GeName(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return "DT_BOOL";
    case DType::kHalf:
      return "DT_FLOAT16";
    case DType::kBfloat16:
      return "DT_BF16";
    case DType::kFloat:
      return "DT_FLOAT";
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
    default:
      throw InternalError(
          fmt::format("[crux] {} has no name in ge", belay::NameOf(dtype)));
  }
}

const typed::Parameter& CarrierOf(const typed::Kernel& kernel,
                                  const DtypeVariable& variable) {
  const typed::Parameter* found = nullptr;
  for (const typed::Parameter* parameter : kernel.parameters) {
    if (parameter->type.element.variable != &variable) continue;
    const auto rank = [](const typed::Parameter& p) {
      return (p.role == typed::ParameterRole::kOut ? 2 : 0) +
             (p.optional ? 1 : 0);
    };
    if (found == nullptr || rank(*parameter) < rank(*found)) {
      found = parameter;
    }
  }
  if (found == nullptr) {
    throw InternalError("[crux] a dtype variable that no parameter has");
  }
  return *found;
}

std::string DtypeCondition(const typed::Kernel& kernel,
                           const std::vector<std::vector<DType>>& dtypes,
                           Road road) {
  const std::string text =
      AnyOf(kernel, dtypes, [&](const DtypeVariable& variable, DType dtype) {
        return fmt::format("{} == {}", LegalName(variable.name),
                           road == Road::kProject
                               ? "ge::" + GeName(dtype)
                               : fmt::format("\"{}\"", belay::NameOf(dtype)));
      });
  return text;
}

std::string DtypeDirective(const typed::Kernel& kernel,
                           const std::vector<std::vector<DType>>& dtypes) {
  return AnyOf(kernel, dtypes, [&](const DtypeVariable& variable, DType dtype) {
    return fmt::format("ORIG_DTYPE_{} == {}",
                       UpperCase(CarrierOf(kernel, variable).name),
                       GeName(dtype));
  });
}

std::vector<DType> ColumnsOf(const typed::Kernel& kernel,
                             const typed::Parameter& parameter,
                             const std::vector<std::vector<DType>>& choices) {
  std::vector<DType> columns;
  const Element& element = parameter.type.element;
  for (const std::vector<DType>& choice : choices) {
    DType dtype = element.dtype;
    for (size_t i = 0; i < choice.size(); ++i) {
      if (element.variable == kernel.dtypes[i]) dtype = choice[i];
    }
    // value(…) without a dtype takes i32 and i64; a column has one.
    columns.push_back(dtype == DType::kNone ? DType::kInt64 : dtype);
  }
  return columns;
}

}  // namespace belay::crux::print
