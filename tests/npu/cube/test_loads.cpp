// SPDX-License-Identifier: Apache-2.0
// Loads of the cube core: im2col against a convolution's own indices, strides
// of fractals, ND to NZ, Fill, and the bias table.

#include <cstring>

#include "base/dtype.h"
#include "base/float16.h"
#include "cube_bench.h"

namespace belay::npu {
namespace {

using abi::DType;
using abi::Memory;
using abi::Op;

class LoadTest : public CubeTest {
 protected:
  void SetRegister(Op op, uint64_t value) {
    abi::Instruction instruction{};
    instruction.op = op;
    instruction.scalar = value;
    Run(instruction);
  }
};

struct Convolution {
  int channels, height, width;
  int filter_height, filter_width;
  int stride_height, stride_width;
  int dilation_height, dilation_width;
  int pad_left, pad_right, pad_top, pad_bottom;

  int OutHeight() const {
    return (height + pad_top + pad_bottom -
            (dilation_height * (filter_height - 1) + 1)) /
               stride_height +
           1;
  }
  int OutWidth() const {
    return (width + pad_left + pad_right -
            (dilation_width * (filter_width - 1) + 1)) /
               stride_width +
           1;
  }
};

// One number for each place of the map, none of them 0 or the padding's.
template <typename T>
T Mark(int channel, int y, int x) {
  return static_cast<T>(1 + ((channel * 131 + y * 17 + x) & 0x7f));
}

template <typename T>
class Im2colCheck {
 public:
  Im2colCheck(const Convolution& c, int block) : c_(c), block_(block) {}

  // NC1HWC0, channels that fill no block packed behind.
  std::vector<T> Map() const {
    std::vector<T> map;
    const int whole = c_.channels / block_ * block_;
    for (int first = 0; first < c_.channels; first += block_) {
      const int count = first < whole ? block_ : c_.channels - whole;
      for (int y = 0; y < c_.height; ++y) {
        for (int x = 0; x < c_.width; ++x) {
          for (int i = 0; i < count; ++i)
            map.push_back(Mark<T>(first + i, y, x));
        }
      }
    }
    return map;
  }

  // What row m, column k of the matrix holds.
  T At(int m, int k, T padding) const {
    if (m >= c_.OutHeight() * c_.OutWidth()) return 0;
    const int filter = c_.filter_height * c_.filter_width;
    const int whole = c_.channels / block_ * block_;
    int channel;
    int element;
    if (k < whole * filter) {
      channel = k / (filter * block_) * block_ + k % block_;
      element = k / block_ % filter;
    } else {
      const int rest = c_.channels - whole;
      if (rest == 0 || k - whole * filter >= rest * filter) return 0;
      channel = whole + (k - whole * filter) % rest;
      element = (k - whole * filter) / rest;
    }
    const int y = m / c_.OutWidth() * c_.stride_height - c_.pad_top +
                  element / c_.filter_width * c_.dilation_height;
    const int x = m % c_.OutWidth() * c_.stride_width - c_.pad_left +
                  element % c_.filter_width * c_.dilation_width;
    if (y < 0 || y >= c_.height || x < 0 || x >= c_.width) return padding;
    return Mark<T>(channel, y, x);
  }

