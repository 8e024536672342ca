// SPDX-License-Identifier: Apache-2.0
#include "cube_program.h"

namespace belay::check {

using abi::DType;
using abi::Memory;
using abi::Op;

namespace {

uint32_t Up(uint32_t value) { return (value + 15) / 16 * 16; }

}  // namespace

void CubeProgram::LaunchCube() {
  a_ = chip_.global().Allocate(uint64_t{m_} * k_ * 2);
  b_ = chip_.global().Allocate(uint64_t{n_} * k_ * 2);
  c_ = chip_.global().Allocate(uint64_t{m_} * n_ * 4);
  npu::Core& core = Cube();
  core.block = 0;
  core.vector = npu::VectorState{};
  core.cube = npu::CubeState{};
  core.flags = npu::FlagTable{};
  chip_.on_chip().Poison(core.slot);
  for (npu::Observer* observer : chip_.observers()) {
    observer->OnLaunch({"kernel", 1});
    observer->OnBlockBegin(core);
  }
}

void CubeProgram::EndCube() {
  for (npu::Observer* observer : chip_.observers()) {
    observer->OnBlockEnd(Cube());
    observer->OnLaunchEnd();
  }
}

void CubeProgram::Do(abi::Instruction instruction, uint64_t pc) {
  instruction.pc = pc;
  try {
    chip_.Issue(Cube(), instruction);
  } catch (npu::Trap& trap) {
    FAIL() << trap.what();
  }
}

void CubeProgram::Order(abi::Pipe from, abi::Pipe to) {
  Do(Flag(Op::kSetFlag, from, to, 0), 90);
  Do(Flag(Op::kWaitFlag, from, to, 0), 91);
}

void CubeProgram::Barrier(abi::Pipe pipe) {
  abi::Instruction barrier{};
  barrier.op = Op::kPipeBarrier;
  barrier.sync = {pipe, pipe, 0, 0};
  Do(barrier, 92);
}

void CubeProgram::CopyLeft() {
  abi::Instruction copy{};
  copy.op = Op::kDataCopyNd2Nz;
  copy.dst = In(Memory::kL1, DType::kHalf);
  copy.src0 = Gm(a_, DType::kHalf);
  copy.nd2nz = {1, m_, k_, 0, k_, Up(m_), 1, 0};
  Do(copy, 1);
}

void CubeProgram::CopyRight() {
  abi::Instruction copy{};
  copy.op = Op::kDataCopyNd2Nz;
  copy.dst = In(Memory::kL1, DType::kHalf, 65536);
  copy.src0 = Gm(b_, DType::kHalf);
  copy.nd2nz = {1, n_, k_, 0, k_, Up(n_), 1, 0};
  Do(copy, 2);
}

void CubeProgram::LoadLeft() {
  const uint32_t fractals = Up(k_) / 16;
  for (uint32_t block = 0; block < Up(m_) / 16; ++block) {
    abi::Instruction load{};
    load.op = Op::kLoadData2D;
    load.dst = In(Memory::kL0a, DType::kHalf, uint64_t{block} * fractals * 512);
    load.src0 = In(Memory::kL1, DType::kHalf, uint64_t{block} * 512);
    load.load2d.repeat = fractals;
    load.load2d.source_stride = Up(m_) / 16;
    Do(load, 3);
  }
}

void CubeProgram::LoadRight() {
  abi::Instruction load{};
  load.op = Op::kLoadData2D;
  load.dst = In(Memory::kL0b, DType::kHalf);
  load.src0 = In(Memory::kL1, DType::kHalf, 65536);
  load.load2d.repeat = Up(n_) / 16 * (Up(k_) / 16);
  load.load2d.source_stride = 1;
  Do(load, 4);
}

void CubeProgram::Multiply(bool accumulate, uint8_t unit_flag, uint64_t pc) {
  abi::Instruction mmad{};
  mmad.op = Op::kMmad;
  mmad.dst = In(Memory::kL0c, DType::kFloat);
  mmad.src0 = In(Memory::kL0a, DType::kHalf);
  mmad.src1 = In(Memory::kL0b, DType::kHalf);
  mmad.mmad = {static_cast<uint16_t>(m_),
               static_cast<uint16_t>(n_),
               static_cast<uint16_t>(k_),
               accumulate ? abi::MmadInit::kAccumulate : abi::MmadInit::kZero,
               unit_flag,
               0};
  Do(mmad, pc);
}

void CubeProgram::Store(uint8_t unit_flag, uint64_t pc) {
  abi::Instruction fixpipe{};
  fixpipe.op = Op::kFixpipe;
  fixpipe.dst = Gm(c_, DType::kFloat);
  fixpipe.src0 = In(Memory::kL0c, DType::kFloat);
  fixpipe.fixpipe.n = n_;
  fixpipe.fixpipe.m = m_;
  fixpipe.fixpipe.source_stride = Up(m_);
  fixpipe.fixpipe.destination_stride = n_;
  fixpipe.fixpipe.nz2nd = 1;
  fixpipe.fixpipe.unit_flag = unit_flag;
  Do(fixpipe, pc);
}

}  // namespace belay::check
