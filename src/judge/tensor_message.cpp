// SPDX-License-Identifier: Apache-2.0
#include "judge/tensor_message.h"

#include <cstring>

namespace belay::judge {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 40;
constexpr size_t kMostTensors = 4096;

Shape ShapeOf(const nlohmann::json& json) {
  const auto shape = MemberOf<Shape>(json, "shape");
  int64_t elements = 1;
  for (const int64_t size : shape) {
    if (size < 0 || (size > 0 && elements > kMostElements / size)) {
      throw MessageError("a tensor has an impossible shape");
    }
    elements *= size;
  }
  return shape;
}

Array UnpackOne(const nlohmann::json& json, const std::vector<std::byte>& bytes,
                size_t& at) {
  Array array;
  const auto dtype = ParseDType(MemberOf<std::string>(json, "dtype"));
  if (!dtype || *dtype == DType::kNone) {
    throw MessageError("a tensor has an unknown dtype");
  }
  array.dtype = *dtype;
  array.shape = ShapeOf(json);
  if (!MemberOf<bool>(json, "data")) return array;
  const auto count = static_cast<size_t>(ElementCount(array.shape));
  if (BitsOf(array.dtype) < 8 && count % 2 != 0) {
    throw MessageError("a tensor has half a byte");
  }
  const size_t size = BytesOf(array.dtype, count);
  if (size > bytes.size() - at) {
    throw MessageError("a tensor is longer than the message");
  }
  array.data.resize(size);
  if (size != 0) std::memcpy(array.data.data(), bytes.data() + at, size);
  at += size;
  return array;
}

}  // namespace

nlohmann::json PackTensors(const bench::Arguments& tensors,
                           std::vector<std::byte>& bytes) {
  nlohmann::json json = nlohmann::json::array();
  for (const bench::Argument& argument : tensors) {
    nlohmann::json parts = nlohmann::json::array();
    for (const Array& array : argument.tensors) {
      const bool data = !array.data.empty() || ElementCount(array.shape) == 0;
      parts.push_back({{"dtype", NameOf(array.dtype)},
                       {"shape", array.shape},
                       {"data", data}});
      bytes.insert(bytes.end(), array.data.begin(), array.data.end());
    }
    json.push_back({{"name", argument.name},
                    {"present", argument.present},
                    {"list", argument.list},
                    {"tensors", std::move(parts)}});
  }
  return json;
}

bench::Arguments UnpackTensors(const nlohmann::json& json,
                               const std::vector<std::byte>& bytes) {
  if (!json.is_array() || json.size() > kMostTensors) {
    throw MessageError("the message has no list of tensors");
  }
  bench::Arguments tensors;
  size_t at = 0;
  for (const nlohmann::json& entry : json) {
    bench::Argument argument;
    argument.name = MemberOf<std::string>(entry, "name");
    argument.present = MemberOf<bool>(entry, "present");
    argument.list = MemberOf<bool>(entry, "list");
    const auto parts = MemberOf<nlohmann::json>(entry, "tensors");
    if (!parts.is_array() || parts.size() > kMostTensors) {
      throw MessageError("the message has no list of tensors");
    }
    for (const nlohmann::json& part : parts) {
      argument.tensors.push_back(UnpackOne(part, bytes, at));
    }
    tensors.push_back(std::move(argument));
  }
  if (at != bytes.size()) throw MessageError("bytes belong to no tensor");
  return tensors;
}

}  // namespace belay::judge
