// SPDX-License-Identifier: Apache-2.0
// TopK, Broadcast, Pad, UnPad, Transpose and TransData against plain loops.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "library_bench.h"
#include "tiling/high_level/sort.h"
#include "tiling/high_level/transform.h"

namespace belay::library::test_sort_and_transform {
namespace {

constexpr uint32_t kDst = 0;
constexpr uint32_t kDst2 = 0x8000;
constexpr uint32_t kSrc = 0x10000;
constexpr uint32_t kSrc2 = 0x18000;
constexpr uint32_t kTemporary = 0x1a000;
constexpr uint32_t kTemporaryBytes = 0x14000;

// --- TopK --------------------------------------------------------------------

// Indices of the k first of a row, in a stable order.
template <typename T>
std::vector<int32_t> Best(const T* row, uint32_t n, uint32_t k, bool largest) {
  std::vector<int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return largest ? Widen(row[a]) > Widen(row[b])
                   : Widen(row[a]) < Widen(row[b]);
  });
  order.resize(k);
  return order;
}

template <typename T, AscendC::TopKMode mode, bool has_finish = false>
void CheckTopK(AscendC::TopKInfo info, int32_t k, bool largest) {
  constexpr bool kSmall = mode == AscendC::TopKMode::TOPK_NSMALL;
  const auto rows = static_cast<uint32_t>(info.outter);
  const auto inner = static_cast<uint32_t>(info.inner);
  const auto n = static_cast<uint32_t>(info.n);
  // Few different values: many are equal.
  std::vector<T> x(rows * inner);
  for (uint32_t i = 0; i < x.size(); ++i) {
    const bool padding = i % inner >= n;
    x[i] = Narrow<T>(padding ? (largest ? -60000 : 60000)
                             : static_cast<double>(Random()() % 50) - 25);
  }
  Put(kSrc, x);
  std::vector<uint8_t> finish(32);
  for (uint32_t row = 0; row < rows && row < 32; ++row)
    finish[row] = row % 3 == 1;
  Put(kSrc2, finish);
  const uint32_t bytes = [&] {
    uint32_t most = 0;
    uint32_t least = 0;
    EXPECT_TRUE(AscendC::GetTopKMaxMinTmpSize(
        *platform_ascendc::PlatformAscendCManager::GetInstance(), info.inner,
        info.outter, false, false, mode, largest, sizeof(T), most, least));
    return least;
  }();
  ASSERT_LE(bytes, kTemporaryBytes);
  const uint32_t per_block = 32 / sizeof(T);
  const uint32_t pitch =
      kSmall ? k : (k + per_block - 1) / per_block * per_block;
  const uint32_t index_pitch = kSmall ? k : (k + 7) / 8 * 8;
  MustRun(kTemporary, [&] {
    AscendC::TopK<T, false, has_finish, false, mode>(
        At<T>(kDst, 0x2000), At<int32_t>(kDst2, 0x2000),
        At<T>(kSrc, rows * inner), AscendC::LocalTensor<int32_t>(),
        At<bool>(kSrc2, 32), At<uint8_t>(kTemporary, bytes), k, TopkTiling{},
        info, largest);
  });
  const std::vector<T> values = Take<T>(kDst, rows * pitch);
  const std::vector<int32_t> indices = Take<int32_t>(kDst2, rows * index_pitch);
  for (uint32_t row = 0; row < rows; ++row) {
    const std::vector<int32_t> best = Best(&x[row * inner], n, k, largest);
    for (int32_t i = 0; i < k; ++i) {
      ASSERT_EQ(Widen(values[row * pitch + i]), Widen(x[row * inner + best[i]]))
          << "row " << row << " place " << i;
      const bool finished = has_finish && row % 3 == 1;
      ASSERT_EQ(indices[row * index_pitch + i], finished ? info.n : best[i])
          << "row " << row << " place " << i;
    }
  }
}

