// SPDX-License-Identifier: Apache-2.0
#include "guest/operator_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace belay::guest {
namespace {

struct NamedText {
  std::string name;
  std::string text;
};

NamedText SplitName(const std::string& option, const std::string& text,
                    const char* example) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UserError(fmt::format("[run] {} takes NAME=…, like {}, not '{}'",
                                option, example, text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// Takes ":dtype" off the end of a text; kNone when there is none.
DType TakeDType(std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return DType::kNone;
  const auto dtype = ParseDType(text.substr(colon + 1));
  if (!dtype) return DType::kNone;
  text.resize(colon);
  return *dtype;
}

bool IsBracketed(const std::string& text) {
  return text.size() >= 2 && text.front() == '[' && text.back() == ']';
}

std::vector<TensorFile> ParseFiles(const std::string& text) {
  std::vector<TensorFile> files;
  for (std::string part : SplitList(text, ',')) {
    TensorFile file;
    file.read_as = TakeDType(part);
    file.path = part;
    files.push_back(std::move(file));
  }
  return files;
}

constexpr std::string_view kShapePrefix = "shape:";

TensorFile ParseShapeOnly(const std::string& text) {
  std::string sizes =
      text.substr(std::min(text.size(), std::string(kShapePrefix).size()));
  TensorFile tensor;
  tensor.read_as = TakeDType(sizes);
  if (!text.starts_with(kShapePrefix) || tensor.read_as == DType::kNone) {
    throw UserError(fmt::format(
        "[run] '{}' is no shape: write shape:SIZES:TYPE, like shape:8,16:f32",
        text));
  }
  tensor.shape = ParseShape(sizes);
  return tensor;
}

OutputRequest& OutputOf(const std::string& name,
                        std::vector<OutputRequest>& outputs) {
  const auto found = std::find_if(
      outputs.begin(), outputs.end(),
      [&](const OutputRequest& output) { return output.name == name; });
  if (found != outputs.end()) return *found;
  outputs.push_back({name, {}, "", {}, {}});
  return outputs.back();
}

}  // namespace

std::vector<std::string> SplitList(const std::string& text, char separator) {
  if (!IsBracketed(text)) return {text};
  const std::string inside = text.substr(1, text.size() - 2);
  std::vector<std::string> parts;
  if (inside.empty()) return parts;
  parts.emplace_back();
  int depth = 0;
  for (const char c : inside) {
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c == separator && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

Array ReadTensor(const TensorFile& file) {
  if (file.shape) {
    Array array;
    array.dtype = file.read_as;
    array.shape = *file.shape;
    return array;
  }
  Array array = ReadNpy(file.path);
  if (file.read_as == DType::kNone) return array;
  if (BitsOf(file.read_as) != BitsOf(array.dtype)) {
    throw UserError(fmt::format(
        "[run] '{}' holds {}, which cannot be read as {}: both must have the "
        "same number of bits (uint16 files hold bf16)",
        file.path, NameOf(array.dtype), NameOf(file.read_as)));
  }
  array.dtype = file.read_as;
  return array;
}

InputRequest ParseInput(const std::string& text) {
  auto [name, value] = SplitName("--in", text, "x=x.npy");
  InputRequest input;
  input.name = name;
  if (value == "none") {
    input.form = InputRequest::Form::kAbsent;
  } else if (value.starts_with("scalar:")) {
    input.form = InputRequest::Form::kScalar;
    value = value.substr(7);
    input.scalar_dtype = TakeDType(value);
    input.scalars = SplitList(value, ',');
  } else if (value.starts_with(kShapePrefix)) {
    input.files = {ParseShapeOnly(value)};
  } else if (value.starts_with("[" + std::string(kShapePrefix))) {
    input.form = InputRequest::Form::kList;
    for (const std::string& part : SplitList(value, ';')) {
      input.files.push_back(ParseShapeOnly(part));
    }
  } else {
    input.form = IsBracketed(value) ? InputRequest::Form::kList
                                    : InputRequest::Form::kTensor;
    input.files = ParseFiles(value);
  }
  return input;
}

AttributeRequest ParseAttribute(const std::string& text) {
  // An empty value is an empty string.
  const size_t equals = text.find('=');
  if (equals != std::string::npos && equals > 0 && equals + 1 == text.size()) {
    return {text.substr(0, equals), ""};
  }
  const auto [name, value] = SplitName("--attr", text, "eps=1e-5");
  return {name, value};
}

void ParseOutputFile(const std::string& text,
                     std::vector<OutputRequest>& outputs) {
  const auto [name, value] = SplitName("--out", text, "y=y.npy");
  OutputOf(name, outputs).files = SplitList(value, ',');
}

void ParseOutputLike(const std::string& text,
                     std::vector<OutputRequest>& outputs) {
  const auto [name, value] = SplitName("--out-like", text, "y=x");
  OutputOf(name, outputs).like = value;
}

void ParseOutputShape(const std::string& text,
                      std::vector<OutputRequest>& outputs) {
  const auto [name, value] = SplitName("--out-shape", text, "y=8,16:f16");
  OutputRequest& output = OutputOf(name, outputs);
  for (std::string part : SplitList(value, ';')) {
    OutputShape shape;
    shape.dtype = TakeDType(part);
    if (const size_t colon = part.find(':'); colon != std::string::npos) {
      throw UserError(fmt::format(
          "[run] --out-shape {}: '{}' is no type; types are f16, bf16, f32, "
          "i8, i32, …",
          text, part.substr(colon + 1)));
    }
    shape.shape = ParseShape(part);
    output.shapes.push_back(std::move(shape));
  }
}

void ParseExpected(const std::string& text,
                   std::vector<OutputRequest>& outputs) {
  const auto [name, value] = SplitName("--expect", text, "y=golden.npy");
  OutputOf(name, outputs).expected = ParseFiles(value);
}

}  // namespace belay::guest
