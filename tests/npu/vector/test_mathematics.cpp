// SPDX-License-Identifier: Apache-2.0
// Unary operations on all halves, Exp and Ln on floats against long double,
// and the estimates of Reciprocal and Rsqrt.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "naive_model.h"
#include "naive_numbers.h"
#include "npu/vector/variants.h"
#include "random_case.h"

namespace belay::npu::test_mathematics {
namespace {

using abi::DType;
using abi::Op;

constexpr Op kHalfUnary[] = {Op::kAbs,  Op::kExp,   Op::kLn,  Op::kReciprocal,
                             Op::kRelu, Op::kRsqrt, Op::kSqrt};

// The flat function of a unary operation.
FlatFunction FunctionOf(Op op, DType dtype, int flavour) {
  return Flat()
      .elementwise[static_cast<int>(op)][static_cast<int>(dtype)][flavour];
}

abi::Instruction UnaryOf(Op op, DType dtype) {
  abi::Instruction instruction{};
  instruction.op = op;
  instruction.dst.dtype = instruction.src0.dtype = dtype;
  return instruction;
}

TEST(Mathematics, AllHalvesAreRight) {
  std::vector<uint16_t> inputs(65536);
  for (size_t i = 0; i < inputs.size(); ++i) {
    inputs[i] = static_cast<uint16_t>(i);
  }
  for (const Op op : kHalfUnary) {
    for (int flavour = 0; flavour < kFlavourCount; ++flavour) {
      VectorState state;
      state.saturate = (flavour & kSaturate) != 0;
      state.exact_reciprocal = (flavour & kRefined) != 0;
      const abi::Instruction instruction = UnaryOf(op, DType::kHalf);
      std::vector<uint16_t> expected(inputs.size());
      for (size_t i = 0; i < inputs.size(); ++i) {
        expected[i] = static_cast<uint16_t>(
            naive::ComputeLane(instruction, inputs[i], 0, state));
      }
      for (const Variant variant : AvailableVariants()) {
        UseVariant(variant);
        std::vector<uint16_t> results(inputs.size());
        FunctionOf(op, DType::kHalf, flavour)(results.data(), inputs.data(),
                                              nullptr, 0, inputs.size());
        int wrong = 0;
        for (size_t i = 0; i < inputs.size(); ++i) {
          if (results[i] == expected[i]) continue;
          if (++wrong <= 5) {
            ADD_FAILURE() << "op " << static_cast<int>(op) << " flavour "
                          << flavour << " on " << NameOf(variant) << std::hex
                          << ": of 0x" << i << " is 0x" << results[i]
                          << ", should be 0x" << expected[i];
          }
        }
        ASSERT_EQ(wrong, 0);
      }
    }
  }
}

// Float bits as a number line without gaps.
int64_t Ordinal(uint32_t bits) {
  const auto magnitude = static_cast<int64_t>(bits & 0x7fffffffu);
  return (bits >> 31) != 0 ? -magnitude : magnitude;
}

// Checks one operation on floats: at most `tolerance` units in the last place
// from the correctly rounded result.
void ExpectWithin(Op op, const std::vector<uint32_t>& inputs,
                  int64_t tolerance) {
  const abi::Instruction instruction = UnaryOf(op, DType::kFloat);
  const VectorState state;
  std::vector<uint32_t> expected(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    expected[i] = static_cast<uint32_t>(
        naive::ComputeLane(instruction, inputs[i], 0, state));
  }
  std::vector<uint32_t> first;
  for (const Variant variant : AvailableVariants()) {
    UseVariant(variant);
    std::vector<uint32_t> results(inputs.size());
    FunctionOf(op, DType::kFloat, kPlain)(results.data(), inputs.data(),
                                          nullptr, 0, inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      ASSERT_LE(std::abs(Ordinal(results[i]) - Ordinal(expected[i])), tolerance)
          << std::hex << "of 0x" << inputs[i] << " is 0x" << results[i]
          << ", should be 0x" << expected[i] << " on " << NameOf(variant);
    }
    if (first.empty()) first = results;
    ASSERT_EQ(first, results) << "variants differ: " << NameOf(variant);
  }
}

std::vector<uint32_t> FloatsBetween(float low, float high, size_t count) {
  std::mt19937_64 random(TestSeed());
  std::uniform_real_distribution<float> distribution(low, high);
  std::vector<uint32_t> floats(count);
  for (uint32_t& bits : floats) {
    bits = std::bit_cast<uint32_t>(distribution(random));
  }
  return floats;
}

std::vector<uint32_t> AnyFloats(size_t count) {
  std::mt19937_64 random(TestSeed() + 1);
  std::vector<uint32_t> floats(count);
  for (uint32_t& bits : floats) bits = static_cast<uint32_t>(random());
  return floats;
}

// Every float from `first` on.
std::vector<uint32_t> Neighbours(float first, size_t count) {
  std::vector<uint32_t> floats(count);
  for (size_t i = 0; i < count; ++i) {
    floats[i] = std::bit_cast<uint32_t>(first) + static_cast<uint32_t>(i);
  }
  return floats;
}

TEST(Mathematics, ExpIsWithinOneUnit) {
  ExpectWithin(Op::kExp, FloatsBetween(-105.0f, 89.5f, 1 << 18), 1);
  ExpectWithin(Op::kExp, FloatsBetween(-1.0f, 1.0f, 1 << 17), 1);
  ExpectWithin(Op::kExp, AnyFloats(1 << 18), 1);
  ExpectWithin(Op::kExp, Neighbours(88.72f, 4096), 1);
  ExpectWithin(Op::kExp, Neighbours(-87.4f, 65536), 1);
  ExpectWithin(Op::kExp, Neighbours(-103.98f, 8192), 1);
}

TEST(Mathematics, LnIsWithinOneUnit) {
  ExpectWithin(Op::kLn, FloatsBetween(0.0f, 4.0f, 1 << 18), 1);
  ExpectWithin(Op::kLn, AnyFloats(1 << 18), 1);
  ExpectWithin(Op::kLn, Neighbours(0.9999f, 1 << 15), 1);
  ExpectWithin(Op::kLn, Neighbours(0x1p-149f, 1 << 15), 1);
}

TEST(Mathematics, SquareRootsAreExact) {
  ExpectWithin(Op::kSqrt, AnyFloats(1 << 17), 0);
}

// How far the estimates may be off. The interfaces' pages only say that half
// misses 1e-3 and float 1e-4.
TEST(Mathematics, EstimatesAreWithinTwoToTheMinusEight) {
  const std::vector<uint32_t> inputs = FloatsBetween(0.25f, 4.0f, 1 << 16);
  std::vector<uint32_t> results(inputs.size());
  for (const Op op : {Op::kReciprocal, Op::kRsqrt}) {
    FunctionOf(op, DType::kFloat, kPlain)(results.data(), inputs.data(),
                                          nullptr, 0, inputs.size());
    long double worst = 0;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const long double x = std::bit_cast<float>(inputs[i]);
      const long double exact =
          op == Op::kReciprocal ? 1 / x : 1 / std::sqrt(x);
      const long double error =
          std::fabs(std::bit_cast<float>(results[i]) - exact) / exact;
      worst = std::max(worst, error);
    }
    EXPECT_LT(worst, 0x1p-8L);
    EXPECT_GT(worst, 1e-3L);
  }
}

}  // namespace
}  // namespace belay::npu::test_mathematics
