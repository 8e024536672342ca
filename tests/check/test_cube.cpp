// SPDX-License-Identifier: Apache-2.0
// The checkers on cube programs: right ones are clean, with one step left out
// or changed they are not.

#include "check/init_checker.h"
#include "check/memory.h"
#include "check/race.h"
#include "cube_program.h"

namespace belay::check::test_cube {
namespace {

using abi::Pipe;
using Places = std::vector<std::string>;

class CubeRaceTest : public CubeProgram {
 protected:
  CubeRaceTest() : checker_(chip_, findings_) { chip_.AddObserver(&checker_); }

  void LoadAll() {
    CopyLeft();
    CopyRight();
    Order(Pipe::kMte2, Pipe::kMte1);
    LoadLeft();
    LoadRight();
    Order(Pipe::kMte1, Pipe::kM);
  }

  RaceChecker checker_;
};

TEST_F(CubeRaceTest, OrderedByFlagsIsClean) {
  LaunchCube();
  LoadAll();
  Multiply();
  Order(Pipe::kM, Pipe::kFix);
  Store();
  EndCube();
  EXPECT_EQ(Found(), Places{});
}

TEST_F(CubeRaceTest, EachMissingOrderIsFound) {
  LaunchCube();
  CopyLeft();
  LoadLeft();  // no MTE2_MTE1
  EXPECT_EQ(Found().size(), 1u);
  LoadRight();
  Multiply();  // no MTE1_M: both operands
  EXPECT_EQ(Found().size(), 3u);
  Store();  // no M_FIX
  EXPECT_EQ(Found().size(), 4u);
  Multiply();  // no FIX_M
  EXPECT_GE(Found().size(), 5u);
  EndCube();
}

// Below ten steps an Mmad into the same place needs a barrier.
TEST_F(CubeRaceTest, SmallProductsNeedABarrierBetween) {
  k_ = 32;  // two by two fractals of C, two deep
  LaunchCube();
  LoadAll();
  Multiply();
  Barrier(Pipe::kM);
  Multiply(true);
  EXPECT_EQ(Found(), Places{});
  Multiply(true);
  EXPECT_EQ(Found().size(), 1u);
  EndCube();
}

TEST_F(CubeRaceTest, LargeProductsFollowEachOther) {
  m_ = n_ = 64;  // sixteen fractals
  LaunchCube();
  LoadAll();
  Multiply();
  Multiply(true);
  EndCube();
  EXPECT_EQ(Found(), Places{});
}

TEST_F(CubeRaceTest, UnitFlagsOrderBothWays) {
  LaunchCube();
  LoadAll();
  for (int round = 0; round < 3; ++round) {
    Multiply(false, 2);
    Barrier(Pipe::kM);
    Multiply(true, 3);
    Store(3);
    Barrier(Pipe::kFix);  // between stores to the same place
  }
  EndCube();
  EXPECT_EQ(Found(), Places{});
}

TEST_F(CubeRaceTest, LoadingTheSameFractalsAgainIsHarmless) {
  LaunchCube();
  CopyLeft();
  CopyRight();
  Order(Pipe::kMte2, Pipe::kMte1);
  LoadLeft();
  LoadLeft();
  EXPECT_EQ(Found(), Places{});
  At<uint16_t>(abi::Memory::kL1)[0] ^= 1;  // other bytes, this time
  LoadLeft();
  EXPECT_EQ(Found().size(), 1u);
  EndCube();
}

class CubeInitTest : public CubeProgram {
 protected:
  CubeInitTest() : checker_(chip_, findings_) { chip_.AddObserver(&checker_); }

  InitChecker checker_;
};

// Sizes that fill no fractal: garbage behind rows and columns is loaded and
// multiplied, and none of it gets out.
TEST_F(CubeInitTest, TailsOfFractalsAreNoFinding) {
  m_ = 19;
  n_ = 21;
  k_ = 23;
  LaunchCube();
  CopyLeft();
  CopyRight();
  LoadLeft();
  LoadRight();
  Multiply();
  Multiply(true);
  Store();
  EndCube();
  EXPECT_EQ(Found(), Places{});
}

TEST_F(CubeInitTest, WhatWasNeverLoadedIsFoundWhenItIsStored) {
  LaunchCube();
  CopyLeft();
  LoadLeft();
  LoadRight();  // B was never copied
  Multiply();
  EXPECT_EQ(Found(), Places{});
  Store();
  EndCube();
  EXPECT_EQ(Found(), Places{"I101@6"});
  EXPECT_NE(Only().diagnostic.message.find("4096"), std::string::npos);
}

TEST_F(CubeInitTest, AccumulatingOntoNothing) {
  LaunchCube();
  CopyLeft();
  CopyRight();
  LoadLeft();
  LoadRight();
  Multiply(true);  // C was never initialised
  Store();
  EndCube();
  EXPECT_EQ(Found(), Places{"I101@6"});
}

TEST_F(CubeInitTest, OneRowOfAUndefinedIsOneRowOfC) {
  LaunchCube();
  CopyRight();
  LoadRight();
  m_ = 31;
  CopyLeft();
  m_ = 32;
  LoadLeft();
  Multiply();
  Store();
  EndCube();
  EXPECT_EQ(Found(), Places{"I101@6"});
  // 32 floats of the last row.
  EXPECT_NE(Only().diagnostic.message.find(" 128,"), std::string::npos)
      << Only().diagnostic.message;
}

class CubeMemoryTest : public CubeProgram {
 protected:
  CubeMemoryTest() : checker_(chip_, findings_) {
    chip_.AddObserver(&checker_);
  }

  MemoryChecker checker_;
};

TEST_F(CubeMemoryTest, LeavingATensorIsFound) {
  LaunchCube();
  CopyLeft();
  LoadLeft();
  EXPECT_EQ(Found(), Places{});
  abi::Instruction load{};
  load.op = abi::Op::kLoadData2D;
  load.dst = In(abi::Memory::kL0a, abi::DType::kHalf);
  load.src0 = In(abi::Memory::kL1, abi::DType::kHalf);
  load.src0.buffer = load.src0.address;
  load.src0.buffer_bytes = 1024;
  load.load2d.repeat = 2;
  load.load2d.source_stride = 1;
  Do(load, 7);
  EXPECT_EQ(Found(), Places{});
  load.load2d.repeat = 3;
  Do(load, 8);
  EXPECT_EQ(Found().size(), 1u);
  EndCube();
}

}  // namespace
}  // namespace belay::check::test_cube
