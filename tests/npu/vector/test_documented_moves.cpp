// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs printed on the pages of gathering, sorting, transposing,
// copying and counting.

#include <gtest/gtest.h>

#include "workbench.h"

namespace belay::npu::test_documented_moves {
namespace {

using abi::DType;
using abi::Op;
using Numbers = std::vector<long double>;

constexpr DType kHalf = DType::kHalf;
constexpr DType kFloat = DType::kFloat;
constexpr DType kUint16 = DType::kUint16;
constexpr DType kUint32 = DType::kUint32;
constexpr DType kInt32 = DType::kInt32;

Numbers Rising(int first, int count, int step = 1) {
  Numbers values(count);
  for (int i = 0; i < count; ++i) values[i] = first + i * step;
  return values;
}

TEST(DocumentedMoves, GatherbTakesBlocksInTheOrderOfTheirOffsets) {
  Workbench bench;
  bench.Put(Workbench::kSrc0, kUint16, Rising(0, 128));
  bench.Put(Workbench::kSrc1, kUint32, {224, 192, 160, 128, 96, 64, 32, 0});
  abi::Instruction gather = bench.Instruction(Op::kGatherb, kUint16, 0);
  gather.form = abi::Form::kRegister;
  gather.repeat = 1;
  gather.dst.repeat_stride = 8;
  bench.Run(gather);
  Numbers expected;
  for (int block = 7; block >= 0; --block) {
    for (int i = 0; i < 16; ++i) expected.push_back(block * 16 + i);
  }
  EXPECT_EQ(bench.Values(Workbench::kDst, kUint16, 128), expected);
}

TEST(DocumentedMoves, GatherbInTwoRepeats) {
  Workbench bench;
  bench.Put(Workbench::kSrc0, kUint32, Rising(1, 128));
  bench.Put(Workbench::kSrc1, kUint32, Rising(0, 16, 32));
  abi::Instruction gather = bench.Instruction(Op::kGatherb, kUint32, 0);
  gather.form = abi::Form::kRegister;
  gather.repeat = 2;
  gather.dst.repeat_stride = 8;
  bench.Run(gather);
  EXPECT_EQ(bench.Values(Workbench::kDst, kUint32, 128), Rising(1, 128));
}

abi::Instruction GatherMask(const Workbench& bench, DType dtype,
                            uint8_t pattern, uint32_t repeat,
                            uint32_t repeat_stride) {
  abi::Instruction gather = bench.Instruction(Op::kGatherMask, dtype, 0);
  gather.form = abi::Form::kRegister;
  gather.repeat = repeat;
  gather.src0.repeat_stride = repeat_stride;
  gather.gather_mask.pattern = pattern;
  return gather;
}

TEST(DocumentedMoves, GatherMaskInPlaceWithOddElements) {
  Workbench bench;
  bench.Put(Workbench::kDst, kUint32, Rising(1, 256));
  abi::Instruction gather = GatherMask(bench, kUint32, 2, 4, 8);
  gather.src0.address = gather.dst.address;
  bench.Run(gather);
  EXPECT_EQ(bench.Values(Workbench::kDst, kUint32, 128), Rising(2, 128, 2));
  EXPECT_EQ(bench.state.gathered, 128u);
}

TEST(DocumentedMoves, GatherMaskHasSevenPatterns) {
  const Numbers first_eight[] = {
      {},     {0, 2, 4, 6}, {1, 3, 5, 7}, {0, 4},
      {1, 5}, {2, 6},       {3, 7},       {0, 1, 2, 3, 4, 5, 6, 7}};
  for (uint8_t pattern = 1; pattern <= 7; ++pattern) {
    Workbench bench;
    bench.Put(Workbench::kSrc0, kHalf, Rising(0, 128));
    bench.Run(GatherMask(bench, kHalf, pattern, 1, 8));
    const Numbers& expected = first_eight[pattern];
    EXPECT_EQ(bench.Values(Workbench::kDst, kHalf, expected.size()), expected);
    EXPECT_EQ(bench.state.gathered, expected.size() * 16);
  }
}

// 70 elements of each of two repeats, four blocks apart, by 0x7E7C00A5.
TEST(DocumentedMoves, GatherMaskByBitsInCounterMode) {
  constexpr uint32_t kBits = 0x7e7c00a5;
  Workbench bench;
  bench.state.counter_mode = true;
  bench.Put(Workbench::kSrc0, kUint32, Rising(0, 256));
  bench.Put(Workbench::kSrc1, kUint32, Numbers(32, kBits));
  abi::Instruction gather = GatherMask(bench, kUint32, 0, 2, 4);
  gather.gather_mask.by_mask = 1;
  gather.count = 70;
  bench.Run(gather);
  Numbers expected;
  for (int repeat = 0; repeat < 2; ++repeat) {
    for (int i = 0; i < 70; ++i) {
      if ((kBits >> i % 32 & 1) != 0) expected.push_back(repeat * 32 + i);
    }
  }
  EXPECT_EQ(bench.state.gathered, expected.size());
  EXPECT_EQ(bench.Values(Workbench::kDst, kUint32, expected.size()), expected);
  EXPECT_FALSE(bench.state.counter_mode);
}

TEST(DocumentedMoves, CreateVecIndexCountsFromTheFirstValue) {
  Workbench bench;
  bench.Run(bench.Instruction(Op::kCreateVecIndex, DType::kInt16, 128));
  EXPECT_EQ(bench.Values(Workbench::kDst, DType::kInt16, 129), [] {
    Numbers values = Rising(0, 128);
    values.push_back(0);
    return values;
  }());
}

TEST(DocumentedMoves, CopyOfWholeRepeats) {
  Workbench bench;
  bench.Put(Workbench::kSrc0, kInt32, Rising(7, 512));
  abi::Instruction copy = bench.Instruction(Op::kCopy, kInt32, 64);
  copy.form = abi::Form::kContinuous;
  copy.repeat = 8;
  bench.Run(copy);
  EXPECT_EQ(bench.Values(Workbench::kDst, kInt32, 512), Rising(7, 512));
}

// The first eight of each of 18 rows of 64: by repeats, and in counter mode by
// blocks of one repeat that has 144 elements.
TEST(DocumentedMoves, CopyOfTheFirstColumns) {
  Numbers expected;
  for (int row = 0; row < 18; ++row) {
    for (int i = 0; i < 8; ++i) expected.push_back(row * 64 + i);
  }
  expected.push_back(0);
  for (const bool counter : {false, true}) {
    Workbench bench;
    bench.Put(Workbench::kSrc0, kInt32, Rising(0, 18 * 64));
    abi::Instruction copy = bench.Instruction(Op::kCopy, kInt32, 8);
    copy.form = abi::Form::kContinuous;
    copy.repeat = 18;
    copy.dst.repeat_stride = 1;
    if (counter) {
      bench.state.counter_mode = true;
      bench.state.mask[0] = 144;
      copy.form = abi::Form::kRegister;
      copy.repeat = 1;
      copy.src0.block_stride = 8;
    }
    bench.Run(copy);
    EXPECT_EQ(bench.Values(Workbench::kDst, kInt32, 145), expected);
  }
}

TEST(DocumentedMoves, TransposeOfAMatrix) {
  Workbench bench;
  bench.Put(Workbench::kDst, kHalf, Rising(0, 256));
  abi::Instruction transpose = bench.Instruction(Op::kTranspose, kHalf, 0);
  transpose.form = abi::Form::kRegister;
  transpose.repeat = 1;
  transpose.src0.address = transpose.dst.address;  // in place
  bench.Run(transpose);
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 16; ++column) {
      EXPECT_EQ(bench.Value(Workbench::kDst, kHalf, row * 16 + column),
                column * 16 + row);
    }
  }
}

