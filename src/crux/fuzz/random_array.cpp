// SPDX-License-Identifier: Apache-2.0
#include "crux/fuzz/random_array.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/float16.h"

namespace belay::crux::fuzz {
namespace {

template <class T>
void Put(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

void PutReal(std::byte* at, DType dtype, float value) {
  switch (dtype) {
    case DType::kHalf:
      return Put(at, HalfFromFloat(value).bits);
    case DType::kBfloat16:
      return Put(at, BfloatFromFloat(value).bits);
    case DType::kFloat:
      return Put(at, value);
    default:
      throw InternalError("[crux fuzz] not a floating dtype");
  }
}

void PutWhole(std::byte* at, DType dtype, int64_t value) {
  switch (BytesOf(dtype)) {
    case 1:
      return Put(at, static_cast<int8_t>(value));
    case 2:
      return Put(at, static_cast<int16_t>(value));
    case 4:
      return Put(at, static_cast<int32_t>(value));
    default:
      return Put(at, value);
  }
}

float SpecialReal(Random& random) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  static constexpr std::array kValues = {
      0.0f,
      -0.0f,
      kInfinity,
      -kInfinity,
      std::numeric_limits<float>::quiet_NaN(),
      1e-40f,
      1e-7f,
      65504.f,
      3e38f,
      -3e38f,
      1.0f,
      -1.0f};
  return random.Pick(kValues);
}

int64_t SpecialWhole(Random& random) {
  static constexpr std::array<int64_t, 8> kValues = {
      0,
      -1,
      127,
      -128,
      255,
      32767,
      std::numeric_limits<int64_t>::min(),
      std::numeric_limits<int64_t>::max()};
  return random.Pick(kValues);
}

}  // namespace

Array RandomArray(Random& random, DType dtype, Shape shape) {
  Array array{dtype, std::move(shape), {}};
  const size_t count = static_cast<size_t>(ElementCount(array.shape));
  const size_t width = BytesOf(dtype);
  array.data.resize(count * width);
  const bool special = random.Chance(6);
  for (size_t i = 0; i < count; ++i) {
    std::byte* at = array.data.data() + i * width;
    const bool extreme = special && random.Chance(20);
    if (dtype == DType::kBool) {
      Put(at, static_cast<uint8_t>(random.Below(2)));
    } else if (IsFloating(dtype)) {
      const double value = random.Uniform() * 4.0 - 2.0;
      PutReal(at, dtype,
              extreme ? SpecialReal(random) : static_cast<float>(value));
    } else {
      const int low = IsSigned(dtype) ? -9 : 0;
      PutWhole(at, dtype,
               extreme ? SpecialWhole(random) : random.Between(low, 9));
    }
  }
  return array;
}

Array RandomIndices(Random& random, DType dtype, Shape shape, int below) {
  Array array{dtype, std::move(shape), {}};
  const size_t count = static_cast<size_t>(ElementCount(array.shape));
  const size_t width = BytesOf(dtype);
  array.data.resize(count * width);
  for (size_t i = 0; i < count; ++i) {
    PutWhole(array.data.data() + i * width, dtype,
             random.Below(static_cast<size_t>(below)));
  }
  return array;
}

}  // namespace belay::crux::fuzz
