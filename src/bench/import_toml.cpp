// SPDX-License-Identifier: Apache-2.0
#include "bench/import_toml.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace belay::bench {
namespace {

// A value as TOML writes it; objects as inline tables.
std::string ToTomlText(const Value& value) {
  if (!value.is_object()) return value.dump();
  std::vector<std::string> parts;
  for (const auto& [name, element] : value.items()) {
    parts.push_back(fmt::format("{} = {}", name, element.dump()));
  }
  return fmt::format("{{ {} }}", fmt::join(parts, ", "));
}

std::string TypeOf(const Value& value) {
  const bool list = value.is_array();
  const Value& element = list && !value.empty() ? value.front() : value;
  std::string type = element.is_boolean()        ? "bool"
                     : element.is_string()       ? "string"
                     : element.is_number_float() ? "float"
                                                 : "int";
  return list ? type + "_list" : type;
}

std::string Annotation(const Value& value) {
  const std::string type = TypeOf(value);
  if (type == "string") return "str";
  if (type == "int_list") return "List[int]";
  if (type == "float_list") return "List[float]";
  return type;
}

DType TypeOf(const ModelInput& input) {
  switch (input.kind) {
    case ModelInput::Kind::kInteger:
      return DType::kInt64;
    case ModelInput::Kind::kMask:
      return DType::kBool;
    default:
      return DType::kFloat;
  }
}

std::string ValuesText(const ModelInput& input, const Draft& draft) {
  switch (input.kind) {
    case ModelInput::Kind::kInteger:
      return fmt::format("{{ kind = \"index\", low = \"{}\", high = \"{}\" }}",
                         input.low, input.high);
    case ModelInput::Kind::kMask:
      return "\"mask\"";
    case ModelInput::Kind::kProbability:
      return "\"probability\"";
    case ModelInput::Kind::kUniform:
    case ModelInput::Kind::kNormal:
      break;
  }
  const bool fraction =
      input.kind == ModelInput::Kind::kUniform && !draft.uniform_is_real;
  return fmt::format("{{ kind = \"{}\", magnitude = {} }}",
                     fraction ? "fraction" : "real", input.factor);
}

std::string Specification(const Model& model, const Draft& draft) {
  std::string text =
      "The operator computes what this PyTorch code does, in exact "
      "arithmetic:\n\n";
  for (const std::string& line : model.body) text += line + "\n";
  text += "\n";
  for (const ModelInput& input : model.inputs) {
    text += fmt::format("* {} is an input, {} of the shape {}.\n", input.name,
                        NameOf(TypeOf(input)), input.shape);
  }
  for (const ModelAttribute& attribute : model.attributes) {
    text += fmt::format("* {} is {}.\n", attribute.name, attribute.expression);
  }
  for (const ImportedOutput& output : draft.outputs) {
    text +=
        fmt::format("* {} is an output, {} of the shape {}.\n", output.name,
                    NameOf(output.dtype),
                    output.shape == "?" ? "that the data gives" : output.shape);
  }
  text += "* NaN and infinities go where PyTorch lets them go.\n";
  return text;
}

}  // namespace

bool AddsUp(const Model& model) {
  static constexpr std::array<std::string_view, 8> kSums = {
      "sum(", "mean(", "matmul(", "mm(", "einsum(", "pool", "norm", " @ "};
  for (const std::string& line : model.body) {
    for (const std::string_view word : kSums) {
      if (line.find(word) != std::string::npos) return true;
    }
  }
  return false;
}

Value SizesOf(const Model& model) {
  Value sizes = Value::object();
  for (const ModelSize& size : model.sizes) sizes[size.name] = size.value;
  return sizes;
}

