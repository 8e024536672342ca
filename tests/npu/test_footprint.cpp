// SPDX-License-Identifier: Apache-2.0
// Footprints against what execution does: bytes outside the writes stay, bytes
// outside the reads have no influence, and all written bytes are written; and
// against naive loops over lanes.

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "chip_fixture.h"
#include "naive_lanes.h"
#include "npu/execute.h"
#include "npu/footprint.h"
#include "npu/names.h"
#include "npu/transfer.h"
#include "structured_case.h"

namespace belay::npu {
namespace {

using abi::DType;
using abi::Op;

constexpr Op kOperations[] = {
#define BELAY_OPERATION(name, family) Op::k##name,
#include "belay/operations.def"
#undef BELAY_OPERATION
};

// Bytes of UB an instruction touches, by its footprint.
struct Touched {
  std::vector<bool> read = std::vector<bool>(kUbBytes);
  std::vector<bool> written = std::vector<bool>(kUbBytes);
};

// Work buffers are used on the chip only; what lies outside the buffer are
// parameters the tests keep elsewhere.
Touched TouchedBy(const Footprint& footprint, uint64_t base) {
  Touched touched;
  for (const FootprintUse& use : footprint) {
    if (use.role == "work") continue;
    ForEachRange(use, [&](uint64_t begin, uint64_t end) {
      EXPECT_LT(begin, end);
      for (uint64_t at = begin; at < end; ++at) {
        if (at - base >= kUbBytes) continue;
        if (use.reads()) touched.read[at - base] = true;
        if (use.writes()) touched.written[at - base] = true;
      }
    });
  }
  return touched;
}

Core MakeCore() { return Core(DataCache(4096, 4)); }

abi::Instruction Bound(const abi::Instruction& instruction,
                       const UbBuffer& ub) {
  abi::Instruction bound = instruction;
  for (abi::Operand* operand :
       {&bound.dst, &bound.src0, &bound.src1, &bound.src2}) {
    operand->address =
        operand->address == ~uint64_t{0} ? 0 : ub.address(operand->address);
  }
  return bound;
}

// Executes `instruction`, bound to `ub`, and checks its footprint on the way.
// `other` is memory of the same layout; `bound_there` the instruction bound to
// it.
void CheckByExecution(const abi::Instruction& bound,
                      const abi::Instruction& bound_there, UbBuffer& ub,
                      UbBuffer& other, const VectorState& before,
                      std::mt19937_64& random, const std::string& where) {
  Core core = MakeCore();
  core.vector = before;
  VectorState state = before;
  const Lanes lanes = ResolveLanes(bound, LanesPerRepeat(bound), state);
  const InstructionEvent event{core, bound, &lanes, abi::Pipe::kV};
  const Touched touched = TouchedBy(FootprintOf(event), ub.address());
  other.CopyFrom(ub);
  for (uint64_t at = 0; at < kUbBytes; ++at) {
    if (!touched.read[at]) other.data()[at] = static_cast<uint8_t>(random());
  }
  const std::vector<uint8_t> ub_before(ub.data(), ub.data() + kUbBytes);
  const std::vector<uint8_t> other_before(other.data(),
                                          other.data() + kUbBytes);
  VectorState state_there = state;
  ExecuteVector(bound, lanes, state);
  ExecuteVector(bound_there, lanes, state_there);
  // A nibble leaves the other one of its byte as it is.
  const bool nibbles = bound.dst.dtype == DType::kInt4;
  for (uint64_t at = 0; at < kUbBytes; ++at) {
    if (!touched.written[at]) {
      ASSERT_EQ(ub_before[at], ub.data()[at]) << "wrote byte " << at << where;
      ASSERT_EQ(other_before[at], other.data()[at])
          << "wrote byte " << at << where;
    } else if (!nibbles) {
      ASSERT_EQ(ub.data()[at], other.data()[at])
          << "byte " << at << " is not written, or depends on bytes that are "
          << "not read" << where;
    }
  }
}

class FootprintByExecution : public testing::TestWithParam<Op> {};

TEST_P(FootprintByExecution, IsWhatTheInstructionTouches) {
  const Op op = GetParam();
  std::mt19937_64 random(TestSeed());
  UbBuffer ub;
  UbBuffer other;
  const std::string seed = ", seed " + std::to_string(TestSeed());
  CaseMaker maker(TestSeed() * 77 + static_cast<uint64_t>(op));
  for (int number = 0; number < 25; ++number) {
    const RandomCase test = maker.Make(op, ub);
    const abi::Instruction bound = Bound(test.instruction, ub);
    const abi::Instruction there = Bound(test.instruction, other);
    CheckByExecution(
        bound, there, ub, other, test.state, random,
        ", case " + std::to_string(number) + seed + "\n" + Describe(test));
    if (HasFatalFailure()) return;
  }
}

bool IsPlain(Op op) {
  const Family family = FamilyOf(op);
  return family >= Family::kUnary && family <= Family::kBrcb &&
         family != Family::kGatherb && family != Family::kGatherMask;
}

std::vector<Op> PlainOperations() {
  std::vector<Op> plain;
  for (const Op op : kOperations) {
    if (IsPlain(op)) plain.push_back(op);
  }
  return plain;
}

INSTANTIATE_TEST_SUITE_P(Npu, FootprintByExecution,
                         testing::ValuesIn(PlainOperations()),
                         [](const auto& info) {
                           return std::string(NameOf(info.param));
                         });

class StructuredFootprint : public testing::TestWithParam<Op> {};

TEST_P(StructuredFootprint, IsWhatTheInstructionTouches) {
  const Op op = GetParam();
  std::mt19937_64 random(TestSeed());
  UbBuffer ub;
  UbBuffer other;
  const std::string seed = ", seed " + std::to_string(TestSeed());
  StructuredCaseMaker maker(TestSeed() * 91 + static_cast<uint64_t>(op));
  for (int number = 0; number < 25; ++number) {
    const StructuredCase test = maker.Make(op, ub);
    const BoundCase bound(test, ub);
    const BoundCase there(test, other);
    CheckByExecution(bound.instruction(), there.instruction(), ub, other,
                     test.state, random,
                     ", case " + std::to_string(number) + seed);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Npu, StructuredFootprint,
    testing::Values(Op::kCopy, Op::kGatherb, Op::kGatherMask, Op::kSort32,
                    Op::kMrgSort, Op::kTranspose, Op::kTransDataTo5HD),
    [](const auto& info) { return std::string(NameOf(info.param)); });

// --- naive loops over lanes --------------------------------------------------

void TouchLane(const abi::Operand& operand, uint32_t repeat, uint32_t lane,
               std::set<uint64_t>& bytes) {
  const auto bits = static_cast<uint32_t>(BitsOf(operand.dtype));
  const uint32_t per_block = 256 / bits;
  const uint64_t at = operand.address +
                      uint64_t{repeat} * operand.repeat_stride * 32 +
                      uint64_t{lane / per_block} * operand.block_stride * 32 +
                      uint64_t{lane % per_block} * bits / 8;
  for (uint64_t i = 0; i < (bits + 7) / 8; ++i) bytes.insert(at + i);
}

std::set<uint64_t> BytesOfUse(const Footprint& footprint,
                              std::string_view role) {
  std::set<uint64_t> bytes;
  for (const FootprintUse& use : footprint) {
    if (use.role != role) continue;
    ForEachRange(use, [&](uint64_t begin, uint64_t end) {
      for (uint64_t at = begin; at < end; ++at) bytes.insert(at);
    });
  }
  return bytes;
}

TEST(Footprint, SourcesAreTheLanesOfTheNaiveModel) {
  UbBuffer ub;
  CaseMaker maker(TestSeed());
  for (int number = 0; number < 600; ++number) {
    const Op ops[] = {Op::kAdd,       Op::kCast,      Op::kAdds,
                      Op::kMulAddDst, Op::kReduceMax, Op::kBlockReduceSum};
    const Op op = ops[number % std::size(ops)];
    const RandomCase test = maker.Make(op, ub);
    const abi::Instruction bound = Bound(test.instruction, ub);
    Core core = MakeCore();
    core.vector = test.state;
    VectorState naive_state = test.state;
    std::set<uint64_t> src;
    std::set<uint64_t> dst;
    const naive::Repeats repeats = naive::Resolve(bound, naive_state);
    for (uint32_t repeat = 0; repeat < repeats.size(); ++repeat) {
      for (const uint32_t lane : repeats[repeat]) {
        TouchLane(bound.src0, repeat, lane, src);
        TouchLane(bound.dst, repeat, lane, dst);
      }
    }
    VectorState state = test.state;
    const Lanes lanes = ResolveLanes(bound, LanesPerRepeat(bound), state);
    const InstructionEvent event{core, bound, &lanes, abi::Pipe::kV};
    const Footprint footprint = FootprintOf(event);
    const bool two = op == Op::kAdd || op == Op::kMulAddDst;
    ASSERT_EQ(src, BytesOfUse(footprint, two ? "src0" : "src"))
        << "case " << number << ", seed " << TestSeed() << "\n"
        << Describe(test);
    if (op == Op::kReduceMax || op == Op::kBlockReduceSum) continue;
    ASSERT_EQ(dst, BytesOfUse(footprint, "dst"))
        << "case " << number << ", seed " << TestSeed() << "\n"
        << Describe(test);
  }
}

// --- moves -------------------------------------------------------------------

TEST(Footprint, OfMovesIsWhatTheyTouch) {
  std::mt19937_64 random(TestSeed());
  const auto below = [&](uint64_t limit) { return random() % limit; };
  UbBuffer ub;
  UbBuffer other;
  for (int number = 0; number < 300; ++number) {
    abi::Instruction move{};
    const bool pads = below(2) == 0;
    const bool to_gm = below(2) == 0;
    move.op = pads ? Op::kDataCopyPad : Op::kDataCopy;
    move.dst = {below(64) * 32, 0, 0, DType::kInt16,
                to_gm ? abi::Memory::kGm : abi::Memory::kUb};
    move.src0 = {kUbBytes / 2 + below(64) * 32, 0, 0, DType::kInt16,
                 to_gm ? abi::Memory::kUb : abi::Memory::kGm};
    move.transfer.block_count = static_cast<uint32_t>(below(6));
    move.transfer.block_bytes =
        static_cast<uint32_t>(pads ? below(200) * 2 : below(12) * 32);
    move.transfer.source_gap = static_cast<int64_t>(below(3) * 32);
    move.transfer.destination_gap = static_cast<int64_t>(below(3) * 32);
    if (pads && !to_gm && below(2) == 0) {
      move.transfer.is_pad = 1;
      move.transfer.left_padding = static_cast<uint8_t>(below(8));
      move.transfer.right_padding = static_cast<uint8_t>(below(8));
      move.transfer.padding_value = 0x1234;
    }
    for (uint64_t at = 0; at < kUbBytes; ++at) {
      ub.data()[at] = static_cast<uint8_t>(random());
    }
    Core core = MakeCore();
    if (to_gm && below(3) == 0) {
      core.vector.atomic = abi::Atomic::kAdd;
      core.vector.atomic_dtype = DType::kInt16;
    }
    const abi::Instruction bound = Bound(move, ub);
    const InstructionEvent event{core, bound, nullptr, abi::Pipe::kMte2};
    const Touched touched = TouchedBy(FootprintOf(event), ub.address());
    other.CopyFrom(ub);
    for (uint64_t at = 0; at < kUbBytes; ++at) {
      if (!touched.read[at]) other.data()[at] = static_cast<uint8_t>(random());
    }
    const std::vector<uint8_t> before(other.data(), other.data() + kUbBytes);
    ExecuteTransfer(bound, core.vector);
    ExecuteTransfer(Bound(move, other), core.vector);
    for (uint64_t at = 0; at < kUbBytes; ++at) {
      if (touched.written[at]) {
        ASSERT_EQ(ub.data()[at], other.data()[at]) << "case " << number;
      } else {
        ASSERT_EQ(before[at], other.data()[at]) << "case " << number;
      }
    }
  }
}

// --- single facts ------------------------------------------------------------

class FootprintTest : public ChipTest {
 protected:
  class Keeper : public Observer {
   public:
    void OnInstruction(const InstructionEvent& event) override {
      footprint = FootprintOf(event);
      ranges.clear();
      for (const FootprintUse& use : footprint) {
        ForEachRange(use, [&](uint64_t begin, uint64_t end) {
          ranges.push_back({std::string(use.role), begin, end});
        });
      }
    }
    struct Range {
      std::string role;
      uint64_t begin;
      uint64_t end;
    };
    Footprint footprint;
    std::vector<Range> ranges;
  };

  FootprintTest() { chip_.AddObserver(&keeper_); }

  Keeper keeper_;
};

TEST_F(FootprintTest, CountFormIsOneRangeForEachOperand) {
  abi::Instruction add = AddFloats(0, 16384, 32768, 4000);
  chip_.Issue(core_, add);
  ASSERT_EQ(keeper_.ranges.size(), 3u);
  EXPECT_EQ(keeper_.ranges[0].role, "dst");
  EXPECT_EQ(keeper_.ranges[0].begin, Ub(0));
  EXPECT_EQ(keeper_.ranges[0].end, Ub(16000));
  EXPECT_TRUE(keeper_.footprint[0].IsOneRange());
}

TEST_F(FootprintTest, RepeatsThatFollowEachOtherAreOneRange) {
  abi::Instruction add = AddFloats(0, 16384, 32768, 64);
  add.form = abi::Form::kContinuous;
  add.repeat = 8;
  chip_.Issue(core_, add);
  ASSERT_EQ(keeper_.ranges.size(), 3u);
  EXPECT_EQ(keeper_.ranges[1].end - keeper_.ranges[1].begin, 2048u);
}

TEST_F(FootprintTest, SourceWithStrideZeroIsReadOnce) {
  abi::Instruction add = AddFloats(0, 16384, 32768, 64);
  add.form = abi::Form::kContinuous;
  add.repeat = 8;
  add.src1.block_stride = 0;
  add.src1.repeat_stride = 0;
  chip_.Issue(core_, add);
  ASSERT_EQ(keeper_.ranges.size(), 3u);
  EXPECT_EQ(keeper_.ranges[2].end - keeper_.ranges[2].begin, 32u);
}

TEST_F(FootprintTest, InstructionsWithoutLanesTouchNothing) {
  abi::Instruction add = AddFloats(0, 16384, 32768, 0);
  chip_.Issue(core_, add);
  EXPECT_EQ(keeper_.footprint.size(), 0);
}

TEST_F(FootprintTest, WorkBufferOfReduceMaxHasItsDocumentedSize) {
  // The page's example: 65 repeats of half with index need 352 bytes.
  abi::Instruction reduce{};
  reduce.op = Op::kReduceMax;
  reduce.form = abi::Form::kContinuous;
  reduce.mode = 1;
  reduce.repeat = 65;
  reduce.count = 128;
  reduce.dst = Local(0, DType::kHalf);
  reduce.src0 = Local(1024, DType::kHalf);
  reduce.src1 = Local(32768, DType::kHalf);
  chip_.Issue(core_, reduce);
  uint64_t work = 0;
  for (const auto& range : keeper_.ranges) {
    if (range.role == "work") work += range.end - range.begin;
  }
  EXPECT_EQ(work, 352u);
}

}  // namespace
}  // namespace belay::npu
