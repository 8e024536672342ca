// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/json.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/error.h"

namespace belay::runtime {
namespace {

using nlohmann::json;

int Digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  throw UserError(fmt::format("[hex] '{}' is not a hexadecimal digit", letter));
}

json FloatToJson(float value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return value;
}

float FloatFromJson(const json& json) {
  if (!json.is_string()) return json.get<float>();
  const auto text = json.get<std::string>();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (text == "inf") return kInfinity;
  if (text == "-inf") return -kInfinity;
  return std::numeric_limits<float>::quiet_NaN();
}

}  // namespace

std::string HexOf(const std::vector<std::byte>& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::byte byte : bytes) {
    text += kDigits[static_cast<int>(byte) >> 4];
    text += kDigits[static_cast<int>(byte) & 15];
  }
  return text;
}

std::vector<std::byte> BytesFromHex(const std::string& text) {
  if (text.size() % 2 != 0) {
    throw UserError(
        fmt::format("[hex] {} digits are not whole bytes", text.size()));
  }
  std::vector<std::byte> bytes(text.size() / 2);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(Digit(text[2 * i]) << 4 |
                                      Digit(text[2 * i + 1]));
  }
  return bytes;
}

std::string DTypeToText(DType dtype) {
  return dtype == DType::kNone ? "none" : std::string(belay::NameOf(dtype));
}

DType DTypeFromText(const std::string& name) {
  if (name == "none") return DType::kNone;
  const std::optional<DType> dtype = ParseDType(name);
  if (!dtype) throw UserError(fmt::format("[dtype] unknown type '{}'", name));
  return *dtype;
}

json ValueToJson(const AttributeValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return nullptr;
  const auto type = static_cast<Attribute::Type>(value.index() - 1);
  json content;
  switch (type) {
    case Attribute::Type::kFloat:
      content = FloatToJson(std::get<float>(value));
      break;
    case Attribute::Type::kListFloat:
      content = json::array();
      for (const float entry : std::get<std::vector<float>>(value)) {
        content.push_back(FloatToJson(entry));
      }
      break;
    default:
      std::visit(
          [&](const auto& held) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(held)>,
                                          std::monostate>) {
              content = held;
            }
          },
          value);
  }
  return {{"type", NameOf(type)}, {"value", content}};
}

AttributeValue ValueFromJson(const json& from) {
  if (from.is_null()) return {};
  const auto name = from.at("type").get<std::string>();
  const json& value = from.at("value");
  if (name == "Bool") return value.get<bool>();
  if (name == "Int") return value.get<int64_t>();
  if (name == "Float") return FloatFromJson(value);
  if (name == "String") return value.get<std::string>();
  if (name == "ListBool") return value.get<std::vector<bool>>();
  if (name == "ListInt") return value.get<std::vector<int64_t>>();
  if (name == "ListListInt") {
    return value.get<std::vector<std::vector<int64_t>>>();
  }
  if (name == "ListFloat") {
    std::vector<float> list;
    for (const json& entry : value) list.push_back(FloatFromJson(entry));
    return list;
  }
  throw UserError(fmt::format("[attribute] unknown type '{}'", name));
}

}  // namespace belay::runtime
