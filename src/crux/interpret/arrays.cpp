// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/arrays.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "base/float16.h"

namespace belay::crux::interpret {
namespace {

// Calls body with a null pointer of the type that holds an element.
template <typename Body>
void WithElementType(DType dtype, Body&& body) {
  switch (dtype) {
    case DType::kBool:
    case DType::kUint8:
      return body(static_cast<uint8_t*>(nullptr));
    case DType::kInt8:
      return body(static_cast<int8_t*>(nullptr));
    case DType::kInt16:
      return body(static_cast<int16_t*>(nullptr));
    case DType::kUint16:
      return body(static_cast<uint16_t*>(nullptr));
    case DType::kInt32:
      return body(static_cast<int32_t*>(nullptr));
    case DType::kUint32:
      return body(static_cast<uint32_t*>(nullptr));
    case DType::kInt64:
      return body(static_cast<int64_t*>(nullptr));
    case DType::kUint64:
      return body(static_cast<uint64_t*>(nullptr));
    case DType::kHalf:
      return body(static_cast<Half*>(nullptr));
    case DType::kBfloat16:
      return body(static_cast<Bfloat16*>(nullptr));
    case DType::kFloat:
      return body(static_cast<float*>(nullptr));
    case DType::kDouble:
      return body(static_cast<double*>(nullptr));
    default:
      throw InternalError(fmt::format("[interpret] no tensors of dtype {}",
                                      belay::NameOf(dtype)));
  }
}

template <typename T>
void ReadElement(const T& value, Tile& tile, size_t i) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>) {
    tile.real[i] = ToFloat(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    tile.real[i] = value;
  } else {
    tile.whole[i] =
        tile.dtype == DType::kBool ? value != 0 : static_cast<int64_t>(value);
  }
}

template <typename T>
T WriteElement(const Tile& tile, size_t i) {
  if constexpr (std::is_same_v<T, Half>) {
    return HalfFromFloat(static_cast<float>(tile.real[i]));
  } else if constexpr (std::is_same_v<T, Bfloat16>) {
    return BfloatFromFloat(static_cast<float>(tile.real[i]));
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(tile.real[i]);
  } else {
    return static_cast<T>(tile.whole[i]);
  }
}

}  // namespace

std::shared_ptr<Tile> TileOfArray(const Context& context, const Array& array) {
  auto tile = NewTile(context, array.dtype, array.shape);
  if (array.data.size() != BytesOf(array.dtype, tile->size())) {
    throw InternalError(fmt::format(
        "[interpret] {} bytes for shape ({}) of {}", array.data.size(),
        belay::ToText(array.shape), belay::NameOf(array.dtype)));
  }
  WithElementType(array.dtype, [&]<typename T>(T*) {
    for (size_t i = 0; i < tile->size(); ++i) {
      T value;
      std::memcpy(&value, array.data.data() + i * sizeof(T), sizeof(T));
      ReadElement(value, *tile, i);
    }
  });
  return tile;
}

Array ArrayOf(const Context& context, const Tile& tile) {
  Array array;
  array.dtype =
      tile.floating() && !context.exact() ? DType::kDouble : tile.dtype;
  array.shape = tile.shape;
  array.data.resize(BytesOf(array.dtype, tile.size()));
  WithElementType(array.dtype, [&]<typename T>(T*) {
    for (size_t i = 0; i < tile.size(); ++i) {
      const T value = WriteElement<T>(tile, i);
      std::memcpy(array.data.data() + i * sizeof(T), &value, sizeof(T));
    }
  });
  return array;
}

Array BoundsOf(const Tile& tile) {
  Array array;
  array.dtype = DType::kDouble;
  array.shape = tile.shape;
  array.data.resize(tile.size() * sizeof(double));
  if (!tile.error.empty()) {
    std::memcpy(array.data.data(), tile.error.data(), array.data.size());
  }
  return array;
}

}  // namespace belay::crux::interpret
