// SPDX-License-Identifier: Apache-2.0
// Random matrix products: every tiling fits the memories, covers the product
// and keeps the documented relations between its fields.

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>

#include "tiling/tiling_api.h"

namespace {

using AscendC::tiling::TCubeTiling;
using matmul_tiling::CubeFormat;
using matmul_tiling::DataType;
using matmul_tiling::MatrixTraverse;
using matmul_tiling::MultiCoreMatmulTiling;
using matmul_tiling::TPosition;

int64_t CeilDiv(int64_t value, int64_t by) { return (value + by - 1) / by; }
int64_t RoundUp(int64_t value, int64_t to) { return CeilDiv(value, to) * to; }

uint32_t Seed() {
  const char* given = std::getenv("BELAY_SEED");
  const uint32_t seed =
      given == nullptr ? 20260 : std::strtoul(given, nullptr, 10);
  std::cout << "BELAY_SEED=" << seed << "\n";
  return seed;
}

struct Product {
  int m, n, k;
  DataType type;
  int bits;
  bool a_transposed, b_transposed, bias, quant, split_k;
  int cores;
  int l1_bytes, l0c_bytes;  // -1: all
  MatrixTraverse traverse;
  int base_m, base_n;  // -1: any
};

class Maker {
 public:
  explicit Maker(uint32_t seed) : random_(seed) {}

  int Number(int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random_);
  }
  // Small numbers as often as large ones.
  int Size() { return Number(1, 1 << Number(1, 13)); }
  bool Coin(int one_in = 2) { return Number(1, one_in) == 1; }

  Product Make() {
    static constexpr struct {
      DataType type;
      int bits;
    } kTypes[] = {{DataType::DT_FLOAT, 32},
                  {DataType::DT_FLOAT16, 16},
                  {DataType::DT_BF16, 16},
                  {DataType::DT_INT8, 8},
                  {DataType::DT_INT4, 4}};
    const auto& type = kTypes[Number(0, 4)];
    Product product{};
    product.m = Size();
    product.n = Size();
    product.k = Size();
    product.type = type.type;
    product.bits = type.bits;
    product.a_transposed = Coin();
    product.b_transposed = Coin();
    product.split_k = Coin(6);
    product.bias = !product.split_k && Coin();
    product.quant = type.bits == 8 && Coin();
    product.cores = Coin(4) ? 1 : Number(1, 48);
    product.l1_bytes = Coin(4) ? Number(64, 512) * 1024 : -1;
    product.l0c_bytes = Coin(4) ? Number(16, 128) * 1024 : -1;
    product.traverse = static_cast<MatrixTraverse>(Number(0, 2));
    product.base_m = product.base_n = -1;
    if (Coin(5)) product.base_m = 16 * Number(1, 8);
    if (Coin(5)) product.base_n = 16 * Number(1, 8);
    return product;
  }

 private:
  std::mt19937 random_;
};

std::ostream& operator<<(std::ostream& out, const Product& p) {
  return out << p.m << "x" << p.n << "x" << p.k << " bits " << p.bits
             << " transposed " << p.a_transposed << p.b_transposed << " bias "
             << p.bias << " quant " << p.quant << " split_k " << p.split_k
             << " cores " << p.cores << " l1 " << p.l1_bytes << " l0c "
             << p.l0c_bytes << " traverse " << static_cast<int>(p.traverse)
             << " base " << p.base_m << "x" << p.base_n;
}

void Describe(const Product& product, MultiCoreMatmulTiling& tiling) {
  const bool is_integer = product.bits <= 8;
  const DataType result = product.quant ? DataType::DT_FLOAT16
                          : is_integer  ? DataType::DT_INT32
                                        : DataType::DT_FLOAT;
  const DataType bias = is_integer ? DataType::DT_INT32 : DataType::DT_FLOAT;
  tiling.SetDim(product.cores);
  tiling.SetAType(TPosition::GM, CubeFormat::ND, product.type,
                  product.a_transposed);
  tiling.SetBType(TPosition::GM, CubeFormat::ND, product.type,
                  product.b_transposed);
  tiling.SetCType(TPosition::GM, CubeFormat::ND, result);
  tiling.SetBiasType(TPosition::GM, CubeFormat::ND, bias);
  tiling.SetShape(product.m, product.n, product.k);
  tiling.SetOrgShape(product.m, product.n, product.k);
  tiling.EnableBias(product.bias);
  tiling.EnableMultiCoreSplitK(product.split_k);
  tiling.SetTraverse(product.traverse);
  tiling.SetFixSplit(product.base_m, product.base_n, -1);
  if (product.quant) {
    tiling.SetDequantType(matmul_tiling::DequantType::TENSOR);
  }
  ASSERT_EQ(tiling.SetBufferSpace(product.l1_bytes, product.l0c_bytes), 0);
}