// Rows side by side on both sides.
class Rows {
 public:
  explicit Rows(const Workbench& bench) {
    for (int row = 0; row < 16; ++row) {
      to_[row] = bench.At(Workbench::kDst + row * 32, kHalf).address;
      from_[row] = bench.At(Workbench::kSrc0 + row * 32, kHalf).address;
    }
  }
  abi::Instruction Instruction(DType dtype, bool high_halves) const {
    abi::Instruction transpose{};
    transpose.op = Op::kTransDataTo5HD;
    transpose.form = abi::Form::kRegister;
    transpose.repeat = 1;
    transpose.dst.dtype = transpose.src0.dtype = dtype;
    transpose.lists = {reinterpret_cast<uint64_t>(to_),
                       reinterpret_cast<uint64_t>(from_), high_halves,
                       high_halves};
    return transpose;
  }

 private:
  uint64_t to_[16];
  uint64_t from_[16];
};

TEST(DocumentedMoves, TransDataTo5HDOfBytes) {
  Workbench bench;
  for (int row = 0; row < 16; ++row) {
    bench.Put(Workbench::kSrc0 + row * 32, DType::kInt8,
              Rising(row % 4 * 32, 32));
  }
  const Rows rows(bench);
  bench.Run(rows.Instruction(DType::kInt8, true));
  for (int row = 0; row < 16; ++row) {
    Numbers expected(16, 0);
    for (int i = 0; i < 16; ++i) expected.push_back(16 + row + i % 4 * 32);
    EXPECT_EQ(bench.Values(Workbench::kDst + row * 32, DType::kInt8, 32),
              expected);
  }
}