std::string DraftToml(const Model& model, const Draft& draft,
                      const ImportOptions& options) {
  std::string text = fmt::format(
      "level = {}\nsource = {}\nsummary = {}\nformula = {}\n"
      "specification = '''\n{}'''\n",
      options.level, Value(options.source).dump(),
      Value(fmt::format("{} as {} gives it.", draft.name, options.source))
          .dump(),
      Value(fmt::format("forward() of {}", model.file.filename().string()))
          .dump(),
      Specification(model, draft));
  for (const ModelInput& input : model.inputs) {
    text += fmt::format(
        "\n[[input]]\nname = \"{}\"\ndescription = \"An input of "
        "forward().\"\ndtype = \"{}\"\nshape = \"{}\"\nvalues = {}\n",
        input.name, NameOf(TypeOf(input)), input.shape,
        ValuesText(input, draft));
  }
  for (const ModelAttribute& attribute : model.attributes) {
    text += fmt::format(
        "\n[[attribute]]\nname = \"{}\"\ndescription = \"Follows the "
        "sizes.\"\ntype = \"{}\"\nvalue = \"{}\"\n",
        attribute.name, TypeOf(attribute.value), attribute.expression);
  }
  for (const ImportedOutput& output : draft.outputs) {
    text += fmt::format(
        "\n[[output]]\nname = \"{}\"\ndescription = \"What forward() "
        "returns.\"\ndtype = \"{}\"\nshape = \"{}\"\n{}",
        output.name, NameOf(output.dtype), output.shape,
        draft.scale && output.dtype == DType::kFloat ? "scale = true\n" : "");
  }
  std::vector<std::string> sizes;
  for (const Value& one : draft.edge_sizes) sizes.push_back(ToTomlText(one));
  if (!sizes.empty()) {
    text += fmt::format("\n[[cases]]\nkind = \"edge\"\nsizes = [{}]\n",
                        fmt::join(sizes, ", "));
  }
  if (!draft.regimes.empty()) {
    std::vector<std::string> regimes;
    for (const Regime regime : draft.regimes) {
      regimes.push_back(fmt::format("\"{}\"", NameOf(regime)));
    }
    text += fmt::format(
        "\n[[cases]]\nkind = \"edge\"\nsizes = [{}]\nregimes = [{}]\n",
        ToTomlText(draft.regime_sizes), fmt::join(regimes, ", "));
  }
  if (draft.with_file_sizes) {
    text += fmt::format(
        "\n[[cases]]\nkind = \"real\"\nnote = \"the sizes of the "
        "file\"\nsizes = [{}]\n{}",
        ToTomlText(SizesOf(model)), draft.large ? "lint = false\n" : "");
  }
  return text;
}

std::string DraftReference(const Model& model, const Draft& draft) {
  std::vector<std::string> parameters;
  for (const ModelInput& input : model.inputs) {
    parameters.push_back(input.name + ": torch.Tensor");
  }
  for (const ModelAttribute& attribute : model.attributes) {
    parameters.push_back(attribute.name + ": " + Annotation(attribute.value));
  }
  std::string text =
      "import math\nfrom typing import List, Optional, Tuple\n\nimport torch\n"
      "import torch.nn.functional as F\n";
  for (const std::string& line : model.helpers) {
    text += (line.starts_with("def ") ? "\n\n" : "") + line + "\n";
  }
  for (const char* function : {"reference", "eager"}) {
    text +=
        fmt::format("\n\ndef {}({}):\n{}\n", function,
                    fmt::join(parameters, ", "), fmt::join(model.body, "\n"));
  }
  if (!draft.own_scale) return text;
  std::vector<std::string> names;
  for (const ModelInput& input : model.inputs) names.push_back(input.name);
  for (const ModelAttribute& one : model.attributes) names.push_back(one.name);
  std::vector<std::string> results;
  std::vector<std::string> scales;
  for (size_t i = 0; i < draft.outputs.size(); ++i) {
    results.push_back(fmt::format("result{}", i));
    scales.push_back(draft.outputs[i].dtype == DType::kFloat
                         ? fmt::format("magnitude(result{})", i)
                         : results.back());
  }
  text += fmt::format(
      "\n\ndef magnitude(y: torch.Tensor) -> torch.Tensor:\n"
      "    finite = torch.where(torch.isfinite(y), y, torch.zeros_like(y))\n"
      "    return torch.abs(y) + torch.sqrt(torch.mean(finite * finite))\n"
      "\n\ndef scale({}):\n    {} = reference({})\n    return {}\n",
      fmt::join(parameters, ", "), fmt::join(results, ", "),
      fmt::join(names, ", "), fmt::join(scales, ", "));
  return text;
}

}  // namespace belay::bench
