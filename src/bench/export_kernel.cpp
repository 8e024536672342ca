// SPDX-License-Identifier: Apache-2.0
#include "bench/export_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "bench/append_text.h"

namespace belay::bench {
namespace {

void AppendShapes(const std::string& name, bool list,
                  const std::vector<Shape>& shapes, std::string& text) {
  const std::string constant = "k" + TypeName(name);
  if (list) {
    std::vector<int64_t> elements;
    Append(text, "constexpr uint32_t {}Count = {};\n", constant, shapes.size());
    for (const Shape& shape : shapes) {
      Append(text, "// {}[{}] has the shape [{}]\n", name, elements.size(),
             ToText(shape));
      elements.push_back(ElementCount(shape));
    }
    if (elements.empty()) return;
    Append(text, "constexpr int64_t {}Elements[] = {{{}}};\n", constant,
           fmt::join(elements, ", "));
    return;
  }
  Append(text, "constexpr uint32_t {}Rank = {};\n", constant, shapes[0].size());
  Append(text, "constexpr int64_t {}Elements = {};\n", constant,
         ElementCount(shapes[0]));
  if (shapes[0].empty()) return;
  Append(text, "constexpr int64_t {}Shape[] = {{{}}};\n", constant,
         fmt::join(shapes[0], ", "));
}

// A number as C++ writes it; NaN and infinities as what gives them.
std::string Number(const Value& value) {
  if (!value.is_number_float()) return value.dump();
  const double number = value.get<double>();
  if (std::isnan(number)) return "__builtin_nanf(\"\")";
  if (std::isinf(number)) {
    return number > 0 ? "__builtin_inff()" : "-__builtin_inff()";
  }
  return fmt::format("static_cast<float>({})", value.dump());
}

void AppendAttribute(const AttributeSpec& attribute, const Value& value,
                     std::string& text) {
  const std::string constant = "k" + TypeName(attribute.name);
  const bool real = attribute.type == AttributeType::kFloat ||
                    attribute.type == AttributeType::kFloatList;
  const std::string_view type = real ? "float"
                                : attribute.type == AttributeType::kBool
                                    ? "bool"
                                    : "int64_t";
  if (value.is_string()) {
    Append(text, "// {} is \"{}\"\n", attribute.name, value.get<std::string>());
  } else if (value.is_array()) {
    Append(text, "constexpr uint32_t {}Count = {};\n", constant, value.size());
    if (value.empty()) return;
    std::vector<std::string> numbers;
    for (const Value& element : value) numbers.push_back(Number(element));
    Append(text, "constexpr {} {}[] = {{{}}};\n", type, constant,
           fmt::join(numbers, ", "));
  } else {
    Append(text, "constexpr {} {} = {};\n", type, constant, Number(value));
  }
}

std::string Constants(const Task& task, const Case& only) {
  std::string text = fmt::format("// The case: {}.\n", Describe(task, only));
  for (const InputSpec& input : task.inputs) {
    if (IsPresent(input, only)) {
      AppendShapes(input.name, input.list, InputShapes(input, only), text);
    } else {
      Append(text, "// {} is absent\n", input.name);
    }
  }
  for (const OutputSpec& output : task.outputs) {
    if (!output.in_place.empty()) continue;
    if (!IsPresent(output, only)) {
      Append(text, "// {} is absent\n", output.name);
    } else if (const auto shapes = OutputShapes(output, only)) {
      AppendShapes(output.name, output.list, *shapes, text);
    }
  }
  for (const AttributeSpec& attribute : task.attributes) {
    AppendAttribute(attribute, only.attributes.at(attribute.name), text);
  }
  return text + "\n";
}

}  // namespace

std::string KernelText(const Task& task, const ExportSignature& signature,
                       const Case* only) {
  std::string text = fmt::format(
      "// {}\n#include \"kernel_operator.h\"\n\nusing namespace AscendC;\n\n",
      task.summary);
  if (only != nullptr) text += Constants(task, *only);
  Append(text, "extern \"C\" __global__ __aicore__ void {}(\n",
         signature.kernel);
  for (const ExportParameter& input : signature.inputs) {
    Append(text, "    GM_ADDR {},\n", input.kernel_name);
  }
  for (const ExportParameter& output : signature.outputs) {
    Append(text, "    GM_ADDR {},\n", output.kernel_name);
  }
  text +=
      "    GM_ADDR workspace, GM_ADDR tiling) {\n"
      "  GET_TILING_DATA(tiling_data, tiling);\n"
      "  // Write the kernel here.\n"
      "}\n";
  return text;
}

}  // namespace belay::bench