TEST(TopK, Normal) {
  constexpr auto kNormal = AscendC::TopKMode::TOPK_NORMAL;
  CheckTopK<float, kNormal>({2, 32, 32}, 5, true);
  CheckTopK<float, kNormal>({3, 96, 90}, 17, false);
  CheckTopK<half, kNormal>({2, 64, 61}, 61, true);
  CheckTopK<half, kNormal>({2, 1024, 1000}, 100, false);
  CheckTopK<float, kNormal>({1, 2048, 2048}, 2000, true);
  CheckTopK<float, kNormal, true>({4, 160, 150}, 8, true);
}

TEST(TopK, SmallRows) {
  constexpr auto kSmall = AscendC::TopKMode::TOPK_NSMALL;
  CheckTopK<float, kSmall>({5, 32, 32}, 3, true);
  CheckTopK<float, kSmall>({9, 32, 30}, 32 - 2, false);
  CheckTopK<half, kSmall>({7, 32, 31}, 7, true);
  CheckTopK<half, kSmall>({40, 32, 32}, 32, false);
}

TEST(TopK, RefusesMoreThanThereAre) {
  EXPECT_EQ(library::Run(kTemporary,
                         [] {
                           AscendC::TopK<float>(
                               At<float>(kDst, 64), At<int32_t>(kDst2, 64),
                               At<float>(kSrc, 32),
                               AscendC::LocalTensor<int32_t>(),
                               AscendC::LocalTensor<bool>(), 31, TopkTiling{},
                               AscendC::TopKInfo{1, 32, 30});
                         })
                .substr(0, 8),
            "BLY-N171");
}

// --- Broadcast ---------------------------------------------------------------

template <typename T, int dim, int axis>
void CheckBroadcast(std::vector<uint32_t> to, uint32_t temporary) {
  std::vector<uint32_t> from = to;
  from[axis] = 1;
  const auto count = [](const std::vector<uint32_t>& shape) {
    return std::accumulate(shape.begin(), shape.end(), 1u,
                           std::multiplies<uint32_t>());
  };
  std::vector<T> x(count(from));
  for (T& value : x)
    value = static_cast<T>(static_cast<int>(Random()() % 200) - 100);
  Put(kSrc, x);
  MustRun(kTemporary, [&] {
    auto buffer = At<uint8_t>(kTemporary, temporary);
    AscendC::Broadcast<T, dim, axis>(At<T>(kDst, count(to)),
                                     At<T>(kSrc, count(from)), to.data(),
                                     from.data(), buffer);
  });
  const std::vector<T> got = Take<T>(kDst, count(to));
  const uint32_t width = to.back();
  for (uint32_t i = 0; i < got.size(); ++i) {
    const T expected = dim == 1    ? x[0]
                       : axis == 1 ? x[i / width]
                                   : x[i % width];
    ASSERT_EQ(static_cast<float>(got[i]), static_cast<float>(expected)) << i;
  }
}

TEST(Broadcast, Everything) {
  CheckBroadcast<float, 1, 0>({100}, 0x4000);
  CheckBroadcast<float, 2, 1>({20, 16}, 0x4000);
  CheckBroadcast<half, 2, 1>({20, 7}, 0x4000);
  CheckBroadcast<float, 2, 1>({33, 70}, 16 * (32 + 72 * 4));
  CheckBroadcast<half, 2, 1>({3, 1000}, 0x10000);
  CheckBroadcast<float, 2, 0>({20, 24}, 0x4000);
  CheckBroadcast<half, 2, 0>({300, 16}, 0x4000);
  CheckBroadcast<int8_t, 2, 1>({20, 32}, 0x4000);
  CheckBroadcast<uint8_t, 2, 0>({5, 64}, 0x4000);
}

TEST(Broadcast, RefusesRowsThatAreNotWholeBlocks) {
  EXPECT_EQ(library::Run(kTemporary,
                         [] {
                           const uint32_t to[2] = {4, 5};
                           const uint32_t from[2] = {1, 5};
                           AscendC::Broadcast<float, 2, 0>(At<float>(kDst, 20),
                                                           At<float>(kSrc, 5),
                                                           to, from);
                         })
                .substr(0, 8),
            "BLY-N171");
}

