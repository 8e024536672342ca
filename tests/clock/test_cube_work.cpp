// SPDX-License-Identifier: Apache-2.0
// What the recorder makes of cube instructions, and how long they take.

#include <memory>

#include "clock/bound.h"
#include "clock/recorder.h"
#include "clock/replay.h"
#include "clock/statistics.h"
#include "cube_program.h"

namespace belay::clock::test_cube_work {
namespace {

using abi::Pipe;

class CubeWorkTest : public check::CubeProgram {
 protected:
  void Start() {
    spec_ = LoadClockSpec(chip_.spec().name);
    recorder_ = std::make_unique<Recorder>(chip_, spec_, RecorderOptions{});
    chip_.AddObserver(recorder_.get());
    LaunchCube();
  }

  std::vector<Record> Finish() {
    EndCube();
    log_ = std::move(recorder_->TakeLaunches().front());
    std::vector<Record> records;
    Sequence::Cursor cursor(log_.logs.front().records);
    for (Record record; cursor.Next(record);) {
      if (record.kind != Kind::kBuffer && record.kind != Kind::kScalar) {
        records.push_back(record);
      }
    }
    return records;
  }

  CubeWork MmadOf(abi::DType dtype, uint32_t m, uint32_t n, uint32_t k) {
    abi::Instruction mmad{};
    mmad.op = abi::Op::kMmad;
    mmad.src0.dtype = mmad.src1.dtype = dtype;
    mmad.mmad.m = static_cast<uint16_t>(m);
    mmad.mmad.n = static_cast<uint16_t>(n);
    mmad.mmad.k = static_cast<uint16_t>(k);
    return MmadWorkOf({Cube(), mmad, nullptr, Pipe::kM},
                      CubeDepths(LoadClockSpec(chip_.spec().name)));
  }

