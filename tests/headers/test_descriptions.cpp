// SPDX-License-Identifier: Apache-2.0
// Types that describe tensors and numbers: TensorTrait, Layout, lists of
// tensors, limits, and AscendC::Std.

#include <cmath>

#include "expect_operand.h"

namespace belay::header_test {
namespace {

using namespace AscendC;

class Descriptions : public Headers {};

TEST_F(Descriptions, LayoutsTurnCoordinatesIntoIndices) {
  const auto layout = MakeLayout(MakeShape(3, 4, 5), MakeStride(20, 5, 1));
  EXPECT_EQ(Std::get<1>(layout.GetShape()), 4);
  EXPECT_EQ(Std::get<0>(layout.GetStride()), 20);
  EXPECT_EQ(layout(MakeCoord(1, 2, 3)), 33);
  EXPECT_EQ(Crd2Idx(MakeCoord(1, 2, 3), layout), 33);
  EXPECT_TRUE(is_layout<std::remove_cv_t<decltype(layout)>>::value);
  EXPECT_FALSE(is_layout<Shape<int>>::value);
}

// The worked example of the documentation: a coordinate with fewer parts.
TEST_F(Descriptions, LayoutsUnfoldNumbers) {
  const auto layout =
      MakeLayout(MakeShape(MakeShape(2, 4), MakeShape(3, 5)),
                 MakeStride(MakeStride(3, 6), MakeStride(1, 24)));
  EXPECT_EQ(layout(MakeCoord(11, 12)), 1 * 3 + 5 * 6 + 0 * 1 + 4 * 24);
}

TEST_F(Descriptions, LayoutsOfConstantsGiveConstants) {
  using Std::Int;
  const auto shape =
      MakeShape(MakeShape(Int<13>{}, Int<0>{}), MakeShape(Int<14>{}, Int<0>{}));
  const auto stride = MakeStride(MakeStride(Int<14>{}, Int<182>{}),
                                 MakeStride(Int<1>{}, Int<154>{}));
  const auto index = Crd2Idx(MakeCoord(Int<20>{}, Int<30>{}), shape, stride);
  EXPECT_EQ(decltype(index)::value, 7 * 14 + 1 * 182 + 2 * 1 + 2 * 154u);
}

TEST_F(Descriptions, TraitsHoldALayout) {
  const auto layout = MakeLayout(MakeShape(10, 20), MakeStride(20, 1));
  auto trait = MakeTensorTrait<float, TPosition::VECIN>(layout);
  using Trait = decltype(trait);
  EXPECT_TRUE(is_tensorTrait<Trait>::value);
  EXPECT_FALSE(is_tensorTrait<float>::value);
  EXPECT_EQ(Trait::tPos, TPosition::VECIN);
  EXPECT_TRUE((IsSameType<PrimT<Trait>, float>::value));
  EXPECT_EQ(Std::get<1>(trait.GetShape()), 20);
  trait.SetLayout(MakeLayout(MakeShape(1, 2), MakeStride(2, 1)));
  EXPECT_EQ(Std::get<1>(trait.GetLayout().GetShape()), 2);
}

TEST_F(Descriptions, TensorsOfTraitsAreTensorsOfTheirType) {
  using Trait = TensorTrait<half>;
  const auto a = InUb<Trait>(0);
  const auto b = InUb<Trait>(2048);
  Add(a, b, b, 100);
  ExpectFirst(OnlyRecord(), Op::kAdd, 100);
  ExpectOperand(OnlyRecord().src0, Ub(2048), DType::kHalf, 1, 8);
  Forget();
  Exp(a, b, 128, 2, {1, 1, 8, 8});
  ExpectContinuous(OnlyRecord(), Op::kExp, 128, 2);
  Forget();
  half memory[64];
  GlobalTensor<Trait> global;
  global.SetGlobalBuffer(memory, 64);
  DataCopy(a, global, 64);
  EXPECT_EQ(OnlyRecord().transfer.block_bytes, 128u);
}

TEST_F(Descriptions, TraitsTakeScalarsOfTheirType) {
  using Trait = TensorTrait<int16_t>;
  const auto a = InUb<Trait>(0);
  const auto b = InUb<Trait>(2048);
  const int16_t two = 2;
  Adds(a, b, two, 128, 4, {1, 1, 8, 8});
  ExpectContinuous(OnlyRecord(), Op::kAdds, 128, 4);
  EXPECT_EQ(OnlyRecord().scalar, 2u);
  Forget();
  Muls(a, b, two, 100);
  ExpectFirst(OnlyRecord(), Op::kMuls, 100);
  Forget();
  uint64_t mask[2] = {3, 5};
  ShiftRight(a, b, two, mask, 4, {1, 1, 8, 8});
  ExpectBitwise(OnlyRecord(), Op::kShiftRight, 3, 5, 4);
  Forget();
  Duplicate(a, two, 64);
  ExpectFirst(OnlyRecord(), Op::kDuplicate, 64);
  Forget();
  CreateVecIndex(a, two, 128, 2, 1, 8);
  ExpectContinuous(OnlyRecord(), Op::kCreateVecIndex, 128, 2);
}

TEST_F(Descriptions, TraitsCompareAndSelectWithScalars) {
  using Trait = TensorTrait<float>;
  const auto a = InUb<Trait>(0);
  const auto b = InUb<Trait>(2048);
  const auto bits = InUb<uint8_t>(4096);
  CompareScalar(bits, a, 1.0f, CMPMODE::LT, 64);
  ExpectFirst(OnlyRecord(), Op::kCompareScalar, 64);
  Forget();
  Compares(bits, a, 1.0f, CMPMODE::LT, 64, 1, {1, 1, 8, 8});
  ExpectContinuous(OnlyRecord(), Op::kCompareScalar, 64, 1);
  Forget();
  Select(a, bits, b, 2.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
  ExpectFirst(OnlyRecord(), Op::kSelect, 64);
  EXPECT_EQ(OnlyRecord().scalar, 0x40000000u);
}

TEST_F(Descriptions, ListsOfTensors) {
  float first[4];
  float second[4];
  // Two tensors: 1 x 2 x 3, and of 8.
  uint64_t list[] = {8 * 7,
                     3 | uint64_t{0} << 32,
                     1,
                     2,
                     3,
                     1 | uint64_t{1} << 32,
                     8,
                     reinterpret_cast<uint64_t>(first),
                     reinterpret_cast<uint64_t>(second)};
  const ListTensorDesc tensors(list);
  EXPECT_EQ(tensors.GetSize(), 2u);
  EXPECT_EQ(tensors.GetDataPtr<float>(0), first);
  EXPECT_EQ(tensors.GetDataPtr<float>(1), second);
  uint64_t shape[8] = {};
  TensorDesc<float> desc;
  desc.SetShapeAddr(shape);
  tensors.GetDesc(desc, 0);
  EXPECT_EQ(desc.GetDim(), 3u);
  EXPECT_EQ(desc.GetIndex(), 0u);
  EXPECT_EQ(desc.GetShape(2), 3u);
  EXPECT_EQ(desc.GetDataPtr(), first);
  tensors.GetDesc(desc, 1);
  EXPECT_EQ(desc.GetDim(), 1u);
  EXPECT_EQ(desc.GetIndex(), 1u);
  EXPECT_EQ(desc.GetShape(0), 8u);
  EXPECT_EQ(desc.GetDataObj().GetPhyAddr(), second);
}

TEST_F(Descriptions, Limits) {
  EXPECT_EQ(NumericLimits<int32_t>::Max(), INT32_MAX);
  EXPECT_EQ(NumericLimits<int8_t>::Lowest(), -128);
  EXPECT_EQ(NumericLimits<uint16_t>::Max(), 65535);
  EXPECT_EQ(NumericLimits<uint16_t>::Min(), 0);
  EXPECT_EQ(static_cast<float>(NumericLimits<half>::Max()), 65504.0f);
  EXPECT_EQ(NumericLimits<float>::Infinity(), INFINITY);
  EXPECT_EQ(NumericLimits<float>::NegativeInfinity(), -INFINITY);
  EXPECT_TRUE(std::isnan(NumericLimits<float>::QuietNaN()));
  EXPECT_EQ(NumericLimits<float>::DeNormMin(), 0x1p-149f);
  NumericLimits<float>::Lowest(InUb<float>(0), 64);
  ExpectFirst(OnlyRecord(), Op::kDuplicate, 64);
  EXPECT_EQ(OnlyRecord().scalar, 0xff7fffffu);
}

TEST_F(Descriptions, StandardLibrary) {
  EXPECT_EQ(Std::max(3, 4), 4);
  EXPECT_EQ(Std::min(3.0f, 4.0f), 3.0f);
  EXPECT_EQ(Std::abs(-3), 3);
  EXPECT_EQ(Std::sqrt(16.0f), 4.0f);
  EXPECT_TRUE(
      (Std::is_same_v<Std::tuple_element_t<1, Std::tuple<int, float>>, float>));
}

TEST_F(Descriptions, MagicDivides) {
  for (const uint32_t divisor : {1u, 2u, 3u, 7u, 641u, 65536u, 0xffffffffu}) {
    uint32_t magic = 0;
    uint32_t shift = 0;
    GetUintDivMagicAndShift(magic, shift, divisor);
    for (const uint32_t x :
         {0u, 1u, 6u, 7u, 640u, 641u, 0x7fffffffu, 0xfffffffeu, 0xffffffffu}) {
      const uint64_t high = uint64_t{x} * magic >> 32;
      EXPECT_EQ((x + high) >> shift, x / divisor) << x << " / " << divisor;
    }
  }
}

}  // namespace
}  // namespace belay::header_test
