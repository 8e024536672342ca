// SPDX-License-Identifier: Apache-2.0
// The cube's interfaces, called as a kernel calls them: layouts against plain
// loops over rows and columns, products and conversions against double.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "cube_bench.h"
#include "kernels.h"

namespace belay::sweep::sweep_cube {
namespace {

using abi::Memory;
using AscendC::LocalTensor;
using AscendC::TPosition;
using Bytes = CubeBench::Bytes;

constexpr int kRounds = 6;

using Fractals = Types<int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t,
                       int32_t, uint32_t, float>;
using Squares =
    Types<int8_t, uint8_t, half, bfloat16_t, int32_t, uint32_t, float>;

template <typename T>
Cell CubeCell(const std::string& row, const std::string& mark = "call") {
  return {"Cube", row, Type<T>::kName, mark};
}

uint32_t RoundUp(uint32_t value, uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

// Element (row, column) of a fractal of `T`, in bytes from its start.
template <typename T>
uint32_t InFractal(uint32_t row, uint32_t column) {
  return row * 32 + column * sizeof(T);
}

TEST(SweepCube, Nd2NzAndBack) {
  Draw& draw = Bench::Get().draw;
  ForEach(Fractals(), [&]<typename T>() {
    for (int round = 0; round < kRounds; ++round) {
      constexpr uint32_t kColumn = 32 / sizeof(T);
      const auto rows = static_cast<uint16_t>(1 + draw.Below(40));
      const auto columns = static_cast<uint16_t>(1 + draw.Below(70));
      const auto stride = static_cast<uint16_t>(columns + draw.Below(9));
      const auto height = static_cast<uint16_t>(RoundUp(rows, 16));
      CubeBench bench(64 * 1024);
      Bytes l1 = bench.In(Memory::kL1);
      for (uint32_t c = 0; c < RoundUp(columns, kColumn); ++c) {
        for (uint32_t r = 0; r < rows; ++r) {
          uint8_t* to =
              &l1[(c / kColumn * height + r) * 32 + c % kColumn * sizeof(T)];
          if (c < columns) {
            std::memcpy(to, bench.global() + (r * stride + c) * sizeof(T),
                        sizeof(T));
          } else {
            std::memset(to, 0, sizeof(T));
          }
        }
      }
      const auto a = bench.Tensor<T>();
      bench.Check(CubeCell<T>("DataCopy GM to L1", "Nd2Nz"), Memory::kL1, l1,
                  [&] {
                    DataCopy(LocalTensor<T>(TPosition::A1, 0, 16384), a,
                             AscendC::Nd2NzParams(1, rows, columns, 0, stride,
                                                  height, 1, 0));
                  });
    }
  });
}

TEST(SweepCube, LoadData2D) {
  Draw& draw = Bench::Get().draw;
  ForEach(Fractals(), [&]<typename T>() {
    for (int round = 0; round < kRounds; ++round) {
      CubeBench bench(1024);
      const bool to_a = draw.Chance(50);
      const bool transpose = sizeof(T) == 2 && draw.Chance(50);
      const auto start = static_cast<uint16_t>(draw.Below(4));
      const auto repeat = static_cast<uint8_t>(draw.Below(9));
      const auto stride = static_cast<uint16_t>(draw.Below(4));
      const auto gap = static_cast<uint16_t>(draw.Below(3));
      const Memory memory = to_a ? Memory::kL0a : Memory::kL0b;
      const Bytes& l1 = bench.In(Memory::kL1);
      Bytes expected = bench.In(memory);
      for (uint32_t i = 0; i < repeat; ++i) {
        const uint8_t* from = &l1[(start + i * stride) * 512];
        uint8_t* to = &expected[i * (1 + gap) * 512];
        for (uint32_t r = 0; r < 16; ++r) {
          for (uint32_t c = 0; c < 32 / sizeof(T); ++c) {
            std::memcpy(
                to + (transpose ? InFractal<T>(c, r) : InFractal<T>(r, c)),
                from + InFractal<T>(r, c), sizeof(T));
          }
        }
      }
      bench.Check(CubeCell<T>("LoadData", transpose ? "transposed" : "call"),
                  memory, expected, [&] {
                    LoadData(LocalTensor<T>(
                                 to_a ? TPosition::A2 : TPosition::B2, 0, 4096),
                             LocalTensor<T>(TPosition::A1, 0, 16384),
                             AscendC::LoadData2DParams(start, repeat, stride, 0,
                                                       gap, transpose, 0));
                  });
    }
  });
}

// Fractals side by side (wide elements) or one above the other (narrow ones)
// make a square; its transpose is cut up again in the same way.
TEST(SweepCube, LoadDataWithTranspose) {
  Draw& draw = Bench::Get().draw;
  ForEach(Squares(), [&]<typename T>() {
    for (int round = 0; round < kRounds; ++round) {
      constexpr uint32_t kColumns = 32 / sizeof(T);
      constexpr uint32_t kSide = kColumns < 16 ? 16 : kColumns;
      constexpr uint32_t kFractals = sizeof(T) == 2 ? 1 : 2;
      CubeBench bench(1024);
      const auto repeat = static_cast<uint8_t>(1 + draw.Below(4));
      const auto stride = static_cast<uint16_t>(draw.Below(4));
      const auto gap = static_cast<uint16_t>(kFractals - 1 + draw.Below(2));
      const Bytes& l1 = bench.In(Memory::kL1);
      Bytes expected = bench.In(Memory::kL0b);
      const auto place = [](uint32_t r, uint32_t c) {
        const uint32_t fractal = sizeof(T) == 1 ? r / 16 : c / kColumns;
        return fractal * 512 + InFractal<T>(r % 16, c % kColumns);
      };
      for (uint32_t i = 0; i < repeat; ++i) {
        for (uint32_t r = 0; r < kSide; ++r) {
          for (uint32_t c = 0; c < kSide; ++c) {
            std::memcpy(&expected[i * (1 + gap) * 512 + place(c, r)],
                        &l1[i * stride * kFractals * 512 + place(r, c)],
                        sizeof(T));
          }
        }
      }
      bench.Check(
          CubeCell<T>("LoadDataWithTranspose"), Memory::kL0b, expected, [&] {
            LoadDataWithTranspose(
                LocalTensor<T>(TPosition::B2, 0, 4096),
                LocalTensor<T>(TPosition::B1, 0, 16384),
                AscendC::LoadData2dTransposeParams(0, repeat, stride, gap, 0));
          });
    }
  });
}

// All of the im2col matrix of a map 16 wide, padded so that it keeps its size.
TEST(SweepCube, LoadData3D) {
  Draw& draw = Bench::Get().draw;
  ForEach(Squares(), [&]<typename T>() {
    for (int round = 0; round < kRounds; ++round) {
      constexpr uint32_t kColumns = 32 / sizeof(T);
      constexpr uint32_t kWidth = 16;
      const auto height = static_cast<uint16_t>(1 + draw.Below(4));
      const auto blocks = static_cast<uint32_t>(1 + draw.Below(2));
      const auto filter_w = static_cast<uint8_t>(1 + 2 * draw.Below(2));
      const auto filter_h = static_cast<uint8_t>(1 + 2 * draw.Below(2));
      const auto dilation = static_cast<uint8_t>(1 + draw.Below(2));
      const auto pad_w = static_cast<uint8_t>(dilation * (filter_w - 1) / 2);
      const auto pad_h = static_cast<uint8_t>(dilation * (filter_h - 1) / 2);
      const uint64_t bits = draw.Word();
      T value;
      std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
      CubeBench bench(1024);
      const Bytes& l1 = bench.In(Memory::kL1);
      Bytes expected = bench.In(Memory::kL0a);
      const uint32_t deep = blocks * filter_h * filter_w;
      for (uint32_t i = 0; i < height * kWidth; ++i) {
        for (uint32_t j = 0; j < deep * kColumns; ++j) {
          const uint32_t point = j / kColumns;
          const int row =
              static_cast<int>(i / kWidth) - pad_h +
              static_cast<int>(point / filter_w % filter_h) * dilation;
          const int column = static_cast<int>(i % kWidth) - pad_w +
                             static_cast<int>(point % filter_w) * dilation;
          const bool inside = row >= 0 && row < height && column >= 0 &&
                              column < static_cast<int>(kWidth);
          const uint32_t block = point / (filter_w * filter_h);
          const uint32_t from =
              inside ? ((block * height + row) * kWidth + column) * 32 +
                           j % kColumns * sizeof(T)
                     : 0;
          const uint32_t to = (i / 16 * deep + point) * 512 +
                              InFractal<T>(i % 16, j % kColumns);
          if (to >= expected.size()) continue;
          std::memcpy(&expected[to],
                      inside ? static_cast<const void*>(&l1[from])
                             : static_cast<const void*>(&value),
                      sizeof(T));
        }
      }
      const uint8_t padding[] = {pad_w, pad_w, pad_h, pad_h};
      const auto channels = static_cast<uint16_t>(blocks * kColumns);
      bench.Check(CubeCell<T>("LoadData of a feature map"), Memory::kL0a,
                  expected, [&] {
                    LoadData(
                        LocalTensor<T>(TPosition::A2, 0, 65536 / sizeof(T)),
                        LocalTensor<T>(TPosition::A1, 0, 16384),
                        AscendC::LoadData3DParamsV2<T>(
                            padding, height, kWidth, channels,
                            static_cast<uint16_t>(deep * kColumns),
                            static_cast<uint16_t>(height * kWidth), 0, 0, 1, 1,
                            filter_w, filter_h, dilation, dilation, false,
                            false, value));
                  });
    }
  });
}

TEST(SweepCube, Fill) {
  Draw& draw = Bench::Get().draw;
  ForEach(Moved(), [&]<typename T>() {
    for (const TPosition position :
         {TPosition::A1, TPosition::A2, TPosition::B2}) {
      CubeBench bench(1024);
      const Memory memory = api::MemoryOf(position);
      const uint32_t block = position == TPosition::A1 ? 32 : 512;
      const auto repeat = static_cast<uint16_t>(draw.Below(4));
      const auto blocks = static_cast<uint16_t>(draw.Below(4));
      const auto gap = static_cast<uint16_t>(draw.Below(3));
      Bytes expected = bench.In(memory);
      const uint64_t bits = draw.Word();
      T value;
      std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
      for (uint32_t i = 0; i < repeat; ++i) {
        for (uint32_t at = 0; at < blocks * block; at += sizeof(T)) {
          std::memcpy(&expected[i * (blocks + gap) * block + at], &bits,
                      sizeof(T));
        }
      }
      bench.Check(CubeCell<T>("Fill"), memory, expected, [&] {
        Fill(LocalTensor<T>(position, 0, 4096),
             AscendC::InitConstValueParams<T>(repeat, blocks, gap, value));
      });
    }
  });
}

// Small integers are exact in every type, and so are their products' sums.
template <typename T>
T Number(int value) {
  return static_cast<T>(static_cast<float>(value));
}
template <>
int8_t Number<int8_t>(int value) {
  return static_cast<int8_t>(value);
}

// C = A · B [+ bias] from L0A (ZZ) and L0B (ZN), moved out row by row.
template <typename In, typename Out>
void CheckProduct(bool with_bias) {
  Draw& draw = Bench::Get().draw;
  constexpr uint32_t kDepth = 32 / sizeof(In);
  for (int round = 0; round < kRounds; ++round) {
    // One row alone is another layout.
    const auto m = static_cast<uint16_t>(2 + draw.Below(40));
    const auto n = static_cast<uint16_t>(1 + draw.Below(40));
    const auto k = static_cast<uint16_t>(1 + draw.Below(60));
    std::vector<int> a(m * k), b(k * n), bias(n);
    for (int& x : a) x = static_cast<int>(draw.Below(15)) - 7;
    for (int& x : b) x = static_cast<int>(draw.Below(15)) - 7;
    for (int& x : bias) x = static_cast<int>(draw.Below(100)) - 50;
    CubeBench bench(16384);
    const uint32_t deep = RoundUp(k, kDepth) / kDepth;
    const uint32_t wide = RoundUp(n, 16) / 16;
    const auto put = [](Bytes& bytes, uint32_t at, In value) {
      std::memcpy(&bytes[at], static_cast<const void*>(&value), sizeof(In));
    };
    for (uint32_t i = 0; i < m; ++i) {
      for (uint32_t l = 0; l < k; ++l) {
        put(bench.In(Memory::kL0a),
            (i / 16 * deep + l / kDepth) * 512 +
                InFractal<In>(i % 16, l % kDepth),
            Number<In>(a[i * k + l]));
      }
    }
    for (uint32_t l = 0; l < k; ++l) {
      for (uint32_t j = 0; j < n; ++j) {
        put(bench.In(Memory::kL0b),
            (l / kDepth * wide + j / 16) * 512 +
                InFractal<In>(j % 16, l % kDepth),
            Number<In>(b[l * n + j]));
      }
    }
    for (uint32_t j = 0; j < n; ++j) {
      const Out value = static_cast<Out>(bias[j]);
      std::memcpy(&bench.In(Memory::kBt)[j * 4], &value, 4);
    }
    Bytes expected(bench.global(), bench.global() + 16384);
    for (uint32_t i = 0; i < m; ++i) {
      for (uint32_t j = 0; j < n; ++j) {
        int sum = with_bias ? bias[j] : 0;
        for (uint32_t l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
        const Out value = static_cast<Out>(sum);
        std::memcpy(&expected[(i * n + j) * 4], &value, 4);
      }
    }
    const auto out = bench.Tensor<Out>();
    bench.Check(
        CubeCell<In>("Mmad", with_bias ? "bias" : "call"), Memory::kGm,
        expected, [&] {
          const LocalTensor<Out> c(TPosition::CO1, 0, 4096);
          const LocalTensor<In> left(TPosition::A2, 0, 4096);
          const LocalTensor<In> right(TPosition::B2, 0, 4096);
          AscendC::MmadParams params(m, n, k, 0, false, !with_bias);
          if (with_bias) {
            Mmad(c, left, right, LocalTensor<Out>(TPosition::C2, 0, 256),
                 params);
          } else {
            Mmad(c, left, right, params);
          }
          AscendC::PipeBarrier<PIPE_ALL>();
          Fixpipe(out, c,
                  AscendC::FixpipeParamsV220(
                      n, m, static_cast<uint16_t>(RoundUp(m, 16)), n, false));
        });
  }
}

TEST(SweepCube, Mmad) {
  CheckProduct<half, float>(false);
  CheckProduct<half, float>(true);
  CheckProduct<bfloat16_t, float>(false);
  CheckProduct<bfloat16_t, float>(true);
  CheckProduct<float, float>(false);
  CheckProduct<float, float>(true);
  CheckProduct<int8_t, int32_t>(false);
  CheckProduct<int8_t, int32_t>(true);
}

// What Fixpipe makes of whole numbers in L0C, by NZ and row by row.
template <typename In, typename Out>
void CheckConversion(const std::string& mark, QuantMode_t mode) {
  Draw& draw = Bench::Get().draw;
  for (int round = 0; round < kRounds; ++round) {
    const bool by_rows = draw.Chance(50);
    const bool relu = draw.Chance(50);
    const auto m = static_cast<uint16_t>(1 + draw.Below(40));
    const auto n = static_cast<uint16_t>(16 * (1 + draw.Below(3)));
    const uint32_t high = RoundUp(m, 16);
    // Columns of a fractal of the result.
    constexpr uint32_t kColumn = sizeof(Out) == 1 ? 32 : 16;
    if (n % kColumn != 0 && !by_rows) continue;
    CubeBench bench(32768);
    Bytes expected(bench.global(), bench.global() + 32768);
    for (uint32_t i = 0; i < m; ++i) {
      for (uint32_t j = 0; j < n; ++j) {
        const int number = static_cast<int>(draw.Below(200)) - 100;
        const In in = static_cast<In>(number);
        std::memcpy(
            &bench.In(Memory::kL0c)[(j / 16 * high + i) * 64 + j % 16 * 4], &in,
            4);
        // Scales multiply what is negative by 0 and keep its sign.
        const Out none =
            mode == DEQF16 ? static_cast<Out>(-0.0f) : Number<Out>(0);
        const Out out = relu && number < 0 ? none : Number<Out>(number);
        const uint32_t at =
            by_rows ? i * n + j : (j / kColumn * m + i) * kColumn + j % kColumn;
        std::memcpy(&expected[at * sizeof(Out)], static_cast<const void*>(&out),
                    sizeof(Out));
      }
    }
    const auto out = bench.Tensor<Out>();
    bench.Check(
        CubeCell<Out>("Fixpipe from " + std::string(Type<In>::kName), mark),
        Memory::kGm, expected, [&] {
          const LocalTensor<In> c(TPosition::CO1, 0, 4096);
          AscendC::FixpipeParamsV220 params(n, m, static_cast<uint16_t>(high),
                                            n, relu);
          params.quantPre = mode;
          // A scale of one, and for 8 bits the sign.
          params.deqScalar = 0x3f800000u | uint64_t{1} << 46;
          if (by_rows) {
            Fixpipe(out, c, params);
          } else {
            params.dstStride =
                m * kColumn * static_cast<uint32_t>(sizeof(Out)) / 32;
            Fixpipe<Out, In, AscendC::CFG_NZ>(out, c, params);
          }
        });
  }
}

TEST(SweepCube, Fixpipe) {
  CheckConversion<float, float>("NoQuant", NoQuant);
  CheckConversion<int32_t, int32_t>("NoQuant", NoQuant);
  CheckConversion<float, half>("F322F16", F322F16);
  CheckConversion<float, bfloat16_t>("F322BF16", F322BF16);
  CheckConversion<int32_t, half>("DEQF16", DEQF16);
  CheckConversion<float, int8_t>("QF322B8_PRE", QF322B8_PRE);
  CheckConversion<int32_t, int8_t>("REQ8", REQ8);
}

}  // namespace
}  // namespace belay::sweep::sweep_cube
