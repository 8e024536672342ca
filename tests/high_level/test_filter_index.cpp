// SPDX-License-Identifier: Apache-2.0
// CumSum, Arange, Select by a mask of elements, DropOut, Fill.

#include <gtest/gtest.h>

#include <algorithm>

#include "library_bench.h"
#include "tiling/high_level/filter.h"
#include "tiling/high_level/math.h"

namespace belay::library::test_filter_index {
namespace {

constexpr uint32_t kDst = 0;
constexpr uint32_t kSrc = 40 * 1024;
constexpr uint32_t kMask = 80 * 1024;
constexpr uint32_t kTmp = 120 * 1024;

// --- CumSum ------------------------------------------------------------------

constexpr AscendC::CumSumConfig kAlong = {true, false, true};
constexpr AscendC::CumSumConfig kDown = {false, false, true};

template <typename T, const AscendC::CumSumConfig& config>
void CheckCumSum(uint32_t rows, uint32_t columns) {
  const uint32_t total = rows * columns;
  const std::vector<T> inputs = Uniform<T>(total, -2, 2);
  Put(kSrc, inputs);
  uint32_t most = 0;
  uint32_t least = 0;
  AscendC::GetCumSumMaxMinTmpSize(ge::Shape({rows, columns}), sizeof(T),
                                  config.isLastAxis, false, most, least);
  MustRun(0, [&] {
    const AscendC::CumSumInfo info{rows, columns};
    AscendC::CumSum<T, config>(At<T>(kDst, total), At<T>(kMask, columns),
                               At<T>(kSrc, total), At<uint8_t>(kTmp, least),
                               info);
  });
  const std::vector<T> got = Take<T>(kDst, total);
  std::vector<float> sums(inputs.size());
  for (uint32_t i = 0; i < total; ++i) {
    const bool first = config.isLastAxis ? i % columns == 0 : i < columns;
    const uint32_t before = config.isLastAxis ? i - 1 : i - columns;
    sums[i] = static_cast<float>(Widen(inputs[i])) + (first ? 0 : sums[before]);
    ASSERT_EQ(Widen(got[i]), Widen(Narrow<T>(sums[i]))) << i;
  }
  const std::vector<T> last = Take<T>(kMask, columns);
  for (uint32_t i = 0; i < columns; ++i) {
    EXPECT_EQ(Widen(last[i]), Widen(got[total - columns + i]));
  }
}

TEST(CumSum, AlongAndDown) {
  for (const uint32_t rows : {1u, 3u, 8u, 19u}) {
    for (const uint32_t columns : {16u, 48u, 160u}) {
      CheckCumSum<float, kAlong>(rows, columns);
      CheckCumSum<float, kDown>(rows, columns);
      CheckCumSum<half, kAlong>(rows, columns);
      CheckCumSum<half, kDown>(rows, columns);
    }
  }
}

TEST(CumSum, RefusesRowsThatAreNotWholeBlocks) {
  const std::string code = library::Run(kTmp, [] {
    const AscendC::CumSumInfo info{4, 12};
    AscendC::CumSum(At<float>(kDst, 48), At<float>(kMask, 16),
                    At<float>(kSrc, 48), info);
  });
  EXPECT_EQ(code.substr(0, 8), "BLY-N171") << code;
}

// --- Arange ------------------------------------------------------------------

template <typename T>
void CheckArange(double first, double step, int32_t count) {
  MustRun(0, [&] {
    AscendC::Arange<T>(At<T>(kDst, (count + 31) / 32 * 32),
                       static_cast<T>(first), static_cast<T>(step), count);
  });
  const std::vector<T> got = Take<T>(kDst, count);
  for (int32_t i = 0; i < count; ++i) {
    const double exact = first + step * i;
    ASSERT_NEAR(static_cast<double>(got[i]), exact,
                (sizeof(T) == 2 ? 2e-3 : 2e-7) * std::abs(exact))
        << i << " of " << count;
  }
}

TEST(Arange, EveryTypeAndLength) {
  for (const int32_t count : {1, 7, 8, 9, 63, 64, 65, 100, 200, 1000}) {
    CheckArange<float>(1.25, 5.5, count);
    CheckArange<int32_t>(-3, 7, count);
    CheckArange<int16_t>(-3, 7, count);
    CheckArange<half>(1, 0.5, count);
  }
  EXPECT_EQ(
      library::Run(0, [] { AscendC::Arange<float>(At<float>(0, 64), 0, 1, 0); })
          .substr(0, 8),
      "BLY-N171");
}

// --- Select ------------------------------------------------------------------

template <typename T, typename U>
void CheckSelect(uint32_t rows, uint32_t columns, uint32_t mask_columns,
                 bool scalar_first) {
  const uint32_t total = rows * columns;
  const std::vector<T> inputs = Uniform<T>(total, -2, 2);
  std::vector<U> mask(rows * mask_columns);
  for (U& element : mask) element = static_cast<U>(Random()() % 3);
  Put(kSrc, inputs);
  std::memcpy(sweep::Bench::Get().image() + kMask, mask.data(),
              mask.size() * sizeof(U));
  uint32_t most = 0;
  uint32_t least = 0;
  AscendC::GetSelectMaxMinTmpSize(ge::Shape({rows, columns}), ge::Shape({1}),
                                  sizeof(T), ge::Shape({rows, mask_columns}),
                                  sizeof(U), false, most, least);
  MustRun(0, [&] {
    AscendC::SelectWithBytesMaskShapeInfo info;
    info.firstAxis = rows;
    info.srcLastAxis = columns;
    info.maskLastAxis = mask_columns;
    const auto masks = At<U>(kMask, rows * mask_columns);
    if (scalar_first) {
      AscendC::Select(At<T>(kDst, total), T(9), At<T>(kSrc, total), masks,
                      At<uint8_t>(kTmp, least), info);
    } else {
      AscendC::SelectWithBytesMask(At<T>(kDst, total), At<T>(kSrc, total), T(9),
                                   masks, At<uint8_t>(kTmp, least), info);
    }
  });
  const std::vector<T> got = Take<T>(kDst, total);
  for (uint32_t i = 0; i < total; ++i) {
    const bool zero = mask[i / columns * mask_columns + i % columns] == 0;
    const bool tensor = zero != scalar_first;
    ASSERT_EQ(Widen(got[i]), tensor ? Widen(inputs[i]) : 9.0) << i;
  }
}

TEST(Select, ByEveryTypeOfMask) {
  for (const bool scalar_first : {false, true}) {
    CheckSelect<float, uint8_t>(3, 32, 32, scalar_first);
    CheckSelect<float, uint8_t>(3, 40, 64, scalar_first);
    CheckSelect<half, int8_t>(2, 272, 288, scalar_first);
    CheckSelect<half, int16_t>(5, 48, 64, scalar_first);
    CheckSelect<float, uint16_t>(4, 200, 208, scalar_first);
    CheckSelect<float, int32_t>(3, 32, 48, scalar_first);
    CheckSelect<half, uint32_t>(3, 320, 320, scalar_first);
  }
}

TEST(Select, RefusesAMaskShorterThanTheRows) {
  const std::string code = library::Run(0, [] {
    AscendC::SelectWithBytesMaskShapeInfo info;
    info.firstAxis = 2;
    info.srcLastAxis = 64;
    info.maskLastAxis = 32;
    AscendC::Select(At<float>(kDst, 128), At<float>(kSrc, 128), 1.0f,
                    At<uint8_t>(kMask, 64), At<uint8_t>(kTmp, 4096), info);
  });
  EXPECT_EQ(code.substr(0, 8), "BLY-N171") << code;
}

// --- DropOut -----------------------------------------------------------------

template <uint32_t mode>
void CheckDropOut(uint32_t rows, uint32_t columns, uint32_t mask_columns,
                  bool bits, bool gaps) {
  const uint32_t total = rows * columns;
  const std::vector<float> inputs = Uniform<float>(total, -2, 2);
  std::vector<uint8_t> mask(std::max(rows * mask_columns, 64u));
  for (uint8_t& byte : mask) {
    byte = static_cast<uint8_t>(Random()() % (bits ? 256 : 2));
  }
  Put(kSrc, inputs);
  Put(kMask, mask);
  MustRun(0, [&] {
    AscendC::DropOutShapeInfo info;
    info.firstAxis = rows;
    info.srcLastAxis = columns;
    info.maskLastAxis = mask_columns;
    AscendC::DropOut<float, false, mode>(
        At<float>(kDst, total), At<float>(kSrc, total),
        At<uint8_t>(kMask, static_cast<uint32_t>(mask.size())),
        At<uint8_t>(kTmp, 2048), 0.5f, info);
  });
  const std::vector<float> got = Take<float>(kDst, total);
  for (uint32_t i = 0; i < total; ++i) {
    bool keep = false;
    if (bits) {
      const uint32_t row = gaps ? i / columns : 0;
      const uint32_t at = gaps ? i % columns : i;
      keep = (mask[row * mask_columns + at / 8] >> at % 8 & 1) != 0;
    } else {
      keep = mask[i / columns * mask_columns + i % columns] != 0;
    }
    ASSERT_EQ(got[i], keep ? inputs[i] * 2 : 0.0f) << i;
  }
}

TEST(DropOut, BytesAndBits) {
  CheckDropOut<0>(4, 64, 64, false, false);
  CheckDropOut<0>(4, 48, 64, false, true);
  CheckDropOut<1>(4, 48, 64, false, true);
  CheckDropOut<2>(3, 96, 96, false, false);
  CheckDropOut<0>(4, 256, 32, true, false);
  CheckDropOut<3>(2, 128, 16, true, false);
  CheckDropOut<4>(4, 64, 32, true, true);
  CheckDropOut<0>(4, 64, 32, true, true);
}

}  // namespace
}  // namespace belay::library::test_filter_index
