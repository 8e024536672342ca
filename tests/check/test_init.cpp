// SPDX-License-Identifier: Apache-2.0
// initcheck: each rule, and right kernels beside it that must stay silent.

#include <cstring>

#include "check/init_checker.h"
#include "support.h"

namespace belay::check::test_init {
namespace {

using abi::DType;
using abi::Op;
using abi::Position;
using Texts = std::vector<std::string>;

constexpr uint64_t kX = 0;
constexpr uint64_t kY = 4096;
constexpr uint64_t kZ = 8192;
constexpr uint64_t kBits = 12288;

class InitCheckerTest : public CheckTest {
 protected:
  InitCheckerTest() : checker_(chip_, findings_) {
    chip_.AddObserver(&checker_);
    in_ = Allocate(4096);
    out_ = Allocate(4096);
    chip_.NotifyHostWrite({in_, 4096, 0});
    Launch();
  }

  uint64_t Allocate(uint64_t bytes) {
    const uint64_t address = chip_.global().Allocate(bytes);
    std::memset(reinterpret_cast<void*>(address), 0, bytes);
    chip_.NotifyAllocate(address, bytes);
    return address;
  }

  // Moves `bytes`, any number of them, from `in_` to `offset` of UB.
  void LoadTile(uint64_t offset, uint32_t bytes, uint64_t pc,
                DType dtype = DType::kFloat) {
    abi::Instruction load = Move(At(offset, dtype), Gm(in_, dtype), bytes);
    load.op = Op::kDataCopyPad;
    ASSERT_EQ(Issue(load, pc), "");
  }
  void StoreTile(uint64_t offset, uint32_t bytes, uint64_t pc) {
    abi::Instruction store = Move(Gm(out_), At(offset), bytes);
    store.op = Op::kDataCopyPad;
    ASSERT_EQ(Issue(store, pc), "");
  }

  // Of UB: how many bytes have undefined bits.
  int Undefined(uint64_t offset, uint64_t bytes) {
    int count = 0;
    for (uint64_t i = 0; i < bytes; ++i) {
      count += checker_.UndefinedBits(Ub(offset + i)) != 0;
    }
    return count;
  }

