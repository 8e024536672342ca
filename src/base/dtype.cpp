// SPDX-License-Identifier: Apache-2.0
#include "base/dtype.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"

namespace belay {
namespace {

enum class Kind { kNone, kTruth, kSigned, kUnsigned, kFloating, kComplex };

struct Row {
  DType dtype;
  int bits;
  Kind kind;
  std::string_view name;
  std::string_view ascend_name;
  std::string_view numpy_name;
};

// In the order of the enumeration, so that a dtype is its own index.
constexpr std::array kRows = {
    Row{DType::kNone, 0, Kind::kNone, "none", "none", "none"},
    Row{DType::kBool, 8, Kind::kTruth, "bool", "bool", "bool_"},
    Row{DType::kInt4, 4, Kind::kSigned, "i4", "int4b_t", "int4"},
    Row{DType::kInt8, 8, Kind::kSigned, "i8", "int8_t", "int8"},
    Row{DType::kUint8, 8, Kind::kUnsigned, "u8", "uint8_t", "uint8"},
    Row{DType::kInt16, 16, Kind::kSigned, "i16", "int16_t", "int16"},
    Row{DType::kUint16, 16, Kind::kUnsigned, "u16", "uint16_t", "uint16"},
    Row{DType::kHalf, 16, Kind::kFloating, "f16", "half", "float16"},
    Row{DType::kBfloat16, 16, Kind::kFloating, "bf16", "bfloat16_t",
        "bfloat16"},
    Row{DType::kInt32, 32, Kind::kSigned, "i32", "int32_t", "int32"},
    Row{DType::kUint32, 32, Kind::kUnsigned, "u32", "uint32_t", "uint32"},
    Row{DType::kFloat, 32, Kind::kFloating, "f32", "float", "float32"},
    Row{DType::kInt64, 64, Kind::kSigned, "i64", "int64_t", "int64"},
    Row{DType::kUint64, 64, Kind::kUnsigned, "u64", "uint64_t", "uint64"},
    Row{DType::kDouble, 64, Kind::kFloating, "f64", "double", "float64"},
    Row{DType::kComplex64, 64, Kind::kComplex, "c64", "complex64", "complex64"},
};

constexpr bool RowsAreInOrder() {
  for (size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<size_t>(kRows[i].dtype) != i) return false;
  }
  return true;
}
static_assert(RowsAreInOrder());

const Row& RowOf(DType dtype) {
  const auto index = static_cast<size_t>(dtype);
  if (index >= kRows.size()) {
    throw InternalError(
        fmt::format("[dtype] must be one of the {} known types, got number {}",
                    kRows.size(), index));
  }
  return kRows[index];
}

}  // namespace

int BitsOf(DType dtype) { return RowOf(dtype).bits; }

size_t BytesOf(DType dtype, size_t count) {
  if (dtype == DType::kInt4 && count % 2 != 0) {
    throw InternalError(fmt::format(
        "[BytesOf] int4 elements are packed two to a byte, so their count must "
        "be even, got {}",
        count));
  }
  const auto bits = static_cast<size_t>(BitsOf(dtype));
  return bits < 8 ? count * bits / 8 : count * (bits / 8);
}

std::string_view NameOf(DType dtype) { return RowOf(dtype).name; }

std::string_view AscendNameOf(DType dtype) { return RowOf(dtype).ascend_name; }

std::optional<DType> ParseDType(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.dtype == DType::kNone) continue;
    if (name == row.name || name == row.ascend_name || name == row.numpy_name) {
      return row.dtype;
    }
  }
  return std::nullopt;
}

bool IsFloating(DType dtype) { return RowOf(dtype).kind == Kind::kFloating; }

bool IsSigned(DType dtype) {
  const Kind kind = RowOf(dtype).kind;
  return kind == Kind::kSigned || kind == Kind::kFloating ||
         kind == Kind::kComplex;
}

}  // namespace belay
