// SPDX-License-Identifier: Apache-2.0
// AscendQuant, AscendDequant and AscendAntiQuant against plain loops.

#include <gtest/gtest.h>

#include <cmath>

#include "library_bench.h"
#include "tiling/high_level/quantization.h"

namespace belay::library::test_quantization {
namespace {

constexpr uint32_t kDst = 0;
constexpr uint32_t kSrc = 0x8000;
constexpr uint32_t kScale = 0x18000;
constexpr uint32_t kOffset = 0x1a000;
constexpr uint32_t kTemporary = 0x1c000;

// One multiplication and one addition, each rounded to half, then an integer.
int8_t QuantModel(float x, float scale, float offset) {
  const auto product = static_cast<half>(static_cast<float>(half(x)) *
                                         static_cast<float>(half(scale)));
  const auto sum = static_cast<half>(static_cast<float>(product) +
                                     static_cast<float>(half(offset)));
  const float value = static_cast<float>(sum);
  return static_cast<int8_t>(std::fmin(127, std::fmax(-128, std::rint(value))));
}

template <typename T>
void CheckQuantTensor(uint32_t count, uint32_t temporary) {
  const std::vector<T> x = Uniform<T>(count, -300, 300);
  Put(kSrc, x);
  MustRun(kTemporary, [&] {
    AscendC::AscendQuant<T>(At<int8_t>(kDst, count), At<T>(kSrc, count),
                            At<uint8_t>(kTemporary, temporary), 0.3f, 5.5f,
                            count);
  });
  const std::vector<int8_t> got = Take<int8_t>(kDst, count);
  for (uint32_t i = 0; i < count; ++i) {
    ASSERT_EQ(got[i], QuantModel(static_cast<float>(x[i]), 0.3f, 5.5f)) << i;
  }
}

TEST(AscendQuant, OneScale) {
  CheckQuantTensor<float>(1024, 0x4000);
  CheckQuantTensor<half>(1024, 0x4000);
  CheckQuantTensor<float>(1000, 256);
  CheckQuantTensor<half>(96, 512);
}

template <typename T>
void CheckQuantChannels(uint32_t rows, uint32_t width, uint32_t temporary,
                        bool offsets) {
  const uint32_t count = rows * width;
  const std::vector<T> x = Uniform<T>(count, -100, 100);
  const std::vector<T> scale = Uniform<T>(width, -1, 1);
  const std::vector<T> offset = Uniform<T>(width, -20, 20);
  Put(kSrc, x);
  Put(kScale, scale);
  Put(kOffset, offset);
  MustRun(kTemporary + temporary, [&] {
    const auto buffer = At<uint8_t>(kTemporary, temporary);
    if (offsets) {
      AscendC::AscendQuant<T>(At<int8_t>(kDst, count), At<T>(kSrc, count),
                              buffer, At<T>(kScale, width),
                              At<T>(kOffset, width), width, width, count);
    } else {
      AscendC::AscendQuant<T>(At<int8_t>(kDst, count), At<T>(kSrc, count),
                              At<T>(kScale, width), offset[0]);
    }
  });
  const std::vector<int8_t> got = Take<int8_t>(kDst, count);
  for (uint32_t i = 0; i < count; ++i) {
    ASSERT_EQ(got[i],
              QuantModel(static_cast<float>(x[i]),
                         static_cast<float>(scale[i % width]),
                         static_cast<float>(offset[offsets ? i % width : 0])))
        << "row " << i / width << " column " << i % width;
  }
}

TEST(AscendQuant, AScaleForEachColumn) {
  CheckQuantChannels<float>(7, 64, 0x2000, true);
  CheckQuantChannels<half>(7, 64, 0x2000, true);
  CheckQuantChannels<half>(5, 160, 1024, true);
  CheckQuantChannels<float>(3, 1024, 4 * 1024 + 512, true);
  CheckQuantChannels<half>(40, 32, 0x1000, false);
  CheckQuantChannels<float>(9, 96, 0x1000, false);
}

TEST(AscendQuant, RefusesATemporaryBufferThatIsTooSmall) {
  EXPECT_EQ(library::Run(kTemporary,
                         [] {
                           AscendC::AscendQuant<half>(
                               At<int8_t>(kDst, 64), At<half>(kSrc, 64),
                               At<uint8_t>(kTemporary, 128), 1.0f, 0.0f, 64);
                         })
                .substr(0, 8),
            "BLY-N170");
}

template <typename To, typename Scale>
void CheckDequant(AscendC::DequantParams shape, bool scalar,
                  uint32_t temporary = 0x4000) {
  const uint32_t count = shape.m * shape.n;
  std::vector<int32_t> x(count);
  for (int32_t& value : x) value = static_cast<int32_t>(Random()()) >> 6;
  std::vector<float> scale = Uniform<float>(shape.calCount, -0.01, 0.01);
  for (float& value : scale) value = Widen(Narrow<bfloat16_t>(value));
  Put(kSrc, x);
  if constexpr (sizeof(Scale) == 8) {
    std::vector<uint64_t> words(shape.calCount);
    for (uint32_t i = 0; i < shape.calCount; ++i) {
      uint32_t bits;
      std::memcpy(&bits, &scale[i], 4);
      words[i] = bits | uint64_t{0xDEAD} << 32;
    }
    Put(kScale, words);
  } else {
    std::vector<Scale> narrow;
    for (const float value : scale) narrow.push_back(Narrow<Scale>(value));
    Put(kScale, narrow);
  }
  const uint32_t per_block = 32 / sizeof(To);
  const uint32_t pitch = (shape.n + per_block - 1) / per_block * per_block;
  MustRun(kTemporary, [&] {
    const auto dst = At<To>(kDst, shape.m * pitch);
    const auto src = At<int32_t>(kSrc, count);
    const auto buffer = At<uint8_t>(kTemporary, temporary);
    if constexpr (sizeof(Scale) != 8) {
      if (scalar) {
        AscendC::AscendDequant(dst, src, Narrow<Scale>(scale[0]), buffer,
                               shape);
        return;
      }
    }
    AscendC::AscendDequant<To, Scale>(
        dst, src, At<Scale>(kScale, shape.calCount), buffer, shape);
  });
  // One row may count as several.
  AscendC::DequantParams rows = shape;
  if (shape.m == 1 && shape.calCount % per_block == 0 &&
      shape.n % shape.calCount == 0) {
    rows = {shape.n / shape.calCount, shape.calCount, shape.calCount};
  }
  const uint32_t row_pitch = (rows.n + per_block - 1) / per_block * per_block;
  const std::vector<To> got = Take<To>(kDst, rows.m * row_pitch);
  for (uint32_t i = 0; i < rows.m; ++i) {
    for (uint32_t j = 0; j < rows.calCount; ++j) {
      const float product =
          static_cast<float>(x[i * rows.n + j]) * scale[scalar ? 0 : j];
      ASSERT_EQ(Widen(got[i * row_pitch + j]), Widen(Narrow<To>(product)))
          << "row " << i << " column " << j;
    }
  }
}

TEST(AscendDequant, EveryPairOfTypes) {
  CheckDequant<half, uint64_t>({4, 24, 20}, false);
  CheckDequant<float, float>({4, 8, 4}, false);
  CheckDequant<float, bfloat16_t>({3, 72, 70}, false);
  CheckDequant<bfloat16_t, float>({4, 8, 4}, false);
  CheckDequant<bfloat16_t, bfloat16_t>({5, 40, 40}, false);
  CheckDequant<float, float>({5, 40, 33}, true);
  CheckDequant<bfloat16_t, bfloat16_t>({5, 24, 24}, true);
}

TEST(AscendDequant, OneRowMayCountAsSeveral) {
  CheckDequant<float, float>({1, 64, 8}, false);
  CheckDequant<bfloat16_t, float>({1, 64, 16}, false);
  CheckDequant<bfloat16_t, float>({1, 64, 40}, false);
}

TEST(AscendDequant, InPasses) {
  CheckDequant<half, uint64_t>({9, 128, 100}, false, 128 * 4 * 3);
}

// scale · (x + offset), each step rounded to half, or in float and once.
template <typename To>
double AntiQuantModel(int x, double offset, double scale) {
  if constexpr (std::is_same_v<To, half>) {
    return Widen(Narrow<half>(Widen(Narrow<half>(x + offset)) * scale));
  } else {
    const float sum = static_cast<float>(x) + static_cast<float>(offset);
    return Widen(Narrow<bfloat16_t>(sum * static_cast<float>(scale)));
  }
}

template <typename To, bool transposed>
void CheckAntiQuant(uint32_t k, uint32_t n, uint32_t groups, bool has_offset,
                    uint32_t temporary = 0x4000) {
  const uint32_t count = k * n;
  std::vector<int8_t> x(count);
  for (int8_t& value : x) value = static_cast<int8_t>(Random()());
  const std::vector<To> scale = Uniform<To>(groups * n, -2, 2);
  const std::vector<To> offset = Uniform<To>(groups * n, -9, 9);
  Put(kSrc, x);
  Put(kScale, scale);
  Put(kOffset, offset);
  const AscendC::AntiQuantShapeInfo info =
      transposed ? AscendC::AntiQuantShapeInfo{n, groups, n, groups}
                 : AscendC::AntiQuantShapeInfo{groups, n, groups, n};
  MustRun(kTemporary, [&] {
    const auto dst = At<To>(kDst, count);
    const auto src = At<int8_t>(kSrc, count);
    const auto scales = At<To>(kScale, groups * n);
    const auto buffer = At<uint8_t>(kTemporary, temporary);
    if (has_offset) {
      AscendC::AscendAntiQuant<int8_t, To, transposed>(
          dst, src, At<To>(kOffset, groups * n), scales, buffer, k, info);
    } else {
      AscendC::AscendAntiQuant<int8_t, To, transposed>(dst, src, scales, buffer,
                                                       k, info);
    }
  });
  const std::vector<To> got = Take<To>(kDst, count);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t at = transposed ? i / k * groups + i % k / (k / groups)
                                   : i / n / (k / groups) * n + i % n;
    ASSERT_EQ(Widen(got[i]),
              AntiQuantModel<To>(x[i], has_offset ? Widen(offset[at]) : 0,
                                 Widen(scale[at])))
        << i;
  }
}

TEST(AscendAntiQuant, AScaleForEachColumn) {
  CheckAntiQuant<half, false>(6, 64, 1, true);
  CheckAntiQuant<half, false>(8, 96, 2, true);
  CheckAntiQuant<half, false>(8, 32, 4, false);
  CheckAntiQuant<bfloat16_t, false>(6, 64, 1, true);
  CheckAntiQuant<bfloat16_t, false>(8, 96, 2, false, 96 * 4 + 96 * 6 + 256);
}

TEST(AscendAntiQuant, AScaleForEachRow) {
  CheckAntiQuant<half, true>(64, 5, 1, true);
  CheckAntiQuant<half, true>(64, 20, 2, true);
  CheckAntiQuant<half, true>(160, 3, 1, false);
  CheckAntiQuant<bfloat16_t, true>(64, 5, 1, true);
  CheckAntiQuant<bfloat16_t, true>(96, 11, 3, true);
}

TEST(AscendAntiQuant, OneScaleForAllAndFourBits) {
  constexpr uint32_t kCount = 128;
  std::vector<uint8_t> packed(kCount / 2);
  for (uint8_t& byte : packed) byte = static_cast<uint8_t>(Random()());
  Put(kSrc, packed);
  MustRun(kTemporary, [&] {
    AscendC::AscendAntiQuant<AscendC::int4b_t, half, false>(
        At<half>(kDst, kCount), At<AscendC::int4b_t>(kSrc, kCount), half(3.0f),
        half(0.5f), 16);
  });
  const std::vector<half> got = Take<half>(kDst, kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    int x = packed[i / 2] >> (i % 2 * 4) & 15;
    if (x > 7) x -= 16;
    ASSERT_EQ(Widen(got[i]), 0.5 * (x + 3)) << i;
  }
}

// What host code is told must do.
TEST(QuantizationSizes, TheLeastIsEnough) {
  uint32_t most = 0;
  uint32_t least = 0;
  AscendC::GetAscendDequantMaxMinTmpSize(AscendC::TensorShape({9, 128}), 4,
                                         most, least);
  CheckDequant<half, uint64_t>({9, 128, 128}, false, least);
  AscendC::GetAscendQuantMaxMinTmpSize(AscendC::TensorShape({7, 64}), 4, most,
                                       least);
  CheckQuantChannels<float>(7, 64, (least + 31) / 32 * 32, true);
  AscendC::GetAscendAntiQuantMaxMinTmpSize(
      AscendC::TensorShape({11, 96}), AscendC::TensorShape({11, 3}), true,
      AscendC::TensorDataType::DT_INT8, AscendC::TensorDataType::DT_BF16, most,
      least);
  CheckAntiQuant<bfloat16_t, true>(96, 11, 3, true, least);
}

}  // namespace
}  // namespace belay::library::test_quantization
