// SPDX-License-Identifier: Apache-2.0
#include "call.h"

#include <cstring>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "base/float16.h"

namespace belay::testing {
namespace {

using crux::TypeKind;

template <class T>
void Put(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

template <class T>
T Get(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

void PutNumber(std::byte* at, DType dtype, double number) {
  switch (dtype) {
    case DType::kBool:
    case DType::kUint8:
      return Put(at, static_cast<uint8_t>(number));
    case DType::kInt8:
      return Put(at, static_cast<int8_t>(number));
    case DType::kInt16:
      return Put(at, static_cast<int16_t>(number));
    case DType::kUint16:
      return Put(at, static_cast<uint16_t>(number));
    case DType::kHalf:
      return Put(at, HalfFromFloat(static_cast<float>(number)).bits);
    case DType::kBfloat16:
      return Put(at, BfloatFromFloat(static_cast<float>(number)).bits);
    case DType::kInt32:
      return Put(at, static_cast<int32_t>(number));
    case DType::kUint32:
      return Put(at, static_cast<uint32_t>(number));
    case DType::kFloat:
      return Put(at, static_cast<float>(number));
    case DType::kInt64:
      return Put(at, static_cast<int64_t>(number));
    case DType::kUint64:
      return Put(at, static_cast<uint64_t>(number));
    case DType::kDouble:
      return Put(at, number);
    default:
      throw std::runtime_error("no such dtype in Crux");
  }
}

double GetNumber(const std::byte* at, DType dtype) {
  switch (dtype) {
    case DType::kBool:
    case DType::kUint8:
      return Get<uint8_t>(at);
    case DType::kInt8:
      return Get<int8_t>(at);
    case DType::kInt16:
      return Get<int16_t>(at);
    case DType::kUint16:
      return Get<uint16_t>(at);
    case DType::kHalf:
      return ToFloat(Half{Get<uint16_t>(at)});
    case DType::kBfloat16:
      return ToFloat(Bfloat16{Get<uint16_t>(at)});
    case DType::kInt32:
      return Get<int32_t>(at);
    case DType::kUint32:
      return Get<uint32_t>(at);
    case DType::kFloat:
      return Get<float>(at);
    case DType::kInt64:
      return static_cast<double>(Get<int64_t>(at));
    case DType::kUint64:
      return static_cast<double>(Get<uint64_t>(at));
    case DType::kDouble:
      return Get<double>(at);
    default:
      throw std::runtime_error("no such dtype in Crux");
  }
}

Array TensorFrom(const std::string& text) {
  const size_t open = text.find('[');
  const size_t close = text.find(']');
  const std::optional<DType> dtype = ParseDType(text.substr(0, open));
  if (open == std::string::npos || close == std::string::npos || !dtype) {
    throw std::runtime_error("not a tensor: " + text);
  }
  const Shape shape = ParseShape(text.substr(open + 1, close - open - 1));
  std::vector<double> numbers(static_cast<size_t>(ElementCount(shape)));
  if (close + 1 < text.size()) {
    std::istringstream items(text.substr(close + 2));
    std::string item;
    for (double& number : numbers) {
      std::getline(items, item, ',');
      number = std::stod(item);
    }
  } else {
    std::iota(numbers.begin(), numbers.end(), 0.0);
  }
  return ArrayOf(*dtype, shape, numbers);
}

crux::interpret::AttributeValue AttributeFrom(TypeKind kind,
                                              const std::string& text) {
  switch (kind) {
    case TypeKind::kHostInt:
      return static_cast<int64_t>(std::stoll(text));
    case TypeKind::kHostFloat:
      return std::stod(text);
    case TypeKind::kHostBool:
      return text == "true" || text == "True";
    case TypeKind::kHostString:
      return text;
    case TypeKind::kHostList: {
      std::vector<int64_t> numbers;
      std::istringstream items(text);
      for (std::string item; std::getline(items, item, ',');) {
        numbers.push_back(std::stoll(item));
      }
      return numbers;
    }
    default:
      throw std::runtime_error("not an attribute: " + text);
  }
}

}  // namespace

Array ArrayOf(DType dtype, Shape shape, const std::vector<double>& numbers) {
  Array array{dtype, std::move(shape), {}};
  const size_t width = BytesOf(dtype);
  array.data.resize(numbers.size() * width);
  for (size_t i = 0; i < numbers.size(); ++i) {
    PutNumber(array.data.data() + i * width, dtype, numbers[i]);
  }
  return array;
}

std::vector<double> NumbersOf(const Array& array) {
  const size_t width = BytesOf(array.dtype);
  std::vector<double> numbers(array.data.size() / width);
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = GetNumber(array.data.data() + i * width, array.dtype);
  }
  return numbers;
}

void AddArgument(const crux::typed::Kernel& kernel, const std::string& text,
                 crux::interpret::Arguments& arguments) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos) {
    throw std::runtime_error("not name=value: " + text);
  }
  const std::string name = text.substr(0, equals);
  const std::string value = text.substr(equals + 1);
  const crux::typed::Parameter* parameter = kernel.FindParameter(name);
  if (!parameter) throw std::runtime_error("no parameter " + name);
  if (parameter->role == crux::typed::ParameterRole::kAttribute) {
    arguments.attributes[name] = AttributeFrom(parameter->type.kind, value);
  } else {
    crux::interpret::TensorArgument& tensor = arguments.tensors[name];
    tensor.list = parameter->list;
    tensor.arrays.push_back(TensorFrom(value));
  }
}

size_t PlaceIn(const Shape& all, const Shape& part, size_t element) {
  size_t place = 0;
  size_t stride = 1;
  for (size_t d = part.size(); d-- > 0;) {
    const auto size = static_cast<size_t>(part[d]);
    place += element % size * stride;
    element /= size;
    stride *= static_cast<size_t>(all[d]);
  }
  return place;
}

}  // namespace belay::testing
