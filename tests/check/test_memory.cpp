// SPDX-License-Identifier: Apache-2.0
// memcheck: each rule, and right uses beside it that must stay silent.

#include "check/memory.h"
#include "support.h"

namespace belay::check::test_memory {
namespace {

using abi::Op;
using abi::Position;
using Texts = std::vector<std::string>;

constexpr uint64_t kScratch = 184 * 1024;

class MemoryCheckerTest : public CheckTest {
 protected:
  MemoryCheckerTest() : checker_(chip_, findings_) {
    chip_.AddObserver(&checker_);
    Launch();
  }

  abi::Instruction AddIn(abi::Operand dst, uint64_t count) {
    return Binary(Op::kAdd, dst, At(0), At(0), count);
  }

  abi::QueueState in_ = MakeQueue(Position::kGm, Position::kVecIn);
  abi::QueueState buf_ =
      MakeQueue(Position::kVecCalc, Position::kVecCalc, false);
  MemoryChecker checker_;
};

TEST_F(MemoryCheckerTest, WholeBufferIsInside) {
  Init(buf_, 1, 1024, 4096, 1);
  EXPECT_EQ(Issue(AddIn(In(4096, 4096, 1024), 256), 2), "");
  EXPECT_EQ(Issue(AddIn(In(4096 + 512, 4096, 1024), 128), 3), "");
  EXPECT_EQ(Found(), (Texts{}));
}

TEST_F(MemoryCheckerTest, OneElementTooManyIsOutside) {
  Init(buf_, 1, 1024, 4096, 1);
  Issue(AddIn(In(4096, 4096, 1024), 257), 2);
  EXPECT_EQ(Found(), (Texts{"M101@2"}));
  EXPECT_EQ(Only().diagnostic.severity, Severity::kError);
  EXPECT_EQ(Only().diagnostic.message,
            "[Add] dst covers bytes 0 to 1027 of a buffer of '{name}', which "
            "has 1024 bytes");
  EXPECT_EQ(Only().name_pc, 1u);
  ASSERT_EQ(Only().notes.size(), 1u);
  EXPECT_EQ(Only().notes[0].pc, 1u);
  EXPECT_EQ(Only().diagnostic.core, "aiv 0");
  EXPECT_EQ(Only().diagnostic.pipe, "V");
}

TEST_F(MemoryCheckerTest, OutsideInFrontAndByOffset) {
  Init(buf_, 1, 1024, 4096, 1);
  Issue(AddIn(In(4096 - 32, 4096, 1024), 8), 2);
  Issue(AddIn(In(4096 + 1024, 4096, 1024), 8), 3);
  EXPECT_EQ(Found(), (Texts{"M101@2", "M101@3"}));
  EXPECT_NE(findings_.entries()[0].fault.diagnostic.message.find(
                "covers bytes -32 to -1"),
            std::string::npos);
}

TEST_F(MemoryCheckerTest, MaskedAndStridedLanesCount) {
  Init(buf_, 1, 1024, 4096, 1);
  abi::Instruction add = AddIn(In(4096, 4096, 1024), 0);
  add.form = abi::Form::kContinuous;
  add.count = 8;
  add.repeat = 4;
  Issue(add, 2);  // the last repeat starts at byte 768
  EXPECT_EQ(Found(), (Texts{}));
  add.repeat = 5;
  Issue(add, 3);
  EXPECT_EQ(Found(), (Texts{"M101@3"}));
  add.repeat = 1;
  add.count = 64;
  add.dst.block_stride = 5;  // block 7 starts at byte 1120
  Issue(add, 4);
  EXPECT_EQ(Found(), (Texts{"M101@3", "M101@4"}));
}

TEST_F(MemoryCheckerTest, SourcesCountToo) {
  Init(buf_, 1, 1024, 4096, 1);
  Issue(Binary(Op::kAdd, At(0), At(0), In(4096 + 512, 4096, 1024), 129), 2);
  EXPECT_EQ(Found(), (Texts{"M101@2"}));
  EXPECT_NE(Only().diagnostic.message.find("src1"), std::string::npos);
}

TEST_F(MemoryCheckerTest, MovesCountTheirGaps) {
  const uint64_t gm = chip_.global().Allocate(8192);
  Init(buf_, 1, 1024, 4096, 1);
  Issue(Move(In(4096, 4096, 1024), Gm(gm), 32, 16, 0, 32), 2);
  EXPECT_EQ(Found(), (Texts{}));  // the last block ends at 15 * 64 + 32
  Issue(Move(In(4096, 4096, 1024), Gm(gm), 64, 16, 0, 32), 3);
  EXPECT_EQ(Found(), (Texts{"M101@3"}));
}

TEST_F(MemoryCheckerTest, GatherReachesAsFarAsItsOffsets) {
  Init(buf_, 1, 1024, 4096, 1);
  auto* offsets = reinterpret_cast<uint32_t*>(Ub(0));
  for (int i = 0; i < 64; ++i) offsets[i] = 4 * i;
  abi::Instruction gather =
      Binary(Op::kGather, At(8192), In(4096, 4096, 1024), At(0), 64);
  gather.src1.dtype = abi::DType::kUint32;
  Issue(gather, 2);
  EXPECT_EQ(Found(), (Texts{}));
  offsets[63] = 1024;
  EXPECT_EQ(Issue(gather, 3), "");
  EXPECT_EQ(Found(), (Texts{"M101@3"}));
}

TEST_F(MemoryCheckerTest, ListsOfMergesMustEndWhereTheyStart) {
  Init(buf_, 1, 1024, 4096, 1);
  abi::Instruction merge{};
  merge.op = Op::kMrgSort;
  merge.form = abi::Form::kRegister;
  merge.repeat = 1;
  merge.dst = At(16384);
  merge.src0 = At(4096);
  merge.merge.list[0] = Ub(4096);
  merge.merge.list[1] = Ub(4096 + 512);
  merge.merge.count[0] = merge.merge.count[1] = 64;
  merge.merge.valid = 3;
  EXPECT_EQ(Issue(merge, 2), "");
  EXPECT_EQ(Found(), (Texts{}));
  merge.merge.count[1] = 65;
  EXPECT_EQ(Issue(merge, 3), "");
  EXPECT_EQ(Found(), (Texts{"M101@3"}));
}

TEST_F(MemoryCheckerTest, DeclaredTensorsOnlyWarn) {
  Issue(AddIn(In(4096, 4096, 1024), 257), 2);  // no InitBuffer
  EXPECT_EQ(Found(), (Texts{"M106@2"}));
  EXPECT_EQ(Only().diagnostic.severity, Severity::kWarning);
  EXPECT_NE(Only().diagnostic.message.find("as it was declared"),
            std::string::npos);
}

TEST_F(MemoryCheckerTest, WithoutBoundsNothingIsSaid) {
  Init(buf_, 1, 1024, 4096, 1);
  Issue(AddIn(At(4096), 1000), 2);
  EXPECT_EQ(Found(), (Texts{}));
}

TEST_F(MemoryCheckerTest, ScalarAccessOutside) {
  Init(buf_, 1, 1024, 4096, 1);
  checker_.OnOutsideBuffer({Core(), Ub(4096 + 1024), 4, Ub(4096), 1024, 7});
  EXPECT_EQ(Found(), (Texts{"M101@7"}));
}

TEST_F(MemoryCheckerTest, GlobalBeyondDeclaredSizeWarns) {
  const uint64_t gm = chip_.global().Allocate(4096);
  abi::Operand declared = Gm(gm + 512);
  declared.buffer = gm;
  declared.buffer_bytes = 1024;
  Issue(Move(At(0), declared, 512), 2);
  EXPECT_EQ(Found(), (Texts{}));
  Issue(Move(At(0), declared, 544), 3);
  EXPECT_EQ(Found(), (Texts{"M106@3"}));
}

TEST_F(MemoryCheckerTest, PaddingOfAnAllocation) {
  const uint64_t gm = chip_.global().Allocate(100);
  Issue(Move(At(0), Gm(gm), 96), 2);
  EXPECT_EQ(Found(), (Texts{}));
  Issue(Move(At(0), Gm(gm), 128), 3);
  Issue(Move(Gm(gm), At(0), 128), 4);
  EXPECT_EQ(Found(), (Texts{"M104@3", "M105@4"}));
  EXPECT_EQ(findings_.entries()[0].fault.diagnostic.message,
            "[DataCopy] src reads 28 bytes behind the end of an allocation of "
            "100 bytes");
  EXPECT_EQ(findings_.entries()[0].fault.diagnostic.severity,
            Severity::kWarning);
  EXPECT_EQ(findings_.entries()[1].fault.diagnostic.severity, Severity::kError);
}

TEST_F(MemoryCheckerTest, ScalarInThePadding) {
  const uint64_t gm = chip_.global().Allocate(100);
  Load(gm + 96, 4, 2);
  Load(gm + 100, 4, 3);
  Store(gm + 100, 4, 4, false);
  EXPECT_EQ(Found(), (Texts{"M104@3", "M105@4"}));
}

TEST_F(MemoryCheckerTest, BuffersHaveTheirTurn) {
  Init(in_, 1, 1024, 4096, 1);
  const abi::Operand tensor = In(4096, 4096, 1024);
  Queue(Op::kAllocTensor, in_, 0, 2);
  Issue(AddIn(tensor, 8), 3);
  Queue(Op::kEnQue, in_, 0, 4);
  EXPECT_EQ(Found(), (Texts{}));
  Issue(AddIn(tensor, 8), 5);
  EXPECT_EQ(Found(), (Texts{"M103@5"}));
  EXPECT_EQ(Only().notes[0].pc, 4u);
  Queue(Op::kDeQue, in_, 0, 6);
  Issue(AddIn(tensor, 8), 7);
  Queue(Op::kFreeTensor, in_, 0, 8);
  EXPECT_EQ(Found(), (Texts{"M103@5"}));
  Issue(AddIn(tensor, 8), 9);
  Load(Ub(4096), 4, 10);
  Load(Ub(4096), 4, 11, false);  // a raw pointer may know better
  EXPECT_EQ(Found(), (Texts{"M103@5", "M102@9", "M102@10"}));
  EXPECT_EQ(findings_.entries()[1].fault.notes[0].pc, 8u);
}

TEST_F(MemoryCheckerTest, SharedPlacesHaveNoTurn) {
  abi::QueueState other = MakeQueue(Position::kGm, Position::kVecIn);
  Init(in_, 1, 1024, 4096, 1);
  Init(other, 1, 1024, 4096, 2);
  Queue(Op::kAllocTensor, in_, 0, 3);
  Queue(Op::kFreeTensor, in_, 0, 4);
  Queue(Op::kAllocTensor, other, 0, 5);
  Issue(AddIn(In(4096, 4096, 1024), 8), 6);
  EXPECT_EQ(Found(), (Texts{}));
}

TEST_F(MemoryCheckerTest, ResetForgetsBuffers) {
  Init(in_, 1, 1024, 4096, 1);
  Queue(Op::kAllocTensor, in_, 0, 2);
  Queue(Op::kFreeTensor, in_, 0, 3);
  abi::Instruction reset{};
  reset.op = Op::kResetBuffers;
  Issue(reset, 4);
  Init(buf_, 1, 1024, 4096, 5);
  Issue(AddIn(In(4096, 4096, 1024), 8), 6);
  EndLaunch();
  EXPECT_EQ(Found(), (Texts{}));
}

TEST_F(MemoryCheckerTest, ScratchTakesLiveData) {
  abi::Instruction select =
      Binary(Op::kSelect, At(0), At(256), abi::Operand{}, 64);
  select.mode = static_cast<uint8_t>(abi::Select::kTensorScalar);
  select.src2 = At(1024, abi::DType::kUint8);

  Issue(Fill(At(kScratch), 64), 2);
  Issue(Unary(Op::kAbs, At(0), At(kScratch), 64), 3);
  EXPECT_EQ(Issue(select, 4), "");
  EXPECT_EQ(*reinterpret_cast<uint32_t*>(Ub(kScratch)), 0xFFFFFFFFu);
  EXPECT_EQ(*reinterpret_cast<uint32_t*>(Ub(kScratch + 128)), 0u);
  Issue(Unary(Op::kAbs, At(0), At(kScratch + 128), 32), 5);
  EXPECT_EQ(Found(), (Texts{}));
  Issue(Unary(Op::kAbs, At(0), At(kScratch + 96), 32), 6);
  EXPECT_EQ(Found(), (Texts{"M107@6"}));
  EXPECT_EQ(Only().notes[0].pc, 4u);
  EXPECT_EQ(Only().notes[1].pc, 2u);

  Issue(Fill(At(kScratch), 64), 7);
  Issue(Unary(Op::kAbs, At(0), At(kScratch), 64), 8);
  EXPECT_EQ(Found(), (Texts{"M107@6"}));
}

TEST_F(MemoryCheckerTest, ScratchNobodyReadsIsFine) {
  abi::Instruction relu =
      Binary(Op::kAddDeqRelu, At(0, abi::DType::kHalf),
             At(4096, abi::DType::kInt32), At(8192, abi::DType::kInt32), 64);
  Issue(Fill(At(kScratch), 128), 2);
  EXPECT_EQ(Issue(relu, 3), "");
  Load(Ub(kScratch + 256), 4, 4);  // 64 sums take 256 bytes
  EXPECT_EQ(Found(), (Texts{}));
  Load(Ub(kScratch + 252), 4, 5);
  EXPECT_EQ(Found(), (Texts{"M107@5"}));
}

TEST_F(MemoryCheckerTest, SelectByTheRegisterNeedsNoScratch) {
  Issue(Fill(At(kScratch), 64), 2);
  abi::Instruction select = Binary(Op::kSelect, At(0), At(256), At(512), 64);
  select.mode = static_cast<uint8_t>(abi::Select::kCmpMaskRegister);
  select.src2 = At(1024, abi::DType::kUint8);
  EXPECT_EQ(Issue(select, 3), "");
  EXPECT_EQ(*reinterpret_cast<uint32_t*>(Ub(kScratch)), 0u);
}

TEST_F(MemoryCheckerTest, BufferOverScratch) {
  Init(buf_, 1, 8192, kScratch - 4096, 1);
  Init(in_, 1, 1024, kScratch + 4096, 2);
  abi::Instruction select = Binary(Op::kSelect, At(0), At(256), At(512), 64);
  select.mode = static_cast<uint8_t>(abi::Select::kTensorTensor);
  select.src2 = At(1024, abi::DType::kUint8);
  EXPECT_EQ(Issue(select, 3), "");
  EXPECT_EQ(Issue(select, 3), "");
  EXPECT_EQ(Found(), (Texts{"M108@3+1"}));
  EXPECT_EQ(Only().notes[0].pc, 1u);
}

TEST_F(MemoryCheckerTest, TensorsLeftBehind) {
  abi::QueueState out = MakeQueue(Position::kVecOut, Position::kGm);
  Init(in_, 2, 1024, 0, 1);
  Init(out, 1, 1024, 8192, 2);
  Init(buf_, 1, 1024, 16384, 3);
  Queue(Op::kAllocTensor, in_, 0, 4);
  Queue(Op::kAllocTensor, in_, 1, 5);
  Queue(Op::kFreeTensor, in_, 1, 6);
  Queue(Op::kAllocTensor, out, 0, 7);
  Queue(Op::kEnQue, out, 0, 8);
  abi::Instruction end{};
  end.op = Op::kResetBuffers;
  end.mode = 1;
  Issue(end, 9);
  EndLaunch();
  EXPECT_EQ(Found(), (Texts{"M109@4", "M109@7"}));
  EXPECT_NE(findings_.entries()[1].fault.diagnostic.message.find("queued"),
            std::string::npos);
}

TEST_F(MemoryCheckerTest, RegistersLeftChanged) {
  abi::Instruction record{};
  record.op = Op::kSetAtomic;
  record.mode = static_cast<uint8_t>(abi::Atomic::kAdd);
  record.dst.dtype = abi::DType::kFloat;
  Issue(record, 2);
  record = {};
  record.op = Op::kSetMaskCount;
  Issue(record, 3);
  record.op = Op::kSetCtrl;
  record.scalar = 0;
  Issue(record, 4);
  EndLaunch();
  EXPECT_EQ(Found(), (Texts{"M110@2", "M110@3", "M110@4"}));
}

TEST_F(MemoryCheckerTest, RegistersPutBack) {
  const uint64_t control = Core().vector.control;
  abi::Instruction record{};
  for (const auto& [atomic, scalar] :
       {std::pair{abi::Atomic::kAdd, uint64_t{0}},
        std::pair{abi::Atomic::kNone, control}}) {
    record.op = Op::kSetAtomic;
    record.mode = static_cast<uint8_t>(atomic);
    Issue(record, 2);
    record.op = Op::kSetCtrl;
    record.scalar = scalar;
    Issue(record, 3);
  }
  record = {};
  record.op = Op::kSetVectorMask;
  record.mask[0] = 15;
  Issue(record, 4);
  record.op = Op::kResetMask;
  Issue(record, 5);
  // Its mask stays in the register, as on the chip.
  abi::Instruction add = AddIn(At(0), 8);
  add.form = abi::Form::kContinuous;
  Issue(add, 6);
  EndLaunch();
  EXPECT_EQ(Found(), (Texts{}));
}

TEST_F(MemoryCheckerTest, MaskLeftSet) {
  abi::Instruction record{};
  record.op = Op::kSetVectorMask;
  record.mask[0] = 15;
  Issue(record, 4);
  EndLaunch();
  EXPECT_EQ(Found(), (Texts{"M110@4"}));
}

}  // namespace
}  // namespace belay::check::test_memory