  ClockSpec spec_;
  std::unique_ptr<Recorder> recorder_;
  LaunchLog log_;
};

TEST_F(CubeWorkTest, StepsByType) {
  using abi::DType;
  EXPECT_EQ(MmadOf(DType::kHalf, 128, 256, 64).steps, 8u * 16 * 4);
  EXPECT_EQ(MmadOf(DType::kHalf, 128, 256, 64).products, 128u * 256 * 64);
  EXPECT_EQ(MmadOf(DType::kHalf, 17, 1, 65).steps, 2u * 5);
  EXPECT_EQ(MmadOf(DType::kInt8, 16, 16, 64).steps, 2u);
  EXPECT_EQ(MmadOf(DType::kInt4, 16, 16, 64).steps, 1u);
  EXPECT_EQ(MmadOf(DType::kFloat, 16, 16, 64).steps, 16u);
  Cube().cube.hf32 = true;
  EXPECT_EQ(MmadOf(DType::kFloat, 16, 16, 64).steps, 8u);
}

TEST_F(CubeWorkTest, AProductFromGlobalMemoryAndBack) {
  Start();
  CopyLeft();
  CopyRight();
  Order(Pipe::kMte2, Pipe::kMte1);
  LoadLeft();
  LoadRight();
  Order(Pipe::kMte1, Pipe::kM);
  Multiply();
  Order(Pipe::kM, Pipe::kFix);
  Store();
  const std::vector<Record> records = Finish();
  ASSERT_EQ(records.size(), 13u);
  EXPECT_EQ(records[0].kind, Kind::kMove);
  EXPECT_EQ(records[0].pipe, Pipe::kMte2);
  EXPECT_EQ(records[0].move.address, a_);
  EXPECT_EQ(records[0].move.bursts, 32u);
  EXPECT_EQ(records[0].move.burst_bytes, 64u);
  EXPECT_EQ(records[0].move.stride, 64);
  EXPECT_EQ(records[0].move.flags, MoveWork::kNd2Nz);
  EXPECT_EQ(records[4].kind, Kind::kLoad);
  EXPECT_EQ(records[4].cube.bytes, 1024u);
  EXPECT_EQ(records[4].cube.to, abi::Memory::kL0a);
  EXPECT_EQ(records[6].cube.bytes, 2048u);
  EXPECT_EQ(records[6].cube.to, abi::Memory::kL0b);
  EXPECT_EQ(records[9].kind, Kind::kMmad);
  EXPECT_EQ(records[9].cube.steps, 8u);
  EXPECT_EQ(records[12].kind, Kind::kMove);
  EXPECT_EQ(records[12].pipe, Pipe::kFix);
  EXPECT_EQ(records[12].move.bursts, 32u);
  EXPECT_EQ(records[12].move.burst_bytes, 128u);

  Statistics statistics(log_, spec_);
  ReplayOptions options;
  options.sink = &statistics;
  const LaunchTime time = Replay(log_, spec_, options);
  EXPECT_EQ(statistics.products(), 32u * 32 * 32);
  EXPECT_EQ(statistics.cube_steps(), 8u);
  const Bound bound = HardwareBound(log_, spec_, options.l2);
  EXPECT_DOUBLE_EQ(bound.cube, 8.0 / spec_.cube_cores() / spec_.clock_mhz());
  EXPECT_GT(ToMicroseconds(time.total, spec_.clock_mhz()), bound.total);
}

// Fixpipe waits for the Mmad that handed over, and the next Mmad for it.
TEST_F(CubeWorkTest, UnitFlagsOrderThePipes) {
  Start();
  CopyLeft();
  CopyRight();
  LoadLeft();
  LoadRight();
  Multiply(false, 3);
  Store(3);
  Multiply(false, 3);
  const std::vector<Record> records = Finish();
  ASSERT_GE(records.size(), 5u);
  const Record* last = &records.back();
  EXPECT_EQ(last[0].kind, Kind::kMmad);
  EXPECT_EQ(last[-1].kind, Kind::kOrder);
  EXPECT_EQ(last[-1].sync.from, Pipe::kFix);
  EXPECT_EQ(last[-1].sync.to, Pipe::kM);
  EXPECT_EQ(last[-1].sync.distance, 1u);
  EXPECT_EQ(last[-2].kind, Kind::kMove);
  EXPECT_EQ(last[-3].kind, Kind::kOrder);
  EXPECT_EQ(last[-3].sync.from, Pipe::kM);
  EXPECT_EQ(last[-3].sync.to, Pipe::kFix);
}

// As published for filters that step along the width, and go over rows.
TEST_F(CubeWorkTest, Im2colIsSlowerThanALoad) {
  abi::Instruction load{};
  load.op = abi::Op::kLoadData3D;
  load.dst = In(abi::Memory::kL0a, abi::DType::kHalf);
  load.src0 = In(abi::Memory::kL1, abi::DType::kHalf);
  load.load3d.channels = load.load3d.k_extension = 16;
  load.load3d.m_extension = 64;
  load.load3d.filter_width = load.load3d.filter_height = 1;
  load.load3d.stride_width = load.load3d.stride_height = 1;
  load.load3d.dilation_width = load.load3d.dilation_height = 1;
  load.load3d.repeat.times = 1;
  const auto bytes = [&](uint16_t height, uint16_t width, uint8_t stride) {
    load.load3d.fmatrix = {height, width, 0, 0, 0, 0};
    load.load3d.stride_width = stride;
    return LoadWorkOf({Cube(), load, nullptr, Pipe::kMte1}).bytes;
  };
  EXPECT_EQ(bytes(1, 64, 1), 2048u);       // 256 bytes a cycle
  EXPECT_EQ(bytes(2, 32, 1), 2048u * 2);   // 512 / (2 + 2)
  EXPECT_EQ(bytes(1, 128, 2), 2048u * 2);  // 512 / 4
  EXPECT_EQ(bytes(1, 192, 3), 2048u * 8);  // 32
}

}  // namespace
}  // namespace belay::clock::test_cube_work
