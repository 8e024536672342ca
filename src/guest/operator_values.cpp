// SPDX-License-Identifier: Apache-2.0
// From texts of the command line to attributes and host scalars.

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "base/float16.h"
#include "guest/operator_binding.h"

namespace belay::guest {
namespace {

using runtime::Attribute;
using runtime::AttributeValue;

// What a text of each type looks like.
const char* ExampleOf(Attribute::Type type) {
  switch (type) {
    case Attribute::Type::kBool:
      return "true or false";
    case Attribute::Type::kInt:
      return "a whole number, like 3";
    case Attribute::Type::kFloat:
      return "a number, like 1e-5";
    case Attribute::Type::kString:
      return "a text";
    case Attribute::Type::kListBool:
      return "a list, like [true,false]";
    case Attribute::Type::kListInt:
      return "a list, like [0,1]";
    case Attribute::Type::kListFloat:
      return "a list, like [0.5,1]";
    case Attribute::Type::kListListInt:
      return "a list of lists, like [[0,1],[2]]";
  }
  return "";
}

std::string Trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

template <typename T>
std::optional<T> ParseNumber(const std::string& raw) {
  const std::string text = Trimmed(raw);
  if constexpr (std::is_same_v<T, bool>) {
    if (text == "true" || text == "True" || text == "1") return true;
    if (text == "false" || text == "False" || text == "0") return false;
    return std::nullopt;
  } else if constexpr (std::is_floating_point_v<T>) {
    if (text.empty()) return std::nullopt;
    char* end = nullptr;
    const T value = static_cast<T>(std::strtod(text.c_str(), &end));
    if (end != text.c_str() + text.size()) return std::nullopt;
    return value;
  } else {
    T value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      return std::nullopt;
    }
    return value;
  }
}

template <typename T>
std::optional<std::vector<T>> ParseNumbers(const std::string& raw) {
  const std::string text = Trimmed(raw);
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
    return std::nullopt;
  }
  std::vector<T> values;
  for (const std::string& part : SplitList(text, ',')) {
    const auto value = ParseNumber<T>(part);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::optional<std::vector<std::vector<int64_t>>> ParseNested(
    const std::string& raw) {
  const std::string text = Trimmed(raw);
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
    return std::nullopt;
  }
  std::vector<std::vector<int64_t>> lists;
  for (const std::string& part : SplitList(text, ',')) {
    auto list = ParseNumbers<int64_t>(part);
    if (!list) return std::nullopt;
    lists.push_back(std::move(*list));
  }
  return lists;
}

template <typename T>
AttributeValue OrMonostate(std::optional<T> value) {
  if (!value) return std::monostate{};
  return std::move(*value);
}

AttributeValue ParseByType(Attribute::Type type, const std::string& text) {
  switch (type) {
    case Attribute::Type::kBool:
      return OrMonostate(ParseNumber<bool>(text));
    case Attribute::Type::kInt:
      return OrMonostate(ParseNumber<int64_t>(text));
    case Attribute::Type::kFloat:
      return OrMonostate(ParseNumber<float>(text));
    case Attribute::Type::kString:
      return text;
    case Attribute::Type::kListBool:
      return OrMonostate(ParseNumbers<bool>(text));
    case Attribute::Type::kListInt:
      return OrMonostate(ParseNumbers<int64_t>(text));
    case Attribute::Type::kListFloat:
      return OrMonostate(ParseNumbers<float>(text));
    case Attribute::Type::kListListInt:
      return OrMonostate(ParseNested(text));
  }
  return std::monostate{};
}

template <typename T>
bool Append(const std::string& text, std::vector<std::byte>& data) {
  const auto value = ParseNumber<T>(text);
  if (!value) return false;
  const auto* bytes = reinterpret_cast<const std::byte*>(&*value);
  data.insert(data.end(), bytes, bytes + sizeof(T));
  return true;
}

template <typename T, T (*Convert)(float)>
bool AppendRounded(const std::string& text, std::vector<std::byte>& data) {
  const auto value = ParseNumber<float>(text);
  if (!value) return false;
  const T rounded = Convert(*value);
  const auto* bytes = reinterpret_cast<const std::byte*>(&rounded);
  data.insert(data.end(), bytes, bytes + sizeof(T));
  return true;
}

bool AppendScalar(const std::string& text, DType dtype,
                  std::vector<std::byte>& data) {
  switch (dtype) {
    case DType::kBool:
      return Append<bool>(text, data);
    case DType::kInt8:
      return Append<int8_t>(text, data);
    case DType::kUint8:
      return Append<uint8_t>(text, data);
    case DType::kInt16:
      return Append<int16_t>(text, data);
    case DType::kUint16:
      return Append<uint16_t>(text, data);
    case DType::kInt32:
      return Append<int32_t>(text, data);
    case DType::kUint32:
      return Append<uint32_t>(text, data);
    case DType::kInt64:
      return Append<int64_t>(text, data);
    case DType::kUint64:
      return Append<uint64_t>(text, data);
    case DType::kFloat:
      return Append<float>(text, data);
    case DType::kDouble:
      return Append<double>(text, data);
    case DType::kHalf:
      return AppendRounded<Half, HalfFromFloat>(text, data);
    case DType::kBfloat16:
      return AppendRounded<Bfloat16, BfloatFromFloat>(text, data);
    case DType::kNone:
    case DType::kInt4:
    case DType::kComplex64:
      break;
  }
  return false;
}

}  // namespace

AttributeValue ParseAttributeValue(const Attribute& attribute,
                                   const std::string& text) {
  AttributeValue value = ParseByType(attribute.type, text);
  if (std::holds_alternative<std::monostate>(value)) {
    RefuseCall(fmt::format("attribute '{}' is of type {}: give {}, not '{}'",
                           attribute.name, NameOf(attribute.type),
                           ExampleOf(attribute.type), text));
  }
  return value;
}

Array MakeScalars(const std::vector<std::string>& texts, DType dtype,
                  const std::string& name) {
  Array array;
  array.dtype = dtype;
  array.shape = {static_cast<int64_t>(texts.size())};
  for (const std::string& text : texts) {
    if (!AppendScalar(text, dtype, array.data)) {
      RefuseCall(fmt::format("input '{}': '{}' is no value of type {}", name,
                             text, NameOf(dtype)));
    }
  }
  return array;
}

}  // namespace belay::guest
