// SPDX-License-Identifier: Apache-2.0
#include "npu/cube/quantise.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "base/float16.h"

namespace belay::npu {
namespace {

struct Parameter {
  float scale;
  uint32_t shift;
  bool shifts;
  int32_t offset;
  bool is_signed;
};

Parameter ParameterOf(uint64_t word) {
  constexpr uint32_t kCounted = ~uint32_t{0} << 13;
  const auto offset = static_cast<uint32_t>(word >> 37 & 0x1ff);
  return {std::bit_cast<float>(static_cast<uint32_t>(word) & kCounted),
          static_cast<uint32_t>(word >> 32 & 15) + 1, (word >> 36 & 1) != 0,
          static_cast<int32_t>(offset ^ 0x100u) - 0x100, (word >> 46 & 1) != 0};
}

uint32_t HalfBits(float value, bool saturate) {
  if (std::isnan(value)) return saturate ? 0 : 0x7e00u;
  const uint32_t bits = HalfFromFloat(value).bits;
  return saturate && (bits & 0x7fffu) == 0x7c00u ? (bits & 0x8000u) | 0x7bffu
                                                 : bits;
}

uint32_t BfloatBits(float value, bool saturate) {
  if (std::isnan(value)) return saturate ? 0 : 0x7fc0u;
  const uint32_t bits = BfloatFromFloat(value).bits;
  return saturate && (bits & 0x7fffu) == 0x7f80u ? (bits & 0x8000u) | 0x7f7fu
                                                 : bits;
}

// Rounded to nearest even into 9 bits, then moved by the offset and clamped.
uint32_t ByteBits(float value, const Parameter& parameter) {
  const float rounded =
      std::isnan(value) ? 0.0f
                        : std::nearbyintf(std::clamp(value, -256.0f, 255.0f));
  const int32_t moved = static_cast<int32_t>(rounded) + parameter.offset;
  const int32_t least = parameter.is_signed ? -128 : 0;
  const int32_t most = parameter.is_signed ? 127 : 255;
  return static_cast<uint32_t>(std::clamp(moved, least, most)) & 0xffu;
}

float Scaled(float value, float scale, bool relu) {
  return value * (relu && value < 0 ? 0.0f : scale);
}

float FromInteger(uint32_t bits, const Parameter& parameter) {
  auto value = static_cast<int32_t>(bits);
  if (parameter.shifts) {
    value = std::clamp(value >> parameter.shift, -32768, 32767);
  }
  return static_cast<float>(value);
}

}  // namespace

const char* NameOf(abi::Quant quant) {
  constexpr const char* kNames[] = {"NoQuant",      "F322F16", "F322BF16",
                                    "DEQF16",       "VDEQF16", "QF322B8_PRE",
                                    "VQF322B8_PRE", "REQ8",    "VREQ8"};
  const auto index = static_cast<size_t>(quant);
  return index < std::size(kNames) ? kNames[index] : "no mode";
}

uint32_t Quantise(abi::Quant quant, abi::DType from, bool relu, bool saturate,
                  uint64_t word, uint32_t bits) {
  const Parameter parameter = ParameterOf(word);
  const float value = std::bit_cast<float>(bits);
  const float positive = relu && value < 0 ? 0.0f : value;
  switch (quant) {
    case abi::Quant::kNone:
      if (from == abi::DType::kFloat) return std::bit_cast<uint32_t>(positive);
      return relu && static_cast<int32_t>(bits) < 0 ? 0 : bits;
    case abi::Quant::kF322F16:
      return HalfBits(positive, saturate);
    case abi::Quant::kF322BF16:
      return BfloatBits(positive, saturate);
    case abi::Quant::kDeqF16:
    case abi::Quant::kVDeqF16:
      return HalfBits(
          Scaled(FromInteger(bits, parameter), parameter.scale, relu),
          saturate);
    case abi::Quant::kQF322B8:
    case abi::Quant::kVQF322B8:
      return ByteBits(Scaled(value, parameter.scale, relu), parameter);
    case abi::Quant::kReq8:
    case abi::Quant::kVReq8:
      return ByteBits(
          Scaled(FromInteger(bits, parameter), parameter.scale, relu),
          parameter);
  }
  return bits;
}

bool Converts(abi::Quant quant, abi::DType from, abi::DType to) {
  using abi::DType;
  const bool bytes = to == DType::kInt8 || to == DType::kUint8;
  switch (quant) {
    case abi::Quant::kNone:
      return from == to && (to == DType::kFloat || to == DType::kInt32);
    case abi::Quant::kF322F16:
      return from == DType::kFloat && to == DType::kHalf;
    case abi::Quant::kF322BF16:
      return from == DType::kFloat && to == DType::kBfloat16;
    case abi::Quant::kDeqF16:
    case abi::Quant::kVDeqF16:
      return from == DType::kInt32 && to == DType::kHalf;
    case abi::Quant::kQF322B8:
    case abi::Quant::kVQF322B8:
      return from == DType::kFloat && bytes;
    case abi::Quant::kReq8:
    case abi::Quant::kVReq8:
      return from == DType::kInt32 && bytes;
  }
  return false;
}

}  // namespace belay::npu