TEST(DocumentedMoves, TransDataTo5HDOfHalves) {
  Workbench bench;
  bench.Put(Workbench::kSrc0, kHalf, Rising(0, 256));
  const Rows rows(bench);
  bench.Run(rows.Instruction(kHalf, false));
  for (int row = 0; row < 16; ++row) {
    EXPECT_EQ(bench.Values(Workbench::kDst + row * 32, kHalf, 16),
              Rising(row, 16, 16));
  }
}

TEST(DocumentedMoves, TransDataTo5HDOfWords) {
  Workbench bench;
  bench.Put(Workbench::kSrc0, kInt32, Rising(0, 128));
  const Rows rows(bench);
  bench.Run(rows.Instruction(kInt32, false));
  for (int row = 0; row < 8; ++row) {
    EXPECT_EQ(bench.Values(Workbench::kDst + row * 64, kInt32, 16),
              Rising(row, 16, 8));
  }
}

// The page: a single repeat starts one stride behind the addresses given,
// several start at them.
TEST(DocumentedMoves, TransDataTo5HDMovesASingleRepeat) {
  for (const uint32_t repeat : {1u, 2u}) {
    Workbench bench;
    bench.Put(Workbench::kSrc0, kHalf, Rising(0, 1024));
    const Rows rows(bench);
    abi::Instruction transpose = rows.Instruction(kHalf, false);
    transpose.repeat = repeat;
    transpose.src0.repeat_stride = 16;
    transpose.dst.repeat_stride = 16;
    bench.Run(transpose);
    const Numbers first = bench.Values(Workbench::kDst, kHalf, 16);
    EXPECT_EQ(first, repeat == 1 ? Numbers(16, 0) : Rising(0, 16, 16));
    EXPECT_EQ(bench.Values(Workbench::kDst + 512, kHalf, 16),
              Rising(256, 16, 16));
  }
}

abi::Instruction Sort(const Workbench& bench, DType dtype, uint32_t repeat) {
  abi::Instruction sort = bench.Instruction(Op::kSort32, dtype, 0);
  sort.form = abi::Form::kRegister;
  sort.repeat = repeat;
  sort.dst.repeat_stride = 8;
  sort.src0.repeat_stride = dtype == kHalf ? 2 : 4;
  sort.src1 = bench.At(Workbench::kSrc1, kUint32);
  sort.src1.repeat_stride = 4;
  return sort;
}

TEST(DocumentedMoves, Sort32OrdersEachRepeatForItself) {
  for (const DType dtype : {kFloat, kHalf}) {
    Workbench bench;
    bench.Put(Workbench::kSrc0, dtype, Rising(1, 128));
    bench.Put(Workbench::kSrc1, kUint32, Rising(1000, 128));
    bench.Run(Sort(bench, dtype, 4));
    for (int i = 0; i < 128; ++i) {
      const int value = i / 32 * 32 + 32 - i % 32;
      const uint64_t pair = Workbench::kDst + i * 8;
      EXPECT_EQ(bench.Value(pair, dtype, 0), value);
      EXPECT_EQ(bench.Value(pair + 4, kUint32, 0), 999 + value);
      if (dtype == kHalf) {
        EXPECT_EQ(bench.Value(pair + 2, kUint16, 0), 0);
      }
    }
  }
}

