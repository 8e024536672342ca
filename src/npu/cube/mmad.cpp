// SPDX-License-Identifier: Apache-2.0
// Mmad and MmadSparse: operands are unpacked to the result's type once, then
// columns of fractals of C are computed one after the other.

#include "npu/cube/mmad.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/float16.h"
#include "npu/cube/cube.h"
#include "npu/cube/fractal.h"
#include "npu/vector/variants.h"

namespace belay::npu {
namespace {

constexpr uint32_t kFloatNan = 0x7fc00000u;

// Room for one Mmad, kept between them.
struct Scratch {
  std::vector<float> left;
  std::vector<float> right;
  std::vector<float> panel;
};

float* Room(std::vector<float>& room, uint64_t elements) {
  if (room.size() < elements) room.resize(elements);
  return room.data();
}

// HF32: 11 bits of mantissa. Infinities and NaN stay.
float RoundToHf32(float value, bool ties_towards_zero) {
  constexpr uint32_t kDropped = 12;
  constexpr uint32_t kHalf = 1u << (kDropped - 1);
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7f800000u) == 0x7f800000u) return value;
  const uint32_t odd = bits >> kDropped & 1;
  bits += kHalf - 1 + (ties_towards_zero ? 0 : odd);
  return std::bit_cast<float>(bits >> kDropped << kDropped);
}

void UnpackFloats(const CubeState& state, const std::byte* from, float* to,
                  uint64_t count) {
  std::memcpy(to, from, count * sizeof(float));
  if (!state.hf32) return;
  for (uint64_t i = 0; i < count; ++i) {
    to[i] = RoundToHf32(to[i], state.hf32_ties_towards_zero);
  }
}

// `count` elements, side by side, as float or (the integers) int32.
void Unpack(DType dtype, const CubeState& state, const std::byte* from,
            float* to, uint64_t count) {
  switch (dtype) {
    case DType::kFloat:
      return UnpackFloats(state, from, to, count);
    case DType::kInt8:
      for (uint64_t i = 0; i < count; ++i) {
        const int32_t value = std::to_integer<int8_t>(from[i]);
        std::memcpy(to + i, &value, sizeof value);
      }
      return;
    case DType::kInt4:
      for (uint64_t i = 0; i < count; ++i) {
        const auto pair = std::to_integer<uint32_t>(from[i / 2]);
        const uint32_t nibble = i % 2 == 0 ? pair & 15u : pair >> 4;
        const int32_t value = static_cast<int32_t>(nibble ^ 8u) - 8;
        std::memcpy(to + i, &value, sizeof value);
      }
      return;
    default: {
      const int none = static_cast<int>(abi::Round::kNone);
      const FlatFunction cast =
          Flat().cast[static_cast<int>(dtype)][static_cast<int>(DType::kFloat)]
                     [none][0];
      cast(to, from, nullptr, 0, count);
    }
  }
}

// B's columns from `first` on as rows of 16, zero where there is no column.
void MakePanel(const MmadShape& shape, uint64_t block, const float* right,
               float* panel) {
  const uint64_t columns = shape.columns;
  const uint64_t present =
      std::min<uint64_t>(shape.n - block * kResultSide, kResultSide);
  for (uint64_t kb = 0; kb < shape.right_fractals; ++kb) {
    const float* fractal =
        right + (kb * shape.n_blocks + block) * kFractalRows * columns;
    float* rows = panel + kb * columns * kResultSide;
    for (uint64_t n = 0; n < kResultSide; ++n) {
      for (uint64_t k = 0; k < columns; ++k) {
        rows[k * kResultSide + n] =
            n < present ? fractal[n * columns + k] : 0.0f;
      }
    }
  }
}

// The same for B packed two of four: each value goes where its index says.
void MakeSparsePanel(const MmadShape& shape, uint64_t block, const float* right,
                     const std::byte* indices, float* panel) {
  const uint64_t columns = shape.columns;
  const uint64_t present =
      std::min<uint64_t>(shape.n - block * kResultSide, kResultSide);
  std::memset(panel, 0, 2 * shape.right_fractals * columns * kResultRowBytes);
  for (uint64_t dense = 0; dense < shape.right_fractals * columns; ++dense) {
    const uint64_t fractal = dense / columns * shape.n_blocks + block;
    for (uint64_t n = 0; n < present; ++n) {
      const uint64_t at =
          (fractal * kFractalRows + n) * columns + dense % columns;
      const auto packed = std::to_integer<uint32_t>(indices[at / 4]);
      const uint32_t first = packed >> (dense % 4 & ~1u) * 2 & 3;
      const uint32_t second = packed >> (dense % 4 | 1u) * 2 & 3;
      // The second counts from the second of the four on, and never lies
      // before the first.
      const uint32_t chosen =
          dense % 2 == 0 ? first : std::clamp(second + 1, first, uint32_t{3});
      int32_t value;
      int32_t sum;
      float* row = panel + (dense / 2 * 4 + chosen) * kResultSide + n;
      std::memcpy(&value, right + at, sizeof value);
      std::memcpy(&sum, row, sizeof sum);
      sum += value;
      std::memcpy(row, &sum, sizeof sum);
    }
  }
}

