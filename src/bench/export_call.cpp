// SPDX-License-Identifier: Apache-2.0
// The calls of an exported question.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/export_project.h"

namespace belay::bench {
namespace {

// "[a,b]" for a list, "a" for one.
std::string Listed(const std::vector<std::string>& parts, bool list,
                   std::string_view separator = ",") {
  return list ? fmt::format("[{}]", fmt::join(parts, separator)) : parts.at(0);
}

// The files of a tensor or of a list of them.
std::string Files(const std::string& folder, std::string_view role,
                  const std::string& name, size_t count, bool list,
                  std::string_view read_as) {
  std::vector<std::string> files;
  for (size_t i = 0; i < count; ++i) {
    files.push_back(
        fmt::format("{}/{}.{}.{}.npy{}", folder, role, name, i, read_as));
  }
  return Listed(files, list);
}

}  // namespace

std::string ValueText(const Value& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::vector<std::string> parts;
  for (const Value& element : value) parts.push_back(ValueText(element));
  return Listed(parts, true);
}

int64_t LargestInput(const Task& task, const Case& one_case) {
  int64_t largest = 0;
  for (const InputSpec& input : task.inputs) {
    for (const Shape& shape : InputShapes(input, one_case)) {
      largest = std::max(largest, ElementCount(shape));
    }
  }
  return largest;
}

std::vector<std::string> CallArguments(const Task& task, const Case& one_case,
                                       const std::string& data) {
  const std::string folder = data + "/" + one_case.name;
  std::vector<std::string> call;
  const auto add = [&call](const char* option, const std::string& name,
                           const std::string& value) {
    call.push_back(option);
    call.push_back(name + "=" + value);
  };
  for (const InputSpec& input : task.inputs) {
    if (!IsPresent(input, one_case)) continue;
    const bool bf16 = DTypeOf(input.dtype, one_case) == DType::kBfloat16;
    add("--in", input.name,
        Files(folder, "input", input.name, InputShapes(input, one_case).size(),
              input.list, bf16 ? ":bf16" : ""));
  }
  for (const AttributeSpec& attribute : task.attributes) {
    const std::string value = ValueText(one_case.attributes[attribute.name]);
    if (attribute.scalar.empty()) {
      add("--attr", attribute.name, value);
    } else {
      add("--in", attribute.name,
          fmt::format("scalar:{}:{}", value,
                      NameOf(DTypeOf(attribute.scalar, one_case))));
    }
  }
  for (const OutputSpec& output : task.outputs) {
    if (!IsPresent(output, one_case)) continue;
    const auto shapes = OutputShapes(output, one_case);
    if (!shapes) {
      add("--out-shape", output.name,
          fmt::format("{}:{}", LargestInput(task, one_case),
                      NameOf(DTypeOf(output.dtype, one_case))));
      continue;
    }
    const bool in_place = !output.in_place.empty();
    const std::string& name = in_place ? output.in_place : output.name;
    if (!in_place) {
      std::vector<std::string> sizes;
      for (const Shape& shape : *shapes) {
        sizes.push_back(fmt::format("{}:{}", ToText(shape),
                                    NameOf(DTypeOf(output.dtype, one_case))));
      }
      add("--out-shape", name, Listed(sizes, output.list, ";"));
    }
    add("--expect", name,
        Files(folder, "reference", output.name, shapes->size(), output.list,
              ""));
  }
  return call;
}

}  // namespace belay::bench
