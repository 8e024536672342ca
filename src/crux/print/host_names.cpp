// SPDX-License-Identifier: Apache-2.0
// Where sizes are bound, and what things of the host are called.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "crux/print/host_text.h"
#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

using typed::Parameter;
using typed::ParameterDim;

bool Binds(const ParameterDim& dim, std::string_view name) {
  if (!dim.pack.empty()) return dim.pack == name;
  return dim.binds && dim.expr->kind == typed::ExprKind::kSize &&
         dim.expr->text == name;
}

bool IsInput(const Parameter& parameter) {
  return parameter.role != typed::ParameterRole::kOut &&
         parameter.role != typed::ParameterRole::kAttribute;
}

}  // namespace

bool IsOfElements(const typed::Kernel& kernel, std::string_view name) {
  for (const Parameter* parameter : kernel.parameters) {
    if (parameter->list) continue;
    for (const ParameterDim& dim : parameter->dims) {
      if (Binds(dim, name)) return false;
    }
  }
  return true;
}

Binding BindingOf(const typed::Kernel& kernel, std::string_view name) {
  const bool of_elements = IsOfElements(kernel, name);
  Binding result;
  for (const Parameter* parameter : kernel.parameters) {
    if (!IsInput(*parameter) || parameter->list != of_elements) continue;
    if (result.parameter != nullptr &&
        (parameter->optional || !result.parameter->optional)) {
      continue;
    }
    for (size_t i = 0; i < parameter->dims.size(); ++i) {
      if (!Binds(parameter->dims[i], name)) continue;
      result = {parameter, i};
      break;
    }
  }
  return result;
}

bool IsOfKnownRank(const Parameter& parameter) {
  return !parameter.list && !parameter.optional &&
         std::all_of(parameter.dims.begin(), parameter.dims.end(),
                     [](const ParameterDim& dim) { return dim.pack.empty(); });
}

bool BindsAllDims(const typed::Kernel& kernel, const Parameter& parameter) {
  if (parameter.list || parameter.optional || parameter.dims.empty()) {
    return false;
  }
  for (size_t i = 0; i < parameter.dims.size(); ++i) {
    const ParameterDim& dim = parameter.dims[i];
    const bool named = !dim.pack.empty() ||
                       (dim.binds && dim.expr->kind == typed::ExprKind::kSize);
    if (!named) return false;
    const Binding binding =
        BindingOf(kernel, dim.pack.empty() ? dim.expr->text : dim.pack);
    if (binding.parameter != &parameter || binding.dim != i) return false;
  }
  return true;
}

const Parameter* OneOfTheShape(const typed::Kernel& kernel,
                               const Parameter& parameter) {
  const auto same = [](const ParameterDim& a, const ParameterDim& b) {
    if (a.upto || b.upto || a.pack != b.pack) return false;
    return !a.pack.empty() || (a.expr->kind == typed::ExprKind::kSize &&
                               b.expr->kind == typed::ExprKind::kSize &&
                               a.expr->text == b.expr->text);
  };
  for (const Parameter* one : kernel.parameters) {
    if (one != &parameter && IsInput(*one) && !parameter.list &&
        BindsAllDims(kernel, *one) &&
        std::equal(one->dims.begin(), one->dims.end(), parameter.dims.begin(),
                   parameter.dims.end(), same)) {
      return one;
    }
  }
  return nullptr;
}

std::string BoundSize(const Binding& binding, const std::string& dims) {
  const std::vector<ParameterDim>& all = binding.parameter->dims;
  for (size_t i = 0; i < binding.dim; ++i) {
    if (all[i].pack.empty()) continue;
    return fmt::format("SizeAt({0}, {0}.size() - {1})", dims,
                       all.size() - binding.dim);
  }
  return fmt::format("SizeAt({}, {})", dims, binding.dim);
}

std::string DimsName(const Parameter& parameter) {
  return parameter.name + "_dims";
}

std::string PresenceName(const Parameter& parameter) {
  return "has_" + parameter.name;
}

std::string QuotedText(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    switch (c) {
      case '\n':
        result += "\\n";
        break;
      case '"':
      case '\\':
        result += '\\';
        [[fallthrough]];
      default:
        result += c;
    }
  }
  return result + "\"";
}

std::vector<std::string> DefinitionOf(HostHelper helper) {
  switch (helper) {
    case HostHelper::kDim:
      return {"// From the end if `at` is negative; -1 if there is none.",
              "int64_t Dim(const Dims& dims, int64_t at) {",
              "  if (at < 0) at += dims.size();",
              "  return at < 0 || at >= int64_t(dims.size()) ? -1 : dims[at];",
              "}"};
    case HostHelper::kSizeAt:
      return {"// -1 if there is none.",
              "int64_t SizeAt(const Dims& dims, size_t at) {",
              "  return at < dims.size() ? dims[at] : -1;", "}"};
    case HostHelper::kProduct:
      return {"int64_t Product(const Dims& dims) {", "  int64_t product = 1;",
              "  for (const int64_t size : dims) product *= size;",
              "  return product;", "}"};
    case HostHelper::kPart:
      return {"// Without the first and the last few sizes.",
              "Dims Part(const Dims& dims, size_t before, size_t after) {",
              "  if (dims.size() < before + after) return {};",
              "  return Dims(dims.begin() + before, dims.end() - after);", "}"};
    case HostHelper::kJoined:
      return {"Dims Joined(const std::vector<Dims>& parts) {",
              "  Dims all;",
              "  for (const Dims& part : parts) {",
              "    all.insert(all.end(), part.begin(), part.end());",
              "  }",
              "  return all;",
              "}"};
    case HostHelper::kAround:
      return {"// Sizes before dimension `at`, its own, and those behind it.",
              "Dims Around(const Dims& dims, int64_t at) {",
              "  if (at < 0) at += static_cast<int64_t>(dims.size());",
              "  Dims around = {1, 1, 1};",
              "  for (int64_t i = 0; i < static_cast<int64_t>(dims.size()); "
              "++i) {",
              "    around[i < at ? 0 : i == at ? 1 : 2] *= dims[i];",
              "  }",
              "  return around;",
              "}"};
    case HostHelper::kReshaped:
      return {"// One size may be -1: what is left.",
              "Dims Reshaped(const Dims& dims, Dims sizes) {",
              "  const int64_t known = Product(sizes);",
              "  for (int64_t& size : sizes) {",
              "    if (size == -1) size = known == 0 ? 0 : Product(dims) / "
              "-known;",
              "  }",
              "  return sizes;",
              "}"};
    case HostHelper::kPower:
      return {"int64_t Power(int64_t base, int64_t exponent) {",
              "  int64_t power = 1;",
              "  for (int64_t i = 0; i < exponent; ++i) power *= base;",
              "  return power;", "}"};
  }
  throw InternalError("[crux] a helper of the host without a definition");
}

}  // namespace belay::crux::print
