// SPDX-License-Identifier: Apache-2.0
// The tables of data types, typed in again from the interfaces' pages.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/dtype.h"
#include "npu/execute.h"

namespace belay::npu::test_dtypes {
namespace {

using abi::DType;
using abi::Op;

std::set<std::string> TypesOf(Op op) {
  std::set<std::string> types;
  for (int t = 1; t <= static_cast<int>(DType::kComplex64); ++t) {
    abi::Instruction i{};
    i.op = op;
    i.dst.dtype = i.src0.dtype = static_cast<DType>(t);
    if (SupportsDTypes(i)) types.emplace(NameOf(i.dst.dtype));
  }
  return types;
}

using Names = std::set<std::string>;

TEST(DTypes, SameTypeOperations) {
  const Names arithmetic = {"i16", "f16", "i32", "f32"};
  for (const Op op : {Op::kAdd, Op::kSub, Op::kMul, Op::kMax, Op::kMin,
                      Op::kAdds, Op::kMuls, Op::kMaxs, Op::kMins}) {
    EXPECT_EQ(TypesOf(op), arithmetic);
  }
  const Names floats = {"f16", "f32"};
  for (const Op op : {Op::kDiv,
                      Op::kExp,
                      Op::kLn,
                      Op::kAbs,
                      Op::kSqrt,
                      Op::kRsqrt,
                      Op::kReciprocal,
                      Op::kLeakyRelu,
                      Op::kAxpy,
                      Op::kSelect,
                      Op::kReduceSum,
                      Op::kReduceMax,
                      Op::kReduceMin,
                      Op::kWholeReduceSum,
                      Op::kWholeReduceMax,
                      Op::kWholeReduceMin,
                      Op::kBlockReduceSum,
                      Op::kBlockReduceMax,
                      Op::kBlockReduceMin,
                      Op::kPairReduceSum,
                      Op::kCompareToMask}) {
    EXPECT_EQ(TypesOf(op), floats);
  }
  EXPECT_EQ(TypesOf(Op::kAddRelu), (Names{"i16", "f16", "f32"}));
  EXPECT_EQ(TypesOf(Op::kSubRelu), (Names{"i16", "f16", "f32"}));
  EXPECT_EQ(TypesOf(Op::kRelu), (Names{"f16", "i32", "f32"}));
  for (const Op op : {Op::kAnd, Op::kOr, Op::kNot}) {
    EXPECT_EQ(TypesOf(op), (Names{"i16", "u16"}));
  }
  for (const Op op : {Op::kShiftLeft, Op::kShiftRight}) {
    EXPECT_EQ(TypesOf(op), (Names{"i16", "u16", "i32", "u32"}));
  }
  for (const Op op :
       {Op::kDuplicate, Op::kBrcb, Op::kGather, Op::kCopy, Op::kGatherMask}) {
    EXPECT_EQ(TypesOf(op),
              (Names{"i16", "u16", "f16", "bf16", "i32", "u32", "f32"}));
  }
}

TEST(DTypes, SortingTransposingAndCounting) {
  const Names floats = {"f16", "f32"};
  for (const Op op : {Op::kSort32, Op::kMrgSort, Op::kFusedMulAdd,
                      Op::kFusedMulAddRelu, Op::kMulAddDst}) {
    EXPECT_EQ(TypesOf(op), floats);
  }
  EXPECT_EQ(TypesOf(Op::kCreateVecIndex), (Names{"i16", "f16", "i32", "f32"}));
  EXPECT_EQ(TypesOf(Op::kGatherb), (Names{"u16", "u32"}));
  EXPECT_EQ(TypesOf(Op::kTranspose), (Names{"i16", "u16", "f16"}));
  EXPECT_EQ(TypesOf(Op::kTransDataTo5HD),
            (Names{"i8", "u8", "i16", "u16", "f16", "i32", "u32", "f32"}));
}

// "from to" of every pair of different types an operation takes.
Names PairsOf(Op op) {
  Names pairs;
  for (int from = 1; from <= static_cast<int>(DType::kComplex64); ++from) {
    for (int to = 1; to <= static_cast<int>(DType::kComplex64); ++to) {
      abi::Instruction i{};
      i.op = op;
      i.src0.dtype = static_cast<DType>(from);
      i.dst.dtype = static_cast<DType>(to);
      if (from == to || !SupportsDTypes(i)) continue;
      pairs.insert(std::string(NameOf(i.src0.dtype)) + " " +
                   std::string(NameOf(i.dst.dtype)));
    }
  }
  return pairs;
}

TEST(DTypes, ConvertingPairs) {
  const Names relu_casts = {"f16 i8", "i16 i8", "f32 f16"};
  EXPECT_EQ(PairsOf(Op::kAddReluCast), relu_casts);
  EXPECT_EQ(PairsOf(Op::kSubReluCast), relu_casts);
  EXPECT_EQ(PairsOf(Op::kMulCast), (Names{"f16 i8", "f16 u8"}));
  EXPECT_EQ(PairsOf(Op::kAddDeqRelu), (Names{"i32 f16"}));
  EXPECT_EQ(PairsOf(Op::kCastDequant), (Names{"i32 f16", "i16 i8", "i16 u8"}));
  EXPECT_EQ(PairsOf(Op::kMulAddDst), (Names{"f16 f32"}));
  EXPECT_EQ(PairsOf(Op::kFusedMulAdd), Names{});
  EXPECT_EQ(TypesOf(Op::kMulCast), Names{});
}

TEST(DTypes, Casts) {
  // "from to: modes", in the letters R F C A Z O N of RINT, FLOOR, CEIL,
  // ROUND, TRUNC, ODD and NONE.
  const Names expected = {
      "i4 f16: N",        "i8 f16: N",       "u8 f16: N",
      "i16 f16: NRFCAZ",  "i16 f32: N",      "f16 i4: NRFCAZ",
      "f16 i8: NRFCAZ",   "f16 u8: NRFCAZ",  "f16 i16: RFCAZ",
      "f16 i32: NRFCAZ",  "f16 f32: N",      "bf16 i32: RFCAZ",
      "bf16 f32: N",      "i32 i16: N",      "i32 f16: NRFCAZO",
      "i32 f32: NRFCAZ",  "i32 i64: N",      "f32 i16: RFCAZ",
      "f32 f16: NRFCAZO", "f32 bf16: RFCAZ", "f32 i32: RFCAZ",
      "f32 f32: RFCAZ",   "f32 i64: RFCAZ",  "i64 i32: N",
      "i64 f32: RFCAZ",
  };
  Names actual;
  for (int from = 1; from <= static_cast<int>(DType::kComplex64); ++from) {
    for (int to = 1; to <= static_cast<int>(DType::kComplex64); ++to) {
      abi::Instruction i{};
      i.op = Op::kCast;
      i.src0.dtype = static_cast<DType>(from);
      i.dst.dtype = static_cast<DType>(to);
      if (!SupportsDTypes(i)) continue;
      std::string line = std::string(NameOf(i.src0.dtype)) + " " +
                         std::string(NameOf(i.dst.dtype)) + ": ";
      for (uint8_t mode = 0; mode < 7; ++mode) {
        i.mode = mode;
        if (SupportsMode(i)) line += "NRFCAZO"[mode];
      }
      actual.insert(line);
    }
  }
  EXPECT_EQ(actual, expected);
}

TEST(DTypes, ComparisonsWriteBytes) {
  abi::Instruction i{};
  i.op = Op::kCompare;
  i.src0.dtype = DType::kInt32;
  i.dst.dtype = DType::kUint8;
  EXPECT_TRUE(SupportsDTypes(i));
  i.mode = static_cast<uint8_t>(abi::Compare::kEq);
  EXPECT_TRUE(SupportsMode(i));
  i.mode = static_cast<uint8_t>(abi::Compare::kLt);
  EXPECT_FALSE(SupportsMode(i));
  i.dst.dtype = DType::kInt32;
  EXPECT_FALSE(SupportsDTypes(i));
  i.src0.dtype = DType::kInt16;
  i.dst.dtype = DType::kUint8;
  EXPECT_FALSE(SupportsDTypes(i));
}

TEST(DTypes, AxpyMayWiden) {
  abi::Instruction i{};
  i.op = Op::kAxpy;
  i.src0.dtype = DType::kHalf;
  i.dst.dtype = DType::kFloat;
  EXPECT_TRUE(SupportsDTypes(i));
  EXPECT_EQ(LanesPerRepeat(i), 64u);
  i.src0.dtype = DType::kFloat;
  i.dst.dtype = DType::kHalf;
  EXPECT_FALSE(SupportsDTypes(i));
}

TEST(DTypes, LanesFollowTheWiderType) {
  abi::Instruction i{};
  i.op = Op::kCast;
  i.src0.dtype = DType::kHalf;
  i.dst.dtype = DType::kInt4;
  EXPECT_EQ(LanesPerRepeat(i), 128u);
  i.dst.dtype = DType::kInt32;
  EXPECT_EQ(LanesPerRepeat(i), 64u);
  i.src0.dtype = DType::kFloat;
  i.dst.dtype = DType::kInt64;
  EXPECT_EQ(LanesPerRepeat(i), 32u);
  i.op = Op::kGather;
  i.dst.dtype = DType::kHalf;
  i.src0.dtype = DType::kHalf;
  i.src1.dtype = DType::kUint32;
  EXPECT_EQ(LanesPerRepeat(i), 128u);
}

}  // namespace
}  // namespace belay::npu::test_dtypes