 private:
  const Convolution& c_;
  int block_;
};

class Im2colTest : public LoadTest {
 protected:
  template <typename T>
  void Check(DType dtype, std::mt19937_64& random) {
    const auto below = [&](int n) { return static_cast<int>(random() % n); };
    const int block = 32 / static_cast<int>(sizeof(T));
    Convolution c{};
    const int rests[] = {0, 0, 4, 8};
    const int rest = rests[below(4)] % block;
    c.channels = below(3) * block + rest;
    if (c.channels == 0) c.channels = block;
    c.height = 3 + below(6);
    c.width = 3 + below(6);
    c.filter_height = 1 + below(3);
    c.filter_width = 1 + below(3);
    c.stride_height = 1 + below(2);
    c.stride_width = 1 + below(2);
    c.dilation_height = c.dilation_width = 1 + below(2);
    c.pad_left = below(3);
    c.pad_right = below(3);
    c.pad_top = 2;
    c.pad_bottom = below(3);
    c.pad_left += c.filter_width > 2 ? 2 : 0;
    const Im2colCheck<T> check(c, block);
    const std::vector<T> map = check.Map();
    std::memcpy(At<uint8_t>(Memory::kL1, 4096), map.data(),
                map.size() * sizeof(T));

    abi::Instruction fmatrix{};
    fmatrix.op = Op::kSetFmatrix;
    fmatrix.fmatrix = {
        static_cast<uint16_t>(c.height),  static_cast<uint16_t>(c.width),
        static_cast<uint8_t>(c.pad_left), static_cast<uint8_t>(c.pad_right),
        static_cast<uint8_t>(c.pad_top),  static_cast<uint8_t>(c.pad_bottom)};
    Run(fmatrix);
    const T padding = static_cast<T>(200);
    uint64_t bits = 0;
    std::memcpy(&bits, &padding, sizeof padding);
    SetRegister(Op::kSetLoadDataPaddingValue, bits);

    const int rows = c.OutHeight() * c.OutWidth();
    const int filter = c.filter_height * c.filter_width;
    const int depth =
        c.channels / block * block * filter + c.channels % block * filter;
    const int blocks = (depth + block - 1) / block;
    const int k_first = below(blocks) * block;
    const int k_count = (1 + below(blocks - k_first / block)) * block;
    const int m_first = below(rows);
    const int m_count = 1 + below(std::min(rows - m_first, 60));
    const bool to_l0b = sizeof(T) > 1 && below(2) == 0;
    const bool turned = to_l0b || (sizeof(T) > 1 && below(2) == 0);
    const Memory to = to_l0b ? Memory::kL0b : Memory::kL0a;

    abi::Instruction load{};
    load.op = Op::kLoadData3D;
    load.dst = Local(to, 512, dtype);
    load.src0 = Local(Memory::kL1, 4096, dtype);
    load.load3d.channels = static_cast<uint16_t>(c.channels);
    load.load3d.k_start = static_cast<uint16_t>(k_first);
    load.load3d.k_extension = static_cast<uint16_t>(k_count);
    load.load3d.m_start = static_cast<uint16_t>(m_first);
    load.load3d.m_extension = static_cast<uint16_t>(m_count);
    load.load3d.filter_width = static_cast<uint16_t>(c.filter_width);
    load.load3d.filter_height = static_cast<uint16_t>(c.filter_height);
    load.load3d.stride_width = static_cast<uint8_t>(c.stride_width);
    load.load3d.stride_height = static_cast<uint8_t>(c.stride_height);
    load.load3d.dilation_width = static_cast<uint8_t>(c.dilation_width);
    load.load3d.dilation_height = static_cast<uint8_t>(c.dilation_height);
    load.load3d.transpose = turned && !to_l0b;
    if (uint64_t{512} + (m_count + 15) / 16 * 16 * (k_count + 15) * sizeof(T) >
        65536) {
      return;
    }
    Run(load);
    const auto* loaded = At<T>(to, 512);
    const int m_up = (m_count + 15) / 16 * 16;
    for (int m = 0; m < m_count; ++m) {
      for (int k = 0; k < k_count; ++k) {
        int at;
        if (!turned) {  // ZZ of m × k
          at = (m / 16 * (k_count / block) + k / block) * 16 * block +
               m % 16 * block + k % block;
        } else if (to_l0b) {  // ZN, depth m, columns k
          at = (m / block * ((k_count + 15) / 16) + k / 16) * 16 * block +
               k % 16 * block + m % block;
        } else {  // ZZ of k × m
          at = (k / 16 * (m_up / block) + m / block) * 16 * block +
               k % 16 * block + m % block;
        }
        ASSERT_EQ(loaded[at], check.At(m_first + m, k_first + k, padding))
            << "row " << m_first + m << ", column " << k_first + k
            << (to_l0b   ? " to L0B"
                : turned ? " turned"
                         : "");
      }
    }
  }
};

TEST_F(Im2colTest, AgreesWithTheConvolutionsIndices) {
  std::mt19937_64 random(TestSeed());
  for (int round = 0; round < 150 && !HasFatalFailure(); ++round) {
    Check<uint8_t>(DType::kInt8, random);
    Check<uint16_t>(DType::kHalf, random);
    Check<uint32_t>(DType::kFloat, random);
  }
}

TEST_F(LoadTest, RepeatsFormOneMatrix) {
  auto* map = At<uint16_t>(Memory::kL1);
  for (int i = 0; i < 64 * 64; ++i) map[i] = static_cast<uint16_t>(i);
  abi::Instruction fmatrix{};
  fmatrix.op = Op::kSetFmatrix;
  fmatrix.fmatrix = {1, 64, 0, 0, 0, 0};  // NZ of 64 × 64
  Run(fmatrix);
  const auto value = [&](int row, int column) {
    return map[(column / 16 * 64 + row) * 16 + column % 16];
  };
  for (const bool along_k : {false, true}) {
    abi::Instruction repeat{};
    repeat.op = Op::kSetLoadDataRepeat;
    repeat.load_repeat = {2, 2, along_k};
    Run(repeat);
    abi::Instruction load{};
    load.op = Op::kLoadData3D;
    load.dst = Local(Memory::kL0a, 0, DType::kHalf);
    load.src0 = Local(Memory::kL1, 0, DType::kHalf);
    load.load3d.channels = 64;
    load.load3d.k_extension = 16;
    load.load3d.m_extension = 16;
    load.load3d.filter_width = load.load3d.filter_height = 1;
    load.load3d.stride_width = load.load3d.stride_height = 1;
    load.load3d.dilation_width = load.load3d.dilation_height = 1;
    Run(load);
    const auto* loaded = At<uint16_t>(Memory::kL0a);
    for (int i = 0; i < 512; ++i) {
      const int row = i % 256 / 16 + (along_k ? 0 : i / 256 * 32);
      const int column = i % 16 + (along_k ? i / 256 * 32 : 0);
      EXPECT_EQ(loaded[i], value(row, column)) << i;
    }
  }
}

TEST_F(LoadTest, ReadsStartOverAtTheBoundary) {
  auto* map = At<uint16_t>(Memory::kL1);
  for (int i = 0; i < 1024; ++i) map[i] = static_cast<uint16_t>(i);
  SetRegister(Op::kSetLoadDataBoundary, 1024);
  Load3D(Memory::kL0a, 512, DType::kHalf, 32, 32, 16, false);
  const auto* loaded = At<uint16_t>(Memory::kL0a);
  for (int i = 0; i < 512; ++i) EXPECT_EQ(loaded[i], (256 + i) % 512) << i;
}

TEST_F(LoadTest, FractalsByStrideGapAndDirection) {
  auto* source = At<uint16_t>(Memory::kL1);
  for (int i = 0; i < 256 * 20; ++i) source[i] = static_cast<uint16_t>(i);
  for (const bool descending : {false, true}) {
    for (const bool transpose : {false, true}) {
      chip_.on_chip().Poison(core_.slot);
      for (int i = 0; i < 256 * 20; ++i) source[i] = static_cast<uint16_t>(i);
      abi::Load2D load{};
      load.start = 7;
      load.repeat = 3;
      load.source_stride = 2;
      load.destination_gap = 1;
      load.transpose = transpose;
      load.descending = descending;
      Run(Load2D(Op::kLoadData2D, Memory::kL0a, 512, 0, DType::kHalf, load));
      const auto* loaded = At<uint16_t>(Memory::kL0a, 512);
      for (int repeat = 0; repeat < 3; ++repeat) {
        const int fractal = 7 + (descending ? -2 : 2) * repeat;
        for (int i = 0; i < 256; ++i) {
          const int from = transpose ? i % 16 * 16 + i / 16 : i;
          ASSERT_EQ(loaded[repeat * 512 + i], fractal * 256 + from);
          ASSERT_EQ(loaded[repeat * 512 + 256 + i], 0xffff);
        }
      }
    }
  }
}

TEST_F(LoadTest, SeveralMatricesToNzWithZerosBehindTheirColumns) {
  std::mt19937_64 random(TestSeed());
  for (int round = 0; round < 100; ++round) {
    const auto below = [&](uint32_t n) {
      return static_cast<uint32_t>(random() % n);
    };
    abi::Nd2Nz copy{};
    copy.matrices = 1 + below(3);
    copy.rows = 1 + below(20);
    copy.columns = 1 + below(50);
    copy.source_row_stride = copy.columns + below(10);
    copy.source_matrix_stride = copy.source_row_stride * copy.rows + below(9);
    copy.row_stride = 1 + below(3);
    copy.column_block_stride = copy.rows * copy.row_stride + below(5);
    const uint32_t blocks = (copy.columns + 15) / 16;
    copy.destination_matrix_stride =
        (copy.column_block_stride * blocks + below(4)) * 16;
    const uint64_t elements = copy.matrices * copy.source_matrix_stride;
    std::vector<uint8_t> bytes(elements * 2);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    const uint64_t gm = Put(bytes);
    chip_.on_chip().Poison(core_.slot);
    abi::Instruction instruction{};
    instruction.op = Op::kDataCopyNd2Nz;
    instruction.dst = Local(Memory::kL1, 64, DType::kHalf);
    instruction.src0 = Global(gm, DType::kHalf);
    instruction.nd2nz = copy;
    Run(instruction);
    std::vector<uint16_t> expected(200000, 0xffff);
    const auto* source = reinterpret_cast<const uint16_t*>(gm);
    for (uint32_t matrix = 0; matrix < copy.matrices; ++matrix) {
      for (uint32_t row = 0; row < copy.rows; ++row) {
        for (uint32_t column = 0; column < blocks * 16; ++column) {
          const uint64_t to =
              matrix * copy.destination_matrix_stride +
              (column / 16 * copy.column_block_stride + row * copy.row_stride) *
                  16 +
              column % 16;
          expected[to] = column < copy.columns
                             ? source[matrix * copy.source_matrix_stride +
                                      row * copy.source_row_stride + column]
                             : 0;
        }
      }
    }
    ASSERT_EQ(std::memcmp(At<uint8_t>(Memory::kL1, 64), expected.data(),
                          expected.size() * 2),
              0)
        << "round " << round;
  }
}

TEST_F(LoadTest, FillsBlocksWithGaps) {
  for (const Memory memory : {Memory::kL1, Memory::kL0a, Memory::kL0b}) {
    const int unit = memory == Memory::kL1 ? 16 : 256;  // halves
    abi::Instruction fill{};
    fill.op = Op::kFill;
    fill.dst = Local(memory, 0, DType::kHalf);
    fill.scalar = 0x1234;
    fill.fill = {3, 2, 1};
    Run(fill);
    const auto* filled = At<uint16_t>(memory);
    for (int i = 0; i < 9 * unit; ++i) {
      EXPECT_EQ(filled[i], i / unit % 3 < 2 ? 0x1234 : 0xffff);
    }
  }
}

TEST_F(LoadTest, BiasOfHalvesBecomesFloat) {
  auto* source = At<uint16_t>(Memory::kL1);
  for (int i = 0; i < 64; ++i) {
    source[i] = HalfFromFloat(static_cast<float>(i) / 8).bits;
  }
  abi::Instruction copy{};
  copy.op = Op::kDataCopy;
  copy.dst = Local(Memory::kBt, 64, DType::kFloat);
  copy.src0 = Local(Memory::kL1, 0, DType::kHalf);
  copy.transfer.block_count = 1;
  copy.transfer.block_bytes = 128;
  Run(copy);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(At<float>(Memory::kBt, 64)[i], static_cast<float>(i) / 8);
  }
}

}  // namespace
}  // namespace belay::npu