  uint64_t in_ = 0;
  uint64_t out_ = 0;
  abi::QueueState queue_ = MakeQueue(Position::kGm, Position::kVecIn);
  InitChecker checker_;
};

// --- right kernels -----------------------------------------------------------

TEST_F(InitCheckerTest, GarbageTailsThatAreNeverStoredAreSilent) {
  LoadTile(kX, 400, 1);  // 100 floats; the rest of the buffer is garbage
  Issue(Binary(Op::kAdd, At(kY), At(kX), At(kX), 128), 2);
  Issue(Unary(Op::kExp, At(kZ), At(kY), 128), 3);
  EXPECT_EQ(Undefined(kZ, 512), 512 - 416);  // loads fill whole blocks
  StoreTile(kZ, 400, 4);
  EXPECT_EQ(Found(), (Texts{}));
}

TEST_F(InitCheckerTest, MasksOfGarbageTailsAreSilent) {
  LoadTile(kX, 400, 1);
  abi::Instruction compare =
      Binary(Op::kCompare, At(kBits, DType::kUint8), At(kX), At(kX), 128);
  ASSERT_EQ(Issue(compare, 2), "");
  // Bits are followed one by one: lanes 104 to 127 are garbage.
  EXPECT_EQ(checker_.UndefinedBits(Ub(kBits + 12)), 0);
  EXPECT_EQ(checker_.UndefinedBits(Ub(kBits + 13)), 0xff);
  Issue(Fill(At(kY), 128), 3);
  abi::Instruction select = Unary(Op::kSelect, At(kZ), At(kY), 128);
  select.mode = static_cast<uint8_t>(abi::Select::kTensorScalar);
  select.src2 = At(kBits, DType::kUint8);
  ASSERT_EQ(Issue(select, 4), "");
  StoreTile(kZ, 400, 5);
  EXPECT_EQ(Found(), (Texts{}));
  StoreTile(kZ, 512, 6);
  EXPECT_EQ(Found(), (Texts{"I101@6"}));
  EXPECT_EQ(Only().notes[0].pc, 2u) << "Compare made the garbage bits";
}

TEST_F(InitCheckerTest, OverreadsInsideAnAllocationsPaddingAreSilent) {
  const uint64_t small = Allocate(100);
  chip_.NotifyHostWrite({small, 100, 0});
  Issue(Move(At(kX), Gm(small), 128), 1);
  Issue(Binary(Op::kAdd, At(kY), At(kX), At(kX), 32), 2);
  EXPECT_EQ(Undefined(kY, 128), 28);
  StoreTile(kY, 100, 3);
  EXPECT_EQ(Found(), (Texts{}));
}

TEST_F(InitCheckerTest, StoresIntoAnAllocationsPaddingAreSilent) {
  const uint64_t small = Allocate(100);
  LoadTile(kX, 96, 1);
  Store(Ub(kX + 96), 4, 2);
  Issue(Move(Gm(small), At(kX), 128), 3);
  EXPECT_EQ(Found(), (Texts{}));
}

TEST_F(InitCheckerTest, WrittenByAnyMeansIsDefined) {
  Issue(Fill(At(kX), 64), 1);
  Store(Ub(kX + 256), 4, 2);
  abi::Instruction index =
      Binary(Op::kCreateVecIndex, At(kX + 288, DType::kInt32), {}, {}, 8);
  Issue(index, 3);
  Load(Ub(kX), 4, 4);
  Load(Ub(kX + 256), 4, 5);
  Load(Ub(kX + 288), 8, 6);
  StoreTile(kX, 260, 7);
  EXPECT_EQ(Found(), (Texts{}));
}

TEST_F(InitCheckerTest, MemoryNobodyAnnouncedCountsAsWritten) {
  const uint64_t direct = chip_.global().Allocate(512);
  Issue(Move(At(kX), Gm(direct), 512), 1);
  StoreTile(kX, 512, 2);
  Load(direct, 8, 3, false);
  EXPECT_EQ(Found(), (Texts{}));
}

TEST_F(InitCheckerTest, WholeRowsOfGarbageMayBeReduced) {
  LoadTile(kX, 256, 1);
  abi::Instruction reduce = Unary(Op::kWholeReduceSum, At(kY), At(kX), 64);
  reduce.form = abi::Form::kContinuous;
  reduce.repeat = 2;  // the second row was never written
  reduce.dst.repeat_stride = 1;
  ASSERT_EQ(Issue(reduce, 2), "");
  StoreTile(kY, 4, 3);
  EXPECT_EQ(Found(), (Texts{}));
  StoreTile(kY, 8, 4);
  EXPECT_EQ(Found(), (Texts{"I101@4"}));
}

TEST_F(InitCheckerTest, StructuresWithGapsAndDumpsOfTailsAreSilent) {
  Store(Ub(kX), 8, 1);
  Load(Ub(kX), 24, 2, false);
  EXPECT_EQ(Found(), (Texts{}));
  Load(Ub(kX + 8), 24, 3, false);  // nothing of it was ever written
  EXPECT_EQ(Found(), (Texts{"I102@3"}));
}

// A structure copied in whole registers: memcheck tells of it.
TEST_F(InitCheckerTest, ALoadAcrossTheEndOfAnAllocationCountsUpToIt) {
  const uint64_t structure = Allocate(36);
  chip_.NotifyHostWrite({structure, 36, 0});
  Load(structure + 32, 8, 1, false);
  EXPECT_EQ(Found(), (Texts{}));
  Load(structure + 40, 8, 2, false);
  EXPECT_EQ(Found(), (Texts{"I102@2"}));
}

// --- stores ------------------------------------------------------------------

TEST_F(InitCheckerTest, StoringWhatWasNeverWritten) {
  Init(queue_, 1, 1024, kX, 1);
  LoadTile(kX, 256, 2);
  StoreTile(kX, 300, 3);
  EXPECT_EQ(Found(), (Texts{"I101@3"}));
  const npu::Fault& fault = Only();
  EXPECT_EQ(fault.diagnostic.message,
            "[DataCopyPad] stores undefined bytes to global memory: 44 of 300 "
            "bytes, the first is byte 256 of UB (byte 256 of '{name}')");
  EXPECT_EQ(fault.diagnostic.severity, Severity::kError);
  EXPECT_EQ(fault.diagnostic.core, "aiv 0");
  EXPECT_EQ(fault.diagnostic.pipe, "MTE3");
  EXPECT_EQ(fault.name_pc, 1u);
  ASSERT_EQ(fault.notes.size(), 1u);
  EXPECT_EQ(fault.notes[0].pc, 1u);
  EXPECT_NE(fault.diagnostic.fix, "");
}

TEST_F(InitCheckerTest, NamesTheInstructionThatMadeTheGarbage) {
  Init(queue_, 1, 1024, kX, 1);
  LoadTile(kX, 256, 2);
  Issue(Binary(Op::kAdd, At(kY), At(kX), At(kX), 128), 3);
  Issue(Unary(Op::kExp, At(kZ), At(kY), 128), 4);
  StoreTile(kZ, 512, 5);
  EXPECT_EQ(Found(), (Texts{"I101@5"}));
  ASSERT_EQ(Only().notes.size(), 2u);
  EXPECT_EQ(Only().notes[0].pc, 3u);
  EXPECT_EQ(Only().notes[0].message,
            "Add made it here, from undefined bytes: the first was byte 256 of "
            "UB (byte 256 of its buffer)");
  EXPECT_EQ(Only().notes[1].pc, 1u);
}

TEST_F(InitCheckerTest, OneCauseGivesOneFinding) {
  StoreTile(kX, 64, 1);
  Issue(Move(At(kY), Gm(out_), 64), 2);
  StoreTile(kY, 64, 3);
  EXPECT_EQ(Found(), (Texts{"I101@1"}));
}

TEST_F(InitCheckerTest, RepeatsOfOnePlaceAreCounted) {
  for (int i = 0; i < 3; ++i) StoreTile(kX, 64, 1);
  EXPECT_EQ(Found(), (Texts{"I101@1+2"}));
}

TEST_F(InitCheckerTest, GlobalMemoryNobodyWrote) {
  const uint64_t workspace = Allocate(512);
  Issue(Move(At(kX), Gm(workspace), 64), 1);
  StoreTile(kX, 64, 2);
  EXPECT_EQ(Found(), (Texts{"I101@2"}));
  EXPECT_EQ(Only().notes[0].message,
            "DataCopy made it here, from undefined bytes: the first was byte 0 "
            "of an allocation of 512 bytes");
}

TEST_F(InitCheckerTest, CopiesOnTheHostKeepWhatIsUndefined) {
  const uint64_t fresh = Allocate(512);
  chip_.NotifyHostWrite({fresh, 32, 0});
  const uint64_t copy = Allocate(512);
  chip_.NotifyHostWrite({copy, 64, fresh});
  Issue(Move(At(kX), Gm(copy), 64), 1);
  StoreTile(kX, 32, 2);
  EXPECT_EQ(Found(), (Texts{}));
  StoreTile(kX, 33, 3);
  EXPECT_EQ(Found(), (Texts{"I101@3"}));
}

TEST_F(InitCheckerTest, AtomicMovesReadTheirDestination) {
  LoadTile(kX, 64, 1);
  abi::Instruction atomic{};
  atomic.op = Op::kSetAtomic;
  atomic.mode = static_cast<uint8_t>(abi::Atomic::kAdd);
  atomic.dst.dtype = DType::kFloat;
  Issue(atomic, 2);
  Issue(Move(Gm(out_), At(kX), 64), 3);
  EXPECT_EQ(Found(), (Texts{"I107@3"}));
  Issue(Move(Gm(out_), At(kX), 64), 4);
  chip_.NotifyHostWrite({out_ + 512, 64, 0});
  Issue(Move(Gm(out_ + 512), At(kX), 64), 5);
  EXPECT_EQ(Found(), (Texts{"I107@3"}));
}

TEST_F(InitCheckerTest, BlocksInWavesDoNotInherit) {
  Issue(Fill(At(kX), 64), 1);
  for (npu::Observer* observer : chip_.observers()) {
    observer->OnBlockEnd(Core());
    observer->OnBlockBegin(Core());
  }
  StoreTile(kX, 64, 2);
  EXPECT_EQ(Found(), (Texts{"I101@2"}));
  ASSERT_EQ(Only().diagnostic.notes.size(), 2u);
  EXPECT_EQ(Only().diagnostic.notes[1].message,
            "aiv 0 ran another block of this launch before: what that one left "
            "there does not count as written");
}

// --- padding -----------------------------------------------------------------

TEST_F(InitCheckerTest, PaddingWithAValueIsDefined) {
  abi::Instruction load = Move(At(kX), Gm(in_), 20);
  load.op = Op::kDataCopyPad;
  load.transfer.is_pad = 1;
  load.transfer.right_padding = 3;
  Issue(load, 1);
  EXPECT_EQ(Undefined(kX, 64), 32);  // only the block behind
}

TEST_F(InitCheckerTest, PaddingWithoutAValueIsUndefined) {
  abi::Instruction load = Move(At(kX), Gm(in_), 20);
  load.op = Op::kDataCopyPad;
  load.transfer.left_padding = 1;
  Issue(load, 1);
  EXPECT_EQ(Undefined(kX, 4), 4);
  EXPECT_EQ(Undefined(kX + 4, 20), 0);
  EXPECT_EQ(Undefined(kX + 24, 8), 8);
  StoreTile(kX, 32, 2);
  EXPECT_EQ(Found(), (Texts{"I101@2"}));
  EXPECT_EQ(Only().notes[0].pc, 1u);
}

TEST_F(InitCheckerTest, WithoutPaddingTheFirstElementIsRepeated) {
  LoadTile(kX, 20, 1);
  EXPECT_EQ(Undefined(kX, 64), 32);
  Issue(Unary(Op::kAbs, At(kY), At(kX), 8), 2);
  abi::Instruction best = Unary(Op::kReduceMax, At(kZ), At(kY), 8);
  Issue(best, 3);
  StoreTile(kY, 20, 4);
  EXPECT_EQ(Found(), (Texts{}));
  StoreTile(kY, 24, 5);
  EXPECT_EQ(Found(), (Texts{"I109@5"}));
  EXPECT_EQ(Only().notes[0].pc, 1u);
  EXPECT_EQ(Only().diagnostic.severity, Severity::kWarning);
}

// --- lanes -------------------------------------------------------------------

TEST_F(InitCheckerTest, InactiveLanesKeepWhatTheyWere) {
  LoadTile(kX, 256, 1);
  abi::Instruction add = Binary(Op::kAdd, At(kY), At(kX), At(kX), 0);
  add.form = abi::Form::kBitwise;
  add.mask[0] = 0x5;
  Issue(add, 2);
  EXPECT_EQ(Undefined(kY, 4), 0);
  EXPECT_EQ(Undefined(kY + 4, 4), 4);
  EXPECT_EQ(Undefined(kY + 8, 4), 0);
  EXPECT_EQ(Undefined(kY + 12, 244), 244);
}

TEST_F(InitCheckerTest, StridesReachTheirBlocksOnly) {
  LoadTile(kX, 256, 1);
  abi::Instruction copy = Unary(Op::kCopy, At(kY), At(kX), 64);
  copy.form = abi::Form::kContinuous;
  copy.dst.block_stride = 2;
  Issue(copy, 2);
  for (int block = 0; block < 15; ++block) {
    EXPECT_EQ(Undefined(kY + block * 32, 32), block % 2 * 32);
  }
}

TEST_F(InitCheckerTest, OneUndefinedByteMakesTheElementUndefined) {
  Issue(Fill(At(kX), 64), 1);
  abi::Instruction narrow = Move(At(kX, DType::kInt8), Gm(in_), 1);
  const uint64_t fresh = Allocate(512);
  narrow.src0.address = fresh;
  narrow.op = Op::kDataCopyPad;
  narrow.transfer.is_pad = 1;
  narrow.transfer.right_padding = 31;
  Issue(narrow, 2);
  EXPECT_EQ(Undefined(kX, 32), 1);
  Issue(Unary(Op::kAbs, At(kY), At(kX), 64), 3);
  EXPECT_EQ(Undefined(kY, 256), 4);
}

TEST_F(InitCheckerTest, AxpyReadsItsDestination) {
  LoadTile(kX, 256, 1);
  Issue(Unary(Op::kAxpy, At(kY), At(kX), 64), 2);
  EXPECT_EQ(Undefined(kY, 256), 256);
  Issue(Fill(At(kY), 64), 3);
  Issue(Unary(Op::kAxpy, At(kY), At(kX), 64), 4);
  EXPECT_EQ(Undefined(kY, 256), 0);
}

TEST_F(InitCheckerTest, NibblesAreFollowedOneByOne) {
  LoadTile(kX, 256, 1, DType::kHalf);
  abi::Instruction cast =
      Unary(Op::kCast, At(kY, DType::kInt4), At(kX, DType::kHalf), 0);
  cast.form = abi::Form::kBitwise;
  cast.mask[0] = 1;
  ASSERT_EQ(Issue(cast, 2), "");
  EXPECT_EQ(checker_.UndefinedBits(Ub(kY)), 0xf0);
}

TEST_F(InitCheckerTest, SelectOnUndefinedBits) {
  LoadTile(kX, 256, 1);
  abi::Instruction select = Binary(Op::kSelect, At(kY), At(kX), At(kX), 64);
  select.mode = static_cast<uint8_t>(abi::Select::kTensorTensor);
  select.src2 = At(kBits, DType::kUint8);
  Issue(select, 2);
  EXPECT_EQ(Undefined(kY, 256), 256);
  StoreTile(kY, 256, 3);
  EXPECT_EQ(Found(), (Texts{"I101@3"}));
  EXPECT_EQ(Only().notes[0].pc, 2u);
}

TEST_F(InitCheckerTest, ComparisonRegisterIsFollowed) {
  LoadTile(kX, 128, 1);
  abi::Instruction compare = Binary(Op::kCompareToMask, {}, At(kX), At(kX), 64);
  compare.form = abi::Form::kContinuous;
  ASSERT_EQ(Issue(compare, 2), "");
  EXPECT_EQ(checker_.UndefinedCompareBits(Core().slot)[0], 0xffffffff00000000u);
  abi::Instruction get =
      Unary(Op::kGetCmpMask, At(kBits, DType::kUint8), {}, 0);
  get.src0.memory = abi::Memory::kUb;
  ASSERT_EQ(Issue(get, 3), "");
  EXPECT_EQ(Undefined(kBits, 16), 4);
  Issue(Fill(At(kY), 64), 4);
  abi::Instruction select = Binary(Op::kSelect, At(kZ), At(kY), At(kY), 64);
  select.form = abi::Form::kContinuous;
  ASSERT_EQ(Issue(select, 5), "");
  EXPECT_EQ(Undefined(kZ, 256), 128);
}

// --- sinks -------------------------------------------------------------------

TEST_F(InitCheckerTest, ScalarReads) {
  LoadTile(kX, 256, 1);
  Load(Ub(kX + 252), 4, 2);
  Load(Ub(kX + 256), 4, 3);
  Load(Ub(kX + 512), 4, 4, false);
  Load(out_, 8, 5, false);
  EXPECT_EQ(Found(), (Texts{"I102@3", "I102@4", "I102@5"}));
  EXPECT_EQ(findings_.entries()[0].fault.diagnostic.message,
            "[GetValue] reads undefined bytes: 4 of 4, the first is byte 256 "
            "of UB");
  EXPECT_EQ(findings_.entries()[2].fault.diagnostic.message,
            "[scalar load] reads undefined bytes: 8 of 8, the first is byte 0 "
            "of an allocation of 4096 bytes");
  EXPECT_EQ(findings_.entries()[0].fault.diagnostic.pipe, "S");
}

TEST_F(InitCheckerTest, GatherOffsets) {
  const uint64_t offsets = Allocate(512);
  chip_.NotifyHostWrite({offsets, 32, 0});
  LoadTile(kX, 256, 1);
  Issue(Move(At(kY), Gm(offsets), 64), 2);
  abi::Instruction gather =
      Binary(Op::kGather, At(kZ), At(kX), At(kY, DType::kUint32), 8);
  ASSERT_EQ(Issue(gather, 3), "");
  EXPECT_EQ(Found(), (Texts{}));
  gather.count = 9;
  ASSERT_EQ(Issue(gather, 4), "");
  EXPECT_EQ(Found(), (Texts{"I103@4"}));
}

TEST_F(InitCheckerTest, GatherMaskBits) {
  const uint64_t bits = Allocate(512);
  chip_.NotifyHostWrite({bits, 4, 0});
  LoadTile(kX, 256, 1);
  Issue(Move(At(kBits), Gm(bits), 32), 2);
  abi::Instruction gather = Unary(Op::kGatherMask, At(kZ), At(kX), 32);
  gather.form = abi::Form::kContinuous;
  gather.src1 = At(kBits, DType::kUint32);
  gather.gather_mask.by_mask = 1;
  ASSERT_EQ(Issue(gather, 3), "");
  EXPECT_EQ(Found(), (Texts{}));
  gather.count = 33;
  ASSERT_EQ(Issue(gather, 4), "");
  EXPECT_EQ(Found(), (Texts{"I104@4"}));
}

TEST_F(InitCheckerTest, Reductions) {
  LoadTile(kX, 384, 1);  // 96 floats
  Issue(Unary(Op::kReduceSum, At(kY), At(kX), 96), 2);
  EXPECT_EQ(Found(), (Texts{}));
  Issue(Unary(Op::kReduceSum, At(kY), At(kX), 97), 3);
  EXPECT_EQ(Undefined(kY, 4), 0) << "told once";
  abi::Instruction whole = Unary(Op::kWholeReduceMax, At(kZ), At(kX), 64);
  whole.form = abi::Form::kContinuous;
  whole.repeat = 2;
  whole.dst.repeat_stride = 1;
  Issue(whole, 4);
  EXPECT_EQ(Found(), (Texts{"I105@3", "I105@4"}));
}

TEST_F(InitCheckerTest, WorkBuffersAreUsedUp) {
  LoadTile(kX, 1024, 1);
  Issue(Fill(At(kY), 64), 2);
  abi::Instruction best = Binary(Op::kReduceMax, At(kZ), At(kX), At(kY), 256);
  ASSERT_EQ(Issue(best, 3), "");
  EXPECT_EQ(Undefined(kY, 256), 32);  // four pairs of floats
  StoreTile(kY, 32, 4);
  EXPECT_EQ(Found(), (Texts{"I101@4"}));
  EXPECT_EQ(Only().notes[0].pc, 3u);
  // The result may lie over it.
  abi::Instruction over = best;
  over.dst = At(kY);
  Issue(over, 5);
  EXPECT_EQ(Undefined(kY, 32), 28);
}

TEST_F(InitCheckerTest, WorkBuffersAreNotBlamedForWhatLiesBehindThem) {
  Init(queue_, 1, 32, kY + 32, 1);
  LoadTile(kX, 1024, 2);
  // The result lies directly behind the work buffer, alone in its block.
  Issue(Binary(Op::kReduceMax, At(kY + 32), At(kX), At(kY), 256), 3);
  StoreTile(kY + 32, 32, 4);
  EXPECT_EQ(Found(), (Texts{"I101@4"}));
  ASSERT_EQ(Only().notes.size(), 1u);
  EXPECT_EQ(Only().notes[0].pc, 1u);  // nobody wrote there: InitBuffer
}

TEST_F(InitCheckerTest, SumsByCountLeaveTheWorkBufferAlone) {
  LoadTile(kX, 1024, 1);
  Issue(Fill(At(kY), 64), 2);
  Issue(Binary(Op::kReduceSum, At(kZ), At(kX), At(kY), 256), 3);
  EXPECT_EQ(Undefined(kY, 256), 0);
}

TEST_F(InitCheckerTest, Sorts) {
  LoadTile(kX, 128, 1);
  abi::Instruction sort =
      Binary(Op::kSort32, At(kZ), At(kX), At(kY, DType::kUint32), 0);
  sort.form = abi::Form::kContinuous;
  sort.src1.repeat_stride = 4;
  ASSERT_EQ(Issue(sort, 2), "");
  EXPECT_EQ(Found(), (Texts{})) << "garbage indices only move along";
  EXPECT_EQ(Undefined(kZ, 256), 128);
  sort.src0 = At(kX + 32);
  ASSERT_EQ(Issue(sort, 3), "");
  EXPECT_EQ(Found(), (Texts{"I106@3"}));
}

// --- what AllocTensor left ---------------------------------------------------

TEST_F(InitCheckerTest, StoringWhatIsOlderThanAllocTensor) {
  Init(queue_, 1, 1024, kX, 1);
  Queue(Op::kAllocTensor, queue_, 0, 2);
  LoadTile(kX, 512, 3);
  StoreTile(kX, 512, 4);
  EXPECT_EQ(Found(), (Texts{}));
  Queue(Op::kFreeTensor, queue_, 0, 5);
  Queue(Op::kAllocTensor, queue_, 0, 6);
  LoadTile(kX, 256, 7);
  Load(Ub(kX + 256), 4, 8);  // not stored: silent
  Issue(Unary(Op::kAbs, At(kY), At(kX), 128), 9);
  StoreTile(kY, 256, 10);
  EXPECT_EQ(Found(), (Texts{}));
  StoreTile(kY, 512, 11);
  EXPECT_EQ(Found(), (Texts{"I108@11"}));
  EXPECT_EQ(Only().diagnostic.severity, Severity::kWarning);
  EXPECT_EQ(Only().notes[0].pc, 6u);
  EXPECT_EQ(Only().diagnostic.message,
            "[DataCopyPad] stores bytes nobody wrote since AllocTensor: 256 of "
            "512 bytes, the first is byte 4352 of UB");
}

}  // namespace
}  // namespace belay::check::test_init
