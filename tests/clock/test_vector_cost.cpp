// SPDX-License-Identifier: Apache-2.0
// From instructions to cycles: published figures, and the forms an instruction
// can have.

#include <gtest/gtest.h>

#include <bit>

#include "base/dtype.h"
#include "base/error.h"
#include "clock/core_costs.h"
#include "clock/vector_cost.h"
#include "npu/execute.h"

namespace belay::clock::test_vector_cost {
namespace {

using abi::DType;
using abi::Op;

constexpr uint64_t kUb = 0x40000000;

class VectorCostTest : public ::testing::Test {
 protected:
  static abi::Operand At(uint64_t offset, DType dtype) {
    abi::Operand operand{};
    operand.address = kUb + offset;
    operand.block_stride = 1;
    operand.repeat_stride = 8;
    operand.dtype = dtype;
    operand.memory = abi::Memory::kUb;
    return operand;
  }

  // By repeats, all lanes.
  static abi::Instruction Repeats(Op op, DType dtype, uint64_t dst,
                                  uint64_t src0, uint64_t src1,
                                  uint32_t repeats) {
    abi::Instruction i{};
    i.op = op;
    i.form = abi::Form::kBitwise;
    i.mask[0] = i.mask[1] = ~uint64_t{0};
    i.repeat = repeats;
    i.dst = At(dst, dtype);
    i.src0 = At(src0, dtype);
    i.src1 = At(src1, dtype);
    return i;
  }

  static abi::Instruction Count(Op op, DType dtype, uint64_t count) {
    abi::Instruction i = Repeats(op, dtype, 0x20000, 0, 0x10100, 0);
    i.form = abi::Form::kCount;
    i.count = count;
    return i;
  }

  VectorWork Price(const abi::Instruction& instruction) {
    npu::VectorState state;
    const npu::Lanes lanes =
        npu::ResolveLanes(instruction, npu::LanesPerRepeat(instruction), state);
    return pricer_.Price({core_, instruction, &lanes, abi::Pipe::kV});
  }

  double Cycles(const abi::Instruction& instruction) {
    return ToCycles(costs_.Vector(Price(instruction)));
  }