TEST(DocumentedMoves, Sort32KeepsEqualValuesInOrder) {
  Workbench bench;
  Numbers values(32, 5);
  values[3] = 9;
  values[30] = 9;
  bench.Put(Workbench::kSrc0, kFloat, values);
  bench.Put(Workbench::kSrc1, kUint32, Rising(0, 32));
  bench.Run(Sort(bench, kFloat, 1));
  Numbers indices = {3, 30};
  for (int i = 0; i < 32; ++i) {
    if (i != 3 && i != 30) indices.push_back(i);
  }
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(bench.Value(Workbench::kDst + i * 8 + 4, kUint32, 0), indices[i]);
  }
}

// Four lists of 32 that Sort32 made of 1 to 128, merged in repeats of four.
class Merging : public ::testing::Test {
 protected:
  Merging() {
    bench_.Put(Workbench::kSrc0, kFloat, Rising(1, 256));
    bench_.Put(Workbench::kSrc1, kUint32, Numbers(256, 0));
    abi::Instruction sort = Sort(bench_, kFloat, 8);
    sort.dst = bench_.At(Workbench::kSrc2, kFloat);
    bench_.Run(sort);
    merge_ = bench_.Instruction(Op::kMrgSort, kFloat, 0);
    merge_.form = abi::Form::kRegister;
    merge_.repeat = 1;
    merge_.merge.valid = 15;
    for (int list = 0; list < 4; ++list) {
      merge_.merge.count[list] = 32;
      merge_.merge.list[list] =
          bench_.At(Workbench::kSrc2 + list * 256, kFloat).address;
    }
  }

  Numbers Merged(int first, int count) const {
    Numbers values;
    for (int i = first; i < first + count; ++i) {
      values.push_back(bench_.Value(Workbench::kDst + i * 8, kFloat, 0));
    }
    return values;
  }

  Numbers Taken() const {
    return {std::begin(bench_.state.merged), std::end(bench_.state.merged)};
  }

  Workbench bench_;
  abi::Instruction merge_;
};

TEST_F(Merging, ListsToOne) {
  bench_.Run(merge_);
  EXPECT_EQ(Merged(0, 128), Rising(128, 128, -1));
  EXPECT_EQ(Taken(), (Numbers{32, 32, 32, 32}));
}

TEST_F(Merging, InRepeats) {
  merge_.repeat = 2;
  bench_.Run(merge_);
  EXPECT_EQ(Merged(0, 128), Rising(128, 128, -1));
  EXPECT_EQ(Merged(128, 128), Rising(256, 128, -1));
}

TEST_F(Merging, RepeatsNeedListsOfOneLengthSideBySide) {
  merge_.repeat = 2;
  merge_.merge.count[3] = 31;
  bench_.Run(merge_);
  EXPECT_EQ(Merged(127, 2), (Numbers{0, 0}));
}

TEST_F(Merging, StopsWhenAListIsExhausted) {
  merge_.merge.stop_when_exhausted = 1;
  bench_.Run(merge_);
  // The fourth list holds the greatest values.
  EXPECT_EQ(Merged(0, 33), [] {
    Numbers values = Rising(128, 32, -1);
    values.push_back(0);
    return values;
  }());
  EXPECT_EQ(Taken(), (Numbers{0, 0, 0, 32}));
}

TEST_F(Merging, OfTheFirstTwoLists) {
  merge_.merge.valid = 3;
  bench_.Run(merge_);
  EXPECT_EQ(Merged(0, 64), Rising(64, 64, -1));
  EXPECT_EQ(Taken(), (Numbers{32, 32, 0, 0}));
}

}  // namespace
}  // namespace belay::npu::test_documented_moves