void ExpectCovers(const Product& product, const TCubeTiling& t) {
  EXPECT_EQ(t.M, product.m);
  EXPECT_EQ(t.N, product.n);
  EXPECT_EQ(t.Ka, product.k);
  EXPECT_EQ(t.Kb, product.k);
  ASSERT_GT(t.singleCoreM, 0);
  ASSERT_GT(t.singleCoreN, 0);
  ASSERT_GT(t.singleCoreK, 0);
  EXPECT_LE(t.singleCoreM, product.m);
  EXPECT_LE(t.singleCoreN, product.n);
  EXPECT_LE(t.singleCoreK, product.k);
  if (!product.split_k) {
    EXPECT_EQ(t.singleCoreK, product.k);
  }
  EXPECT_EQ(t.usedCoreNum, CeilDiv(product.m, t.singleCoreM) *
                               CeilDiv(product.n, t.singleCoreN) *
                               CeilDiv(product.k, t.singleCoreK));
  EXPECT_LE(t.usedCoreNum, product.cores);
}

void ExpectFits(const Product& product, const TCubeTiling& t) {
  const int64_t row = 256 / product.bits;
  const int64_t a_rows = product.a_transposed ? RoundUp(t.baseM, row) : t.baseM;
  const int64_t b_columns =
      product.b_transposed ? t.baseN : RoundUp(t.baseN, row);
  const auto bytes = [&](int64_t elements) {
    return elements * product.bits / 8;
  };
  EXPECT_LE(bytes(int64_t{t.baseM} * t.baseK) * t.dbL0A, 65536);
  EXPECT_LE(bytes(int64_t{t.baseN} * t.baseK) * t.dbL0B, 65536);
  EXPECT_LE(int64_t{t.baseM} * t.baseN * 4 * t.dbL0C,
            product.l0c_bytes < 0 ? 131072 : product.l0c_bytes);
  if (product.bias) {
    EXPECT_LE(t.baseN * 4, 1024);
  }
  if (product.quant) {
    EXPECT_LE(t.baseN * 8, 2048);
  }
  const int64_t l1 = bytes(a_rows * t.baseK) * t.depthA1 +
                     bytes(b_columns * t.baseK) * t.depthB1 +
                     (product.bias ? t.baseN * 4 : 0);
  EXPECT_LE(l1, product.l1_bytes < 0 ? 524288 : product.l1_bytes);
  EXPECT_GE(t.shareL1Size, l1);
}

void ExpectRelations(const Product& product, const TCubeTiling& t) {
  const int64_t row = 256 / product.bits;
  EXPECT_EQ(t.baseM % 16, 0);
  EXPECT_EQ(t.baseN % 16, 0);
  EXPECT_EQ(t.baseK % row, 0);
  if (product.a_transposed || !product.b_transposed) {
    EXPECT_EQ(t.baseK % 16, 0);
  }
  EXPECT_LE(t.baseM, RoundUp(t.singleCoreM, std::max<int64_t>(16, row)));
  EXPECT_LE(t.baseN, RoundUp(t.singleCoreN, std::max<int64_t>(16, row)));
  if (product.base_m > 0) {
    EXPECT_EQ(t.baseM, product.base_m);
  }
  if (product.base_n > 0) {
    EXPECT_EQ(t.baseN, product.base_n);
  }

  for (const int buffers : {t.dbL0A, t.dbL0B, t.dbL0C}) {
    EXPECT_TRUE(buffers == 1 || buffers == 2) << buffers;
  }
  const int a_block = t.stepM * t.stepKa;
  const int b_block = t.stepN * t.stepKb;
  EXPECT_TRUE(t.depthA1 == a_block || t.depthA1 == 2 * a_block);
  EXPECT_TRUE(t.depthB1 == b_block || t.depthB1 == 2 * b_block);
  const int64_t blocks_k = CeilDiv(t.singleCoreK, t.baseK);
  if (blocks_k > t.stepKa) {
    EXPECT_EQ(t.stepM, 1);
  }
  if (blocks_k > t.stepKb) {
    EXPECT_EQ(t.stepN, 1);
  }
  const int64_t pieces_a = CeilDiv(t.singleCoreK, int64_t{t.baseK} * t.stepKa);
  const int64_t pieces_b = CeilDiv(t.singleCoreK, int64_t{t.baseK} * t.stepKb);
  EXPECT_TRUE(pieces_a % pieces_b == 0 || pieces_b % pieces_a == 0);
  if (product.traverse == MatrixTraverse::FIRSTM) {
    EXPECT_EQ(t.iterateOrder, 0);
  }
  if (product.traverse == MatrixTraverse::FIRSTN) {
    EXPECT_EQ(t.iterateOrder, 1);
  }
  EXPECT_EQ(t.isBias, product.bias ? 1 : 0);
}

// A fixed base block may be larger than the product, or than L0C.
bool MayFail(const Product& product) {
  return product.base_m > 0 || product.base_n > 0;
}

TEST(MatmulTilingProperties, RandomProducts) {
  Maker maker(Seed());
  int found = 0;
  for (int i = 0; i < 1000; ++i) {
    const Product product = maker.Make();
    SCOPED_TRACE(testing::Message() << "product " << i << ": " << product);
    MultiCoreMatmulTiling tiling;
    Describe(product, tiling);
    TCubeTiling t;
    if (tiling.GetTiling(t) != 0) {
      EXPECT_TRUE(MayFail(product));
      continue;
    }
    ++found;
    ExpectCovers(product, t);
    ExpectFits(product, t);
    ExpectRelations(product, t);
    if (HasFailure()) return;
  }
  EXPECT_GT(found, 800);
}

}  // namespace
