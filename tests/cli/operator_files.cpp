// SPDX-License-Identifier: Apache-2.0
#include "operator_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "base/float16.h"

namespace belay::testing {
namespace {

// The half nearest to a double: rounding to float first may round twice, so
// the float in between is rounded to odd.
float OddFloat(double value) {
  float nearest = static_cast<float>(value);
  if (nearest == value || !std::isfinite(nearest)) return nearest;
  const float truncated = std::abs(nearest) > std::abs(value)
                              ? std::nextafter(nearest, 0.0f)
                              : nearest;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(truncated) | 1u);
}

template <typename T>
void Put(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof(value));
}

template <typename T>
T Get(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name =
      (std::filesystem::temp_directory_path() / "belay-operator-XXXXXX")
          .string();
  if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no folder " << name;
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() { std::filesystem::remove_all(path_); }

Array MakeArray(DType dtype, const Shape& shape,
                const std::vector<double>& values) {
  Array array{dtype, shape, {}};
  array.data.resize(BytesOf(dtype, values.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    std::byte* at = array.data.data() + BytesOf(dtype, i);
    const double value = values[i];
    switch (dtype) {
      case DType::kBool:
      case DType::kUint8:
        Put(at, static_cast<uint8_t>(value));
        break;
      case DType::kInt8:
        Put(at, static_cast<int8_t>(value));
        break;
      case DType::kHalf:
        Put(at, HalfFromFloat(OddFloat(value)).bits);
        break;
      case DType::kBfloat16:
        Put(at, BfloatFromFloat(OddFloat(value)).bits);
        break;
      case DType::kInt32:
        Put(at, static_cast<int32_t>(value));
        break;
      case DType::kInt64:
        Put(at, static_cast<int64_t>(value));
        break;
      case DType::kFloat:
        Put(at, static_cast<float>(value));
        break;
      default:
        ADD_FAILURE() << "no tensors of " << NameOf(dtype);
    }
  }
  return array;
}

std::vector<double> ValuesOf(const Array& array) {
  std::vector<double> values(ElementCount(array.shape));
  for (size_t i = 0; i < values.size(); ++i) {
    const std::byte* at = array.data.data() + BytesOf(array.dtype, i);
    switch (array.dtype) {
      case DType::kBool:
      case DType::kUint8:
        values[i] = Get<uint8_t>(at);
        break;
      case DType::kInt8:
        values[i] = Get<int8_t>(at);
        break;
      case DType::kHalf:
        values[i] = ToFloat(Half{Get<uint16_t>(at)});
        break;
      case DType::kBfloat16:
        values[i] = ToFloat(Bfloat16{Get<uint16_t>(at)});
        break;
      case DType::kInt32:
        values[i] = Get<int32_t>(at);
        break;
      case DType::kInt64:
        values[i] = static_cast<double>(Get<int64_t>(at));
        break;
      case DType::kFloat:
        values[i] = Get<float>(at);
        break;
      default:
        ADD_FAILURE() << "no tensors of " << NameOf(array.dtype);
    }
  }
  return values;
}

}  // namespace belay::testing