  const ClockSpec spec_ = LoadClockSpec("ascend910b1");
  const CoreCosts costs_{spec_};
  VectorPricer pricer_{spec_};
  npu::Core core_{npu::DataCache(32768, 4)};
};

// 1000 Adds of 64 repeats, in ticks of 50 MHz at 1.8 GHz.
TEST_F(VectorCostTest, PublishedAdds) {
  const auto cycles = [](double ticks) { return ticks / 1000 * 1800 / 50; };
  const auto add = [](uint64_t src1, uint64_t dst) {
    return Repeats(Op::kAdd, DType::kFloat, dst, 0, src1, 64);
  };
  EXPECT_NEAR(Cycles(add(0x10100, 0x20000)), cycles(2390), 0.1);
  EXPECT_NEAR(Cycles(add(0x4000, 0x10000)), cycles(4167), 0.1);
  EXPECT_NEAR(Cycles(add(0x10000, 0x14100)), cycles(4167), 0.1);
  EXPECT_NEAR(Cycles(add(0x10100, 0x4000)), cycles(2389), 0.1);
  EXPECT_NEAR(Cycles(add(0x10100, 0x4020)), cycles(3751), cycles(3751) * 0.09);
  EXPECT_NEAR(Cycles(add(0x10100, 0x10100)), cycles(2390), 0.1);
  abi::Instruction broadcast = add(0x10100, 0x10100);
  broadcast.src0.block_stride = 0;
  broadcast.src0.repeat_stride = 1;
  EXPECT_NEAR(Cycles(broadcast), cycles(3584), cycles(3584) * 0.09);
  broadcast.src0.repeat_stride = 8;
  EXPECT_NEAR(Cycles(broadcast), cycles(2389), 0.1);
}

// Columns of 144 rows by Copy, from two buffers to two: 1163 and 174 cycles,
// without and with an empty row between columns.
TEST_F(VectorCostTest, PublishedCopiesByColumns) {
  const auto mean = [&](uint32_t rows) {
    double total = 0;
    for (const uint64_t turn : {0, 1}) {
      abi::Instruction copy =
          Repeats(Op::kCopy, DType::kHalf, 0x12000 + turn * rows * 256,
                  turn * 0x9000, 0, 144);
      copy.dst.repeat_stride = 1;
      copy.dst.block_stride = rows;
      total += Cycles(copy) / 2;
    }
    return total;
  };
  EXPECT_NEAR(mean(144), 1163, 1163 * 0.02);
  EXPECT_NEAR(mean(145), 174, 174 * 0.06);
}

// A GELU of 64 × 256 floats, x at 0 and y at 64 KB: 3779 cycles a tile.
TEST_F(VectorCostTest, PublishedGelu) {
  constexpr uint64_t kX = 0;
  constexpr uint64_t kY = 0x10000;
  const auto cycles = [&](Op op, uint64_t dst, uint64_t src0, uint64_t src1) {
    return Cycles(Repeats(op, DType::kFloat, dst, src0, src1, 255)) +
           Cycles(Repeats(op, DType::kFloat, dst, src0, src1, 1)) -
           Cycles(Repeats(op, DType::kFloat, dst, src0, src1, 0));
  };
  const double total =
      cycles(Op::kMul, kY, kX, kX) + cycles(Op::kMul, kY, kX, kY) +
      cycles(Op::kMuls, kY, kY, 0) + cycles(Op::kAdd, kY, kX, kY) +
      cycles(Op::kMuls, kY, kY, 0) + cycles(Op::kExp, kY, kY, 0) +
      cycles(Op::kAdds, kY, kY, 0) + cycles(Op::kDiv, kY, kX, kY);
  EXPECT_NEAR(total, 3779, 3779 * 0.02);
}

TEST_F(VectorCostTest, CountForm) {
  EXPECT_EQ(Cycles(Count(Op::kAdd, DType::kFloat, 4096)), 64 + 22);
  const VectorWork odd = Price(Count(Op::kAdd, DType::kFloat, 4097));
  EXPECT_EQ(odd.repeats, 65u);
  EXPECT_EQ(odd.odd_tail, 1);
  EXPECT_EQ(odd.elements, 4097u);
  EXPECT_EQ(Cycles(Count(Op::kAdd, DType::kFloat, 4097)), 65 + 22 + 16);
  EXPECT_EQ(Price(Count(Op::kAdd, DType::kFloat, 0)).repeats, 0u);
}

TEST_F(VectorCostTest, MaskedLanesStillCostARepeat) {
  abi::Instruction masked = Count(Op::kAdd, DType::kFloat, 0);
  masked.form = abi::Form::kBitwise;
  masked.mask[0] = 0xF;
  masked.repeat = 10;
  const VectorWork work = Price(masked);
  EXPECT_EQ(work.repeats, 10u);
  EXPECT_EQ(work.elements, 40u);
}

TEST_F(VectorCostTest, SlopesByWidth) {
  EXPECT_EQ(Cycles(Count(Op::kExp, DType::kFloat, 64 * 10)), 2 * 10 + 31);
  EXPECT_EQ(Cycles(Count(Op::kExp, DType::kHalf, 128 * 10)), 4 * 10 + 31);
  abi::Instruction widen = Count(Op::kCast, DType::kFloat, 64 * 10);
  widen.src0.dtype = DType::kHalf;
  widen.src0.repeat_stride = 4;
  EXPECT_EQ(Cycles(widen), 10 + 32);
}

TEST_F(VectorCostTest, ReductionsGoOnOverTheirResults) {
  abi::Instruction max = Count(Op::kReduceMax, DType::kFloat, 64 * 64);
  // 64 repeats, then 64 pairs in 2 repeats, then 2 pairs in 1.
  const VectorWork work = Price(max);
  EXPECT_EQ(work.units, 3u);
  EXPECT_EQ(work.repeats, 64u + 2 + 1);
  EXPECT_EQ(Cycles(max), 3 * 32 + 67 * 7);
  EXPECT_EQ(Price(Count(Op::kReduceSum, DType::kFloat, 64 * 64)).units, 1u);
}

TEST_F(VectorCostTest, CopiesInsideUb) {
  abi::Instruction copy{};
  copy.op = Op::kDataCopy;
  copy.dst = At(0, DType::kHalf);
  copy.src0 = At(0x8000, DType::kHalf);
  copy.transfer.block_count = 3;
  copy.transfer.block_bytes = 320;
  const VectorWork work = pricer_.Price({core_, copy, nullptr, abi::Pipe::kV});
  EXPECT_EQ(work.units, 6u);
  EXPECT_EQ(work.elements, 480u);
  EXPECT_EQ(ToCycles(costs_.Vector(work)), 12 + 6);
}

TEST_F(VectorCostTest, MergesCountPairs) {
  abi::Instruction merge{};
  merge.op = Op::kMrgSort;
  merge.dst = At(0, DType::kFloat);
  merge.src0 = At(0, DType::kFloat);
  merge.repeat = 1;
  merge.merge.valid = 0xF;
  for (int list = 0; list < 4; ++list) {
    merge.merge.list[list] = kUb + 0x8000 + list * 512;
    merge.merge.count[list] = 64;
  }
  EXPECT_EQ(Cycles(merge), 20 + 256 * 0.5);
}

TEST_F(VectorCostTest, TheSameInstructionPricesTheSame) {
  const abi::Instruction add =
      Repeats(Op::kAdd, DType::kFloat, 0x4020, 0, 0x10100, 64);
  const VectorWork first = Price(add);
  for (uint64_t offset = 0; offset < 0x8000; offset += 32) {
    Price(Repeats(Op::kMul, DType::kHalf, offset, 0x10000 + offset, 0, 3));
  }
  const VectorWork again = Price(add);
  EXPECT_EQ(first.conflict_cycles, again.conflict_cycles);
  EXPECT_EQ(first.delayed_repeats, again.delayed_repeats);
}

TEST_F(VectorCostTest, UnknownInstructionsAreBugs) {
  EXPECT_THROW(Price(Count(Op::kAnd, DType::kFloat, 64)), InternalError);
}

}  // namespace
}  // namespace belay::clock::test_vector_cost
