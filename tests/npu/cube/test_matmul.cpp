// SPDX-License-Identifier: Apache-2.0
// From global memory through L1, L0 and Mmad to global memory again, by every
// way operands can take, against a product of plain loops.

#include <cmath>
#include <cstring>

#include "base/dtype.h"
#include "cube_bench.h"
#include "npu/vector/variants.h"

namespace belay::npu {
namespace {

using abi::DType;
using abi::Memory;
using abi::Op;

constexpr uint64_t kRightInL1 = 256 * 1024;
constexpr uint64_t kBiasInL1 = 500 * 1024;

// How an operand gets from L1 to L0.
enum class Way { k2D, k3D, kTranspose };

struct Case {
  DType dtype;
  uint32_t m;
  uint32_t n;
  uint32_t k;
  bool left_turned;   // A lies as k × m
  bool right_turned;  // B lies as n × k
  Way left;
  Way right;
};

uint32_t Up(uint32_t value, uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::string Describe(const Case& c) {
  return std::string(AscendNameOf(c.dtype)) + " " + std::to_string(c.m) + "×" +
         std::to_string(c.n) + "×" + std::to_string(c.k) +
         (c.left_turned ? " Aᵀ" : " A") + std::to_string(int(c.left)) +
         (c.right_turned ? " Bᵀ" : " B") + std::to_string(int(c.right));
}

// c[i][j] starts at `start`, then the products of i and j are added one by one.
template <typename T>
std::vector<T> Product(const Matrix& a, const Matrix& b,
                       const std::vector<T>& start) {
  std::vector<T> c = start;
  for (uint32_t i = 0; i < a.rows; ++i) {
    for (uint32_t j = 0; j < b.columns; ++j) {
      T& sum = c[size_t{i} * b.columns + j];
      for (uint32_t k = 0; k < a.columns; ++k) {
        const T product =
            static_cast<T>(a.At(i, k)) * static_cast<T>(b.At(k, j));
        sum = sum + product;
      }
    }
  }
  return c;
}

class MatmulTest : public CubeTest {
 protected:
  uint32_t Columns(DType dtype) const { return 256 / BitsOf(dtype); }
  // Elements of the side of a square LoadDataTranspose takes.
  uint32_t Square(DType dtype) const {
    return std::max<uint32_t>(Columns(dtype), 16);
  }

  // A to L0A as ZZ. Returns whether k lies in steps of 16.
  bool LoadLeft(const Case& c, const Matrix& a) {
    const Matrix stored = c.left_turned ? a.Transposed() : a;
    const uint64_t gm = Put(BytesOfMatrix(stored));
    const uint32_t columns = Columns(c.dtype);
    if (!c.left_turned) {
      const uint32_t rows = CopyToL1(gm, 0, stored, 16);
      if (c.left == Way::k3D) {
        Load3D(Memory::kL0a, 0, c.dtype, c.m, rows, c.k, false);
        return false;
      }
      const uint32_t fractals = Up(c.k, columns) / columns;
      for (uint32_t block = 0; block < rows / 16; ++block) {
        abi::Load2D load{};
        load.repeat = fractals;
        load.source_stride = rows / 16;
        Run(Load2D(Op::kLoadData2D, Memory::kL0a, block * fractals * 512,
                   block * 512, c.dtype, load));
      }
      return false;
    }
    const uint32_t square = Square(c.dtype);
    if (c.left == Way::k3D) {
      const uint32_t rows = CopyToL1(gm, 0, stored, 16);
      Load3D(Memory::kL0a, 0, c.dtype, c.k, rows, c.m, true);
      return BitsOf(c.dtype) == 32;
    }
    const uint32_t rows = CopyToL1(gm, 0, stored, square);
    const uint32_t along = rows / square;
    const uint32_t bytes = rows * 32;  // of a column of fractals in L1
    const uint32_t turned_rows = square / 16;
    for (uint32_t block = 0; block * columns < c.m; ++block) {
      abi::Load2D load{};
      load.repeat = along;
      load.source_stride = 1;
      load.transpose = c.left == Way::k2D;
      load.fractal_gap = along - 1;
      Run(Load2D(c.left == Way::k2D ? Op::kLoadData2D : Op::kLoadDataTranspose,
                 Memory::kL0a, uint64_t{block} * turned_rows * along * 512,
                 uint64_t{block} * bytes, c.dtype, load));
    }
    return false;
  }

  // B to L0B as ZN. Returns the columns Mmad has to count.
  uint32_t LoadRight(const Case& c, const Matrix& b) {
    const Matrix stored = c.right_turned ? b.Transposed() : b;
    const uint64_t gm = Put(BytesOfMatrix(stored));
    const uint32_t columns = Columns(c.dtype);
    if (c.right_turned) {
      // NZ of n × k is ZN of k × n.
      const uint32_t rows = CopyToL1(gm, kRightInL1, stored, 16);
      abi::Load2D load{};
      load.repeat = rows / 16 * (Up(c.k, columns) / columns);
      load.source_stride = 1;
      Run(Load2D(Op::kLoadData2D, Memory::kL0b, 0, kRightInL1, c.dtype, load));
      return c.n;
    }
    if (c.right == Way::k3D) {
      const uint32_t rows = CopyToL1(gm, kRightInL1, stored, 16);
      Load3D(Memory::kL0b, kRightInL1, c.dtype, c.k, rows, c.n, false);
      return c.n;
    }
    const uint32_t square = Square(c.dtype);
    const uint32_t rows = CopyToL1(gm, kRightInL1, stored, square);
    const uint32_t across = Up(c.n, square) / 16;
    for (uint32_t block = 0; block * columns < c.n; ++block) {
      abi::Load2D load{};
      load.repeat = rows / square;
      load.source_stride = 1;
      load.transpose = c.right == Way::k2D;
      load.destination_gap = across - 1;
      Run(Load2D(c.right == Way::k2D ? Op::kLoadData2D : Op::kLoadDataTranspose,
                 Memory::kL0b, uint64_t{block} * (square / 16) * 512,
                 kRightInL1 + uint64_t{block} * rows * 32, c.dtype, load));
    }
    return Up(c.n, square);
  }

  abi::Instruction Mmad(const Case& c, uint32_t n, bool align) const {
    const bool integers = c.dtype == DType::kInt8 || c.dtype == DType::kInt4;
    abi::Instruction mmad{};
    mmad.op = Op::kMmad;
    mmad.dst = Local(Memory::kL0c, 0, integers ? DType::kInt32 : DType::kFloat);
    mmad.src0 = Local(Memory::kL0a, 0, c.dtype);
    mmad.src1 = Local(Memory::kL0b, 0, c.dtype);
    mmad.mmad.m = static_cast<uint16_t>(c.m);
    mmad.mmad.n = static_cast<uint16_t>(n);
    mmad.mmad.k = static_cast<uint16_t>(c.k);
    mmad.mmad.init = abi::MmadInit::kZero;
    mmad.mmad.k_align_16 = align;
    return mmad;
  }

  // L0C to global memory by rows, and back to this machine.
  template <typename T>
  std::vector<T> Fetch(const Case& c, DType dtype) {
    const uint64_t out = chip_.global().Allocate(uint64_t{c.m} * c.n * 4);
    abi::Instruction fixpipe{};
    fixpipe.op = Op::kFixpipe;
    fixpipe.dst = Global(out, dtype);
    fixpipe.src0 = Local(Memory::kL0c, 0, dtype);
    fixpipe.fixpipe.n = c.n;
    fixpipe.fixpipe.m = c.m;
    fixpipe.fixpipe.source_stride = Up(c.m, 16);
    fixpipe.fixpipe.destination_stride = c.n;
    fixpipe.fixpipe.nz2nd = 1;
    Run(fixpipe);
    std::vector<T> result(size_t{c.m} * c.n);
    std::memcpy(result.data(), reinterpret_cast<void*>(out),
                result.size() * sizeof(T));
    return result;
  }

  // The bias table's row, copied from global memory through L1.
  template <typename T>
  void PutBias(const std::vector<T>& bias, DType dtype) {
    const auto bytes =
        static_cast<uint32_t>(bias.size() * sizeof(T) + 63) / 64 * 64;
    std::vector<uint8_t> row(bytes);
    std::memcpy(row.data(), bias.data(), bias.size() * sizeof(T));
    abi::Instruction copy{};
    copy.op = Op::kDataCopy;
    copy.dst = Local(Memory::kL1, kBiasInL1, dtype);
    copy.src0 = Global(Put(row), dtype);
    copy.transfer.block_count = 1;
    copy.transfer.block_bytes = bytes;
    Run(copy);
    copy.src0 = copy.dst;
    copy.dst = Local(Memory::kBt, 0, dtype);
    Run(copy);
  }

  template <typename T>
  void Check(const Case& c, std::mt19937_64& random) {
    SCOPED_TRACE(Describe(c));
    chip_.on_chip().Poison(core_.slot);
    const DType out = std::is_same_v<T, float> ? DType::kFloat : DType::kInt32;
    const Matrix a = RandomMatrix(c.dtype, c.m, c.k, random);
    const Matrix b = RandomMatrix(c.dtype, c.k, c.n, random);
    const bool align = LoadLeft(c, a);
    const uint32_t n = LoadRight(c, b);
    abi::Instruction mmad = Mmad(c, n, align);
    Run(mmad);
    std::vector<T> expected =
        Product<T>(a, b, std::vector<T>(size_t{c.m} * c.n));
    ASSERT_EQ(Fetch<T>(c, out), expected);
    mmad.mmad.init = abi::MmadInit::kAccumulate;
    Run(mmad);
    expected = Product<T>(a, b, expected);
    ASSERT_EQ(Fetch<T>(c, out), expected) << "accumulating";
    if (n > 256) return;  // the bias table's room
    std::vector<T> bias(c.n);
    for (T& value : bias) value = static_cast<T>(random() % 1000);
    PutBias(bias, out);
    mmad.mmad.init = abi::MmadInit::kBias;
    mmad.src2 = Local(Memory::kBt, 0, out);
    Run(mmad);
    for (size_t i = 0; i < expected.size(); ++i) expected[i] = bias[i % c.n];
    ASSERT_EQ(Fetch<T>(c, out), Product<T>(a, b, expected)) << "with bias";
  }

  void CheckAny(const Case& c, std::mt19937_64& random) {
    if (c.dtype == DType::kInt8 || c.dtype == DType::kInt4) {
      Check<int32_t>(c, random);
    } else {
      Check<float>(c, random);
    }
  }

  static std::vector<Way> LeftWays(DType dtype, bool turned) {
    const int bits = BitsOf(dtype);
    if (!turned) return {Way::k2D, Way::k3D};
    if (bits == 4) return {};
    if (bits == 8) return {Way::kTranspose};
    if (bits == 16) return {Way::k2D, Way::k3D, Way::kTranspose};
    return {Way::k3D};
  }
  static std::vector<Way> RightWays(DType dtype, bool turned) {
    const int bits = BitsOf(dtype);
    if (turned) return {Way::k2D};
    if (bits < 16) return {Way::kTranspose};
    if (bits == 16) return {Way::k2D, Way::k3D, Way::kTranspose};
    return {Way::k3D};
  }
};

constexpr DType kTypes[] = {DType::kHalf, DType::kBfloat16, DType::kFloat,
                            DType::kInt8, DType::kInt4};
constexpr uint32_t kSides[] = {2, 7, 15, 16, 17, 31, 32, 33, 40, 48};

// The depth goes over fractals of the type: one to three, and odd ones.
uint32_t Depth(DType dtype, std::mt19937_64& random) {
  const uint32_t columns = 256 / BitsOf(dtype);
  const uint32_t depths[] = {
      1,           2,           columns - 1, columns,
      columns + 1, 2 * columns, 3 * columns, 2 * columns + 5};
  return depths[random() % std::size(depths)];
}

TEST_F(MatmulTest, EveryTypeAndWayAgreesWithPlainLoops) {
  std::mt19937_64 random(TestSeed());
  int cases = 0;
  for (const DType dtype : kTypes) {
    for (const bool left_turned : {false, true}) {
      for (const bool right_turned : {false, true}) {
        for (const Way left : LeftWays(dtype, left_turned)) {
          for (const Way right : RightWays(dtype, right_turned)) {
            for (int round = 0; round < 12; ++round) {
              Case c{dtype,
                     kSides[random() % std::size(kSides)],
                     kSides[random() % std::size(kSides)],
                     Depth(dtype, random),
                     left_turned,
                     right_turned,
                     left,
                     right};
              if (dtype == DType::kInt4) {
                // Rows of global memory hold pairs.
                c.k = Up(c.k, 2);
                c.n = Up(c.n, 2);
              }
              CheckAny(c, random);
              if (HasFatalFailure()) return;
              ++cases;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(cases, 300);
}

// One row: A lies in L0A as it is, without fractals.
TEST_F(MatmulTest, OneRowIsReadAsItLies) {
  std::mt19937_64 random(TestSeed());
  for (const DType dtype : kTypes) {
    for (const uint32_t k : {2u, 16u, 50u, 256u, 300u}) {
      Case c{dtype, 1, 34, k, false, true, Way::k2D, Way::k2D};
      SCOPED_TRACE(Describe(c));
      chip_.on_chip().Poison(core_.slot);
      const Matrix a = RandomMatrix(dtype, 1, k, random);
      const Matrix b = RandomMatrix(dtype, k, c.n, random);
      std::vector<uint8_t> row = BytesOfMatrix(a);
      row.resize(Up(static_cast<uint32_t>(row.size()), 512));
      abi::Instruction load =
          Load2D(Op::kLoadData2D, Memory::kL1, 0, 0, DType::kInt8, {});
      load.src0 = Global(Put(row), DType::kInt8);
      load.load2d.repeat = static_cast<uint32_t>(row.size() / 512);
      load.load2d.source_stride = 1;
      Run(load);
      abi::Load2D all{};
      all.repeat = load.load2d.repeat;
      all.source_stride = 1;
      Run(Load2D(Op::kLoadData2D, Memory::kL0a, 0, 0, dtype, all));
      LoadRight(c, b);
      Run(Mmad(c, c.n, false));
      if (dtype == DType::kInt8 || dtype == DType::kInt4) {
        EXPECT_EQ(Fetch<int32_t>(c, DType::kInt32),
                  Product<int32_t>(a, b, std::vector<int32_t>(c.n)));
      } else {
        EXPECT_EQ(Fetch<float>(c, DType::kFloat),
                  Product<float>(a, b, std::vector<float>(c.n)));
      }
    }
  }
}

// To 11 bits of mantissa, by arithmetic: nearest, ties as told.
double ToHf32(double value, bool ties_towards_zero) {
  int exponent;
  const double fraction = std::frexp(value, &exponent);  // in [0.5, 1)
  const double scaled = std::ldexp(fraction, 12);
  double whole = std::floor(std::fabs(scaled));
  const double rest = std::fabs(scaled) - whole;
  const bool odd = std::fmod(whole, 2) != 0;
  if (rest > 0.5 || (rest == 0.5 && !ties_towards_zero && odd)) ++whole;
  return std::copysign(std::ldexp(whole, exponent - 12), value);
}

TEST_F(MatmulTest, Hf32RoundsOperandsFirst) {
  std::mt19937_64 random(TestSeed());
  for (const bool ties_towards_zero : {false, true}) {
    Case c{DType::kFloat, 33, 18, 27, false, true, Way::k2D, Way::k2D};
    Matrix a = RandomMatrix(c.dtype, c.m, c.k, random);
    Matrix b = RandomMatrix(c.dtype, c.k, c.n, random);
    // Ties, too.
    for (uint32_t i = 0; i < c.k; ++i) {
      a.At(3, i) = 1.0 + (2 * i + 1) * std::ldexp(1.0, -12);
    }
    LoadLeft(c, a);
    LoadRight(c, b);
    abi::Instruction mode{};
    mode.op = Op::kSetHF32Mode;
    mode.mode = 1;
    Run(mode);
    mode.op = Op::kSetHF32TransMode;
    mode.mode = ties_towards_zero;
    Run(mode);
    Run(Mmad(c, c.n, false));
    for (Matrix* matrix : {&a, &b}) {
      for (double& value : matrix->values) {
        value = ToHf32(value, ties_towards_zero);
      }
    }
    EXPECT_EQ(Fetch<float>(c, DType::kFloat),
              Product<float>(a, b, std::vector<float>(size_t{c.m} * c.n)));
  }
}

TEST_F(MatmulTest, IntegerSumsClamp) {
  Case c{DType::kInt8, 16, 16, 32, false, true, Way::k2D, Way::k2D};
  Matrix a{DType::kInt8, 16, 32, std::vector<double>(512, 127)};
  LoadLeft(c, a);
  LoadRight(c, a.Transposed());
  int32_t* results = At<int32_t>(Memory::kL0c);
  std::fill(results, results + 256, 2147483000);
  abi::Instruction mmad = Mmad(c, c.n, false);
  mmad.mmad.init = abi::MmadInit::kAccumulate;
  Run(mmad);
  EXPECT_EQ(results[0], 2147483647);
}

TEST_F(MatmulTest, SparseTakesTwoOfFour) {
  std::mt19937_64 random(TestSeed());
  for (const uint32_t k : {64u, 128u, 192u}) {
    Case c{DType::kInt8, 24, 40, k, false, true, Way::k2D, Way::k2D};
    SCOPED_TRACE(Describe(c));
    const Matrix a = RandomMatrix(DType::kInt8, c.m, k, random);
    Matrix b{DType::kInt8, k, c.n, std::vector<double>(size_t{k} * c.n)};
    // Packed values and indices as they lie in L1, ZN.
    Matrix packed{DType::kInt8, c.n, k / 2,
                  std::vector<double>(size_t{c.n} * k / 2)};
    const uint32_t n_up = Up(c.n, 16);
    std::vector<uint8_t> indices(n_up * (k / 2) / 4);
    for (uint32_t n = 0; n < c.n; ++n) {
      for (uint32_t group = 0; group < k / 4; ++group) {
        const auto first = static_cast<uint32_t>(random() % 3);
        const auto second =
            static_cast<uint32_t>(first + 1 + random() % (3 - first));
        const double values[] = {double(random() % 200) - 100,
                                 double(random() % 200) - 100};
        b.At(group * 4 + first, n) = values[0];
        b.At(group * 4 + second, n) = values[1];
        for (uint32_t i = 0; i < 2; ++i) {
          const uint32_t dense = group * 2 + i;
          packed.At(n, dense) = values[i];
          const uint32_t place =
              dense / 32 * n_up * 32 + n / 16 * 512 + n % 16 * 32 + dense % 32;
          indices[place / 4] |= (i == 0 ? first : second - 1)
                                << (place % 4 * 2);
        }
      }
    }
    LoadLeft(c, a);
    CopyToL1(Put(BytesOfMatrix(packed)), kRightInL1, packed, 16);
    std::memcpy(At<uint8_t>(Memory::kL1, kBiasInL1), indices.data(),
                indices.size());
    abi::Load2D load{};
    load.repeat = n_up / 16 * (k / 2 / 32);
    abi::Instruction sparse = Load2D(Op::kLoadDataSparse, Memory::kL0b, 0,
                                     kRightInL1, DType::kInt8, load);
    sparse.src1 = Local(Memory::kL1, kBiasInL1, DType::kUint8);
    Run(sparse);
    abi::Instruction mmad = Mmad(c, c.n, false);
    mmad.op = Op::kMmadSparse;
    Run(mmad);
    EXPECT_EQ(Fetch<int32_t>(c, DType::kInt32),
              Product<int32_t>(a, b, std::vector<int32_t>(c.m * c.n)));
  }
}

TEST_F(MatmulTest, HostsOfAllKindsGiveTheSameBits) {
  std::mt19937_64 random(TestSeed());
  for (const Variant variant : AvailableVariants()) {
    UseVariant(variant);
    for (const DType dtype : kTypes) {
      Case c{dtype, 33, 50, 70, false, true, Way::k2D, Way::k2D};
      CheckAny(c, random);
    }
  }
  UseVariant(AvailableVariants().back());
}

TEST_F(MatmulTest, InfinitiesAndNanStayOrSaturate) {
  Case c{DType::kHalf, 16, 16, 16, false, true, Way::k2D, Way::k2D};
  auto* left = At<uint16_t>(Memory::kL0a);
  auto* right = At<uint16_t>(Memory::kL0b);
  for (int i = 0; i < 256; ++i) left[i] = right[i] = 0x3c00;
  left[0] = 0x7c00;   // row 0: infinity
  left[16] = 0xfc00;  // row 1: minus infinity
  left[32] = 0x7e00;  // row 2: NaN
  Run(Mmad(c, 16, false));
  const auto* results = At<float>(Memory::kL0c);
  EXPECT_EQ(results[0], INFINITY);
  EXPECT_EQ(results[16], -INFINITY);
  EXPECT_TRUE(std::isnan(results[32]));
  EXPECT_EQ(results[48], 16.0f);
  core_.vector.SetControl(0);
  Run(Mmad(c, 16, false));
  EXPECT_EQ(results[0], std::numeric_limits<float>::max());
  EXPECT_EQ(results[16], -std::numeric_limits<float>::max());
  EXPECT_EQ(results[32], 0.0f);
}

}  // namespace
}  // namespace belay::npu