// --- Pad and UnPad -----------------------------------------------------------

template <typename T>
void CheckPad(uint32_t height, uint32_t width, uint32_t original,
              AscendC::PadParams pad) {
  std::vector<T> x((height * width + 15) / 16 * 16);
  for (T& value : x)
    value = static_cast<T>(static_cast<int>(Random()() % 1000));
  Put(kSrc, x);
  const uint32_t per_block = 32 / sizeof(T);
  const uint32_t pitch = (width + per_block - 1) / per_block * per_block;
  AscendC::tiling::PadTiling tiling;
  uint32_t most = 0;
  uint32_t least = 0;
  AscendC::PadTilingFunc(AscendC::TensorShape({height, width}),
                         AscendC::TensorShape({height, original}), 0, sizeof(T),
                         tiling);
  AscendC::GetPadMaxMinTmpSize(AscendC::TensorShape({height, width}), sizeof(T),
                               most, least);
  MustRun(kTemporary, [&] {
    AscendC::Pad(At<T>(kDst, height * pitch), At<T>(kSrc, x.size()), pad,
                 At<uint8_t>(kTemporary, least), tiling);
  });
  const std::vector<T> got = Take<T>(kDst, height * pitch);
  for (uint32_t row = 0; row < height; ++row) {
    for (uint32_t column = 0; column < pad.leftPad + original + pad.rightPad;
         ++column) {
      const bool data =
          column >= pad.leftPad && column < pad.leftPad + original;
      const T expected = data ? x[row * width + column - pad.leftPad]
                              : static_cast<T>(pad.padValue);
      ASSERT_EQ(static_cast<float>(got[row * pitch + column]),
                static_cast<float>(expected))
          << "row " << row << " column " << column;
    }
  }
}

TEST(Pad, BothSidesAndRedundantColumns) {
  CheckPad<half>(16, 15, 15, {0, 1, 7});
  CheckPad<half>(16, 10, 10, {2, 4, -3});
  CheckPad<float>(9, 21, 21, {3, 0, 11});
  CheckPad<float>(32, 32, 31, {0, 1, 321});
  CheckPad<int16_t>(300, 16, 13, {0, 3, 5});
  CheckPad<uint32_t>(5, 8, 6, {0, 2, 9});
}

template <typename T>
void CheckUnPad(uint32_t height, uint32_t width, uint16_t right) {
  std::vector<T> x(height * width);
  for (T& value : x)
    value = static_cast<T>(static_cast<int>(Random()() % 1000));
  Put(kSrc, x);
  AscendC::tiling::UnPadTiling tiling;
  AscendC::UnPadTilingFunc(AscendC::TensorShape({height, width}), 0, sizeof(T),
                           tiling);
  AscendC::UnPadParams pad{0, right};
  MustRun(kTemporary, [&] {
    AscendC::UnPad(At<T>(kDst, height * width), At<T>(kSrc, height * width),
                   pad, tiling);
  });
  const uint32_t left = width - right;
  const std::vector<T> got = Take<T>(kDst, height * left);
  for (uint32_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(static_cast<float>(got[i]),
              static_cast<float>(x[i / left * width + i % left]))
        << i;
  }
}

TEST(UnPad, TakesTheLastColumnsAway) {
  CheckUnPad<half>(16, 16, 1);
  CheckUnPad<float>(33, 40, 7);
  CheckUnPad<int32_t>(100, 8, 3);
  CheckUnPad<uint16_t>(3, 160, 15);
}

// --- Transpose ---------------------------------------------------------------

// Element (row, column) of a matrix of `rows` rows in NZ.
uint32_t InNz(uint32_t rows, uint32_t row, uint32_t column) {
  return (column / 16 * rows + row) * 16 + column % 16;
}
uint32_t Padded(uint32_t length) { return (length + 15) / 16 * 16; }