// Columns of C in a column of fractals.
uint64_t PresentColumns(const abi::Instruction& mmad, uint64_t block) {
  return std::min<uint64_t>(mmad.mmad.n - block * kResultSide, kResultSide);
}

void InitialiseFloats(const abi::Instruction& mmad, uint64_t block, float* c) {
  const uint64_t rows = mmad.mmad.m;
  switch (mmad.mmad.init) {
    case abi::MmadInit::kZero:
      std::memset(c, 0, rows * kResultRowBytes);
      return;
    case abi::MmadInit::kBias: {
      float bias[kResultSide] = {};
      std::memcpy(bias,
                  reinterpret_cast<const void*>(mmad.src2.address +
                                                block * kResultRowBytes),
                  PresentColumns(mmad, block) * sizeof(float));
      for (uint64_t row = 0; row < rows; ++row) {
        std::memcpy(c + row * kResultSide, bias, sizeof bias);
      }
      return;
    }
    case abi::MmadInit::kAccumulate:
      return;
  }
}

// NaN has no sign and no payload, as for vector instructions.
void SettleFloats(float* c, uint64_t count, bool saturate) {
  constexpr float kMost = std::numeric_limits<float>::max();
  for (uint64_t i = 0; i < count; ++i) {
    if (std::isnan(c[i])) {
      c[i] = saturate ? 0.0f : std::bit_cast<float>(kFloatNan);
    } else if (saturate) {
      c[i] = std::clamp(c[i], -kMost, kMost);
    }
  }
}

// Adds `sums` to what C starts from, and clamps.
void AddIntegers(const abi::Instruction& mmad, uint64_t block,
                 const int32_t* sums, int32_t* c) {
  const uint64_t count = uint64_t{mmad.mmad.m} * kResultSide;
  const auto* bias =
      reinterpret_cast<const int32_t*>(mmad.src2.address) + block * kResultSide;
  const bool biased = mmad.mmad.init == abi::MmadInit::kBias;
  const uint64_t present = PresentColumns(mmad, block);
  for (uint64_t i = 0; i < count; ++i) {
    int64_t sum = sums[i];
    if (mmad.mmad.init == abi::MmadInit::kAccumulate) sum += c[i];
    if (biased && i % kResultSide < present) sum += bias[i % kResultSide];
    c[i] = static_cast<int32_t>(
        std::clamp<int64_t>(sum, std::numeric_limits<int32_t>::min(),
                            std::numeric_limits<int32_t>::max()));
  }
}

}  // namespace

void ExecuteMmad(const abi::Instruction& mmad, const CubePlaces& places,
                 const CubeState& state, bool saturate) {
  static thread_local Scratch scratch;
  const MmadShape shape = MmadShapeOf(mmad);
  const DType dtype = mmad.src0.dtype;
  const bool integers = mmad.dst.dtype == DType::kInt32;
  const bool sparse = mmad.op == abi::Op::kMmadSparse;
  const auto* indices = sparse ? state.sparse_indices.data() +
                                     (mmad.src1.address - places.l0b) /
                                         (kFractalBytes / kSparseIndexBytes)
                               : nullptr;

  float* left = Room(scratch.left, shape.left_elements);
  float* right = Room(scratch.right, shape.right_elements);
  const uint64_t panel_rows =
      shape.right_fractals * shape.columns * (sparse ? 2 : 1);
  const uint64_t sums_at = panel_rows * kResultSide;
  float* panel =
      Room(scratch.panel, sums_at + uint64_t{mmad.mmad.m} * kResultSide);
  Unpack(dtype, state, reinterpret_cast<const std::byte*>(mmad.src0.address),
         left, shape.left_elements);
  Unpack(dtype, state, reinterpret_cast<const std::byte*>(mmad.src1.address),
         right, shape.right_elements);

  const FlatMmadTable& flat = Flat().mmad;
  // Products of halves have 22 bits and never leave float's range.
  const FlatMmad add = integers                ? flat.integers
                       : dtype == DType::kHalf ? flat.exact
                                               : flat.rounded;
  const FlatLeft a = {left, shape.gemv ? shape.k : shape.columns,
                      shape.left_fractals * kFractalRows * shape.columns};
  auto* c = reinterpret_cast<std::byte*>(mmad.dst.address);
  for (uint64_t block = 0; block < shape.n_blocks; ++block) {
    if (sparse) {
      MakeSparsePanel(shape, block, right, indices, panel);
    } else {
      MakePanel(shape, block, right, panel);
    }
    if (integers) {
      float* sums = panel + sums_at;
      std::memset(sums, 0, shape.m * kResultRowBytes);
      add(sums, a, panel, shape.m, shape.k);
      AddIntegers(mmad, block, reinterpret_cast<const int32_t*>(sums),
                  reinterpret_cast<int32_t*>(c));
    } else {
      auto* results = reinterpret_cast<float*>(c);
      InitialiseFloats(mmad, block, results);
      add(results, a, panel, shape.m, shape.k);
      SettleFloats(results, shape.m * kResultSide, saturate);
    }
    c += shape.m_blocks * kResultBytes;
  }
}

}  // namespace belay::npu