template <typename T>
void CheckTranspose(uint32_t type, uint32_t b, uint32_t n, uint32_t s,
                    uint32_t d) {
  const bool merges = type == 5 || type == 6;
  const bool splits = type == 3 || type == 4;
  const uint32_t image = splits ? s * Padded(n * d) : n * s * Padded(d);
  const uint32_t result = merges ? s * Padded(n * d) : n * s * Padded(d);
  std::vector<T> x(b * image);
  for (uint32_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(i % 2048);
  Put(kSrc, x);
  AscendC::tiling::ConfusionTransposeTiling tiling;
  const AscendC::TensorShape shape = type == 7
                                         ? AscendC::TensorShape({s, d})
                                         : AscendC::TensorShape({b, n, s, d});
  uint32_t most = 0;
  uint32_t least = 0;
  AscendC::GetTransposeMaxMinTmpSize(shape, sizeof(T), type, most, least);
  AscendC::GetTransposeTilingInfo(shape, most, sizeof(T), type, tiling);
  MustRun(kTemporary, [&] {
    AscendC::Transpose(At<T>(kDst, b * result), At<T>(kSrc, b * image),
                       At<uint8_t>(kTemporary, least),
                       static_cast<AscendC::TransposeType>(type), tiling);
  });
  const std::vector<T> got = Take<T>(kDst, b * result);
  for (uint32_t ib = 0; ib < b; ++ib) {
    for (uint32_t in = 0; in < n; ++in) {
      for (uint32_t is = 0; is < s; ++is) {
        for (uint32_t id = 0; id < d; ++id) {
          const uint32_t h = in * d + id;
          const uint32_t head = s * Padded(d);
          uint32_t from = ib * image;
          uint32_t to = ib * result;
          from += type == 7 ? is * d + id
                  : splits  ? InNz(s, is, h)
                            : in * head + InNz(s, is, id);
          switch (type) {
            case 1:
              to += (is * n + in) * d + id;
              break;
            case 2:
              to += is * n * d + InNz(n, in, id);
              break;
            case 3:
              to += in * head + InNz(s, is, id);
              break;
            case 4:
              to += in * head + is * Padded(d) + id;
              break;
            case 5:
              to += is * Padded(n * d) + h;
              break;
            case 6:
              to += InNz(s, is, h);
              break;
            default:
              to += id * s + is;
              break;
          }
          ASSERT_EQ(static_cast<float>(got[to]), static_cast<float>(x[from]))
              << "type " << type << " b " << ib << " n " << in << " s " << is
              << " d " << id;
        }
      }
    }
  }
}

TEST(ConfusionTranspose, ExchangesTheMiddleAxes) {
  CheckTranspose<half>(1, 2, 3, 32, 32);
  CheckTranspose<float>(1, 1, 2, 16, 48);
  CheckTranspose<half>(2, 2, 16, 16, 32);
  CheckTranspose<float>(2, 1, 16, 32, 16);
}
TEST(ConfusionTranspose, SplitsTheLastAxis) {
  for (const uint32_t type : {3, 4}) {
    CheckTranspose<half>(type, 2, 3, 32, 32);
    CheckTranspose<half>(type, 2, 4, 16, 8);
    CheckTranspose<float>(type, 1, 3, 32, 24);
    CheckTranspose<float>(type, 1, 5, 16, 3);
  }
}
TEST(ConfusionTranspose, MergesTheLastAxis) {
  for (const uint32_t type : {5, 6}) {
    CheckTranspose<half>(type, 2, 3, 32, 32);
    CheckTranspose<half>(type, 2, 4, 16, 8);
    CheckTranspose<float>(type, 1, 3, 32, 24);
    CheckTranspose<float>(type, 1, 5, 16, 3);
  }
}
TEST(ConfusionTranspose, TwoDimensions) {
  CheckTranspose<half>(7, 1, 1, 32, 48);
  CheckTranspose<uint32_t>(7, 1, 1, 16, 64);
}

// --- TransData ---------------------------------------------------------------

constexpr AscendC::TransDataConfig kToImages = {AscendC::DataFormat::NCDHW,
                                                AscendC::DataFormat::NDC1HWC0};
constexpr AscendC::TransDataConfig kFromImages = {AscendC::DataFormat::NDC1HWC0,
                                                  AscendC::DataFormat::NCDHW};
constexpr AscendC::TransDataConfig kToWeights = {
    AscendC::DataFormat::NCDHW, AscendC::DataFormat::FRACTAL_Z_3D};
constexpr AscendC::TransDataConfig kFromWeights = {
    AscendC::DataFormat::FRACTAL_Z_3D, AscendC::DataFormat::NCDHW};

template <const AscendC::TransDataConfig& config>
void CheckTransData(uint32_t n, uint32_t c, uint32_t d, uint32_t h,
                    uint32_t w) {
  constexpr bool kPack = config.srcFormat == AscendC::DataFormat::NCDHW;
  constexpr bool kWeights = (kPack ? config.dstFormat : config.srcFormat) ==
                            AscendC::DataFormat::FRACTAL_Z_3D;
  const uint32_t pixels = h * w;
  const uint32_t c1 = (c + 15) / 16;
  const uint32_t n1 = (n + 15) / 16;
  const uint32_t plain = n * c * d * Padded(pixels);
  const uint32_t packed =
      kWeights ? d * c1 * pixels * n1 * 256 : n * d * c1 * pixels * 16;
  std::vector<int16_t> x(kPack ? plain : packed);
  for (int16_t& value : x) value = static_cast<int16_t>(Random()());
  Put(kSrc, x);
  const auto images = AscendC::MakeLayout(AscendC::MakeShape(n, c, d, h, w),
                                          AscendC::MakeStride());
  const auto other = AscendC::MakeLayout(
      AscendC::MakeShape(d, c1, h, w, n1, 16u, 16u), AscendC::MakeStride());
  MustRun(kTemporary, [&] {
    const auto dst = At<int16_t>(kDst, kPack ? packed : plain);
    const auto src = At<int16_t>(kSrc, kPack ? plain : packed);
    const auto buffer =
        At<uint8_t>(kTemporary, belay::api::TransDataTemporaryBytes(pixels));
    if constexpr (kPack) {
      const AscendC::TransDataParams<decltype(images), decltype(other)> params{
          images, other};
      AscendC::TransData<config>(dst, src, buffer, params);
    } else {
      const AscendC::TransDataParams<decltype(other), decltype(images)> params{
          other, images};
      AscendC::TransData<config>(dst, src, buffer, params);
    }
  });
  const std::vector<int16_t> got = Take<int16_t>(kDst, kPack ? packed : plain);
  for (uint32_t in = 0; in < n; ++in) {
    for (uint32_t ic = 0; ic < c; ++ic) {
      for (uint32_t id = 0; id < d; ++id) {
        for (uint32_t p = 0; p < pixels; ++p) {
          const uint32_t flat = ((in * c + ic) * d + id) * Padded(pixels) + p;
          const uint32_t tiled =
              kWeights
                  ? (((id * c1 + ic / 16) * pixels + p) * n1 + in / 16) * 256 +
                        in % 16 * 16 + ic % 16
                  : (((in * d + id) * c1 + ic / 16) * pixels + p) * 16 +
                        ic % 16;
          ASSERT_EQ(got[kPack ? tiled : flat], x[kPack ? flat : tiled])
              << "n " << in << " c " << ic << " d " << id << " pixel " << p;
        }
      }
    }
  }
}

TEST(TransData, EveryWay) {
  CheckTransData<kToImages>(1, 16, 2, 3, 5);
  CheckTransData<kToImages>(2, 20, 1, 4, 8);
  CheckTransData<kFromImages>(1, 16, 2, 3, 5);
  CheckTransData<kFromImages>(2, 20, 1, 4, 8);
  CheckTransData<kToWeights>(16, 16, 1, 3, 5);
  CheckTransData<kToWeights>(5, 20, 2, 2, 3);
  CheckTransData<kFromWeights>(16, 16, 1, 3, 5);
  CheckTransData<kFromWeights>(5, 20, 2, 2, 3);
}

}  // namespace
}  // namespace belay::library::test_sort_and_transform
