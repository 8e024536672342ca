// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#include <cstdlib>
#include <cstring>

namespace belay::check {

uint64_t SeedOr(uint64_t otherwise) {
  const char* given = std::getenv("BELAY_SEED");
  return given == nullptr ? otherwise : std::strtoull(given, nullptr, 0);
}

CheckTest::CheckTest() : chip_(npu::LoadChip(npu::kDefaultChip)) {}

void CheckTest::Launch(int blocks) {
  blocks_ = blocks;
  ended_.assign(blocks, false);
  for (int i = 0; i < blocks; ++i) {
    npu::Core& core = Core(i);
    core.block = i;
    core.vector = npu::VectorState{};
    core.flags = npu::FlagTable{};
    core.cache.Invalidate();
    chip_.on_chip().Poison(core.slot);
  }
  for (npu::Observer* observer : chip_.observers()) {
    observer->OnLaunch({"kernel", blocks});
    for (int i = 0; i < blocks; ++i) observer->OnBlockBegin(Core(i));
  }
}

void CheckTest::EndBlock(int core) {
  if (ended_[core]) return;
  ended_[core] = true;
  for (npu::Observer* observer : chip_.observers()) {
    observer->OnBlockEnd(Core(core));
  }
}

void CheckTest::EndLaunch() {
  for (int i = 0; i < blocks_; ++i) EndBlock(i);
  for (npu::Observer* observer : chip_.observers()) observer->OnLaunchEnd();
}

uint64_t CheckTest::Ub(uint64_t offset, int core) {
  return chip_.on_chip().Base(Core(core).slot, abi::Memory::kUb) + offset;
}

abi::Operand CheckTest::At(uint64_t offset, abi::DType dtype, int core) {
  return {Ub(offset, core), 1, 8, dtype, abi::Memory::kUb};
}

abi::Operand CheckTest::In(uint64_t offset, uint64_t buffer_offset,
                           uint64_t buffer_bytes) {
  abi::Operand operand = At(offset);
  operand.buffer = Ub(buffer_offset);
  operand.buffer_bytes = buffer_bytes;
  return operand;
}

abi::Operand CheckTest::Gm(uint64_t address, abi::DType dtype) {
  return {address, 1, 8, dtype, abi::Memory::kGm};
}

abi::Instruction CheckTest::Unary(abi::Op op, abi::Operand dst,
                                  abi::Operand src, uint64_t count) {
  return Binary(op, dst, src, {}, count);
}

abi::Instruction CheckTest::Binary(abi::Op op, abi::Operand dst,
                                   abi::Operand src0, abi::Operand src1,
                                   uint64_t count) {
  abi::Instruction record{};
  record.op = op;
  record.form = abi::Form::kCount;
  record.repeat = 1;
  record.count = count;
  record.dst = dst;
  record.src0 = src0;
  record.src1 = src1;
  return record;
}

abi::Instruction CheckTest::Fill(abi::Operand dst, uint64_t count) {
  return Binary(abi::Op::kDuplicate, dst, {}, {}, count);
}

abi::Instruction CheckTest::Move(abi::Operand dst, abi::Operand src,
                                 uint32_t bytes, uint32_t blocks,
                                 int64_t source_gap, int64_t destination_gap) {
  abi::Instruction record{};
  record.op = abi::Op::kDataCopy;
  record.dst = dst;
  record.src0 = src;
  record.transfer.block_count = blocks;
  record.transfer.block_bytes = bytes;
  record.transfer.source_gap = source_gap;
  record.transfer.destination_gap = destination_gap;
  return record;
}

abi::Instruction CheckTest::Flag(abi::Op op, abi::Pipe from, abi::Pipe to,
                                 uint32_t id, bool by_queue) {
  abi::Instruction record{};
  record.op = op;
  record.mode = by_queue ? 1 : 0;
  record.sync = {from, to, id, 0};
  return record;
}

std::string CheckTest::Issue(abi::Instruction instruction, uint64_t pc,
                             int core) {
  instruction.pc = pc;
  try {
    chip_.Issue(Core(core), instruction);
  } catch (npu::Trap& trap) {
    return trap.fault().diagnostic.code;
  }
  return "";
}

void CheckTest::Load(uint64_t address, uint64_t bytes, uint64_t pc,
                     bool ordered, int core) {
  chip_.AccessScalar(Core(core), address, bytes, false, ordered, pc);
}

void CheckTest::Store(uint64_t address, uint64_t bytes, uint64_t pc,
                      bool ordered, int core) {
  std::memset(chip_.AccessScalar(Core(core), address, bytes, true, ordered, pc),
              1, bytes);
}

abi::QueueState CheckTest::MakeQueue(abi::Position source,
                                     abi::Position destination, bool is_queue) {
  abi::QueueState queue{};
  queue.source = source;
  queue.destination = destination;
  queue.depth = 1;
  queue.is_queue = is_queue ? 1 : 0;
  return queue;
}

void CheckTest::Init(abi::QueueState& queue, int buffers, uint32_t bytes,
                     uint64_t offset, uint64_t pc, int core) {
  queue.bytes = bytes;
  queue.buffers = static_cast<uint8_t>(buffers);
  queue.init_pc = pc;
  for (int i = 0; i < buffers; ++i) {
    queue.buffer[i].address = Ub(offset, core) + uint64_t{bytes} * i;
    Queue(abi::Op::kInitBuffer, queue, i, pc, core);
  }
}

void CheckTest::Queue(abi::Op op, const abi::QueueState& queue, uint32_t index,
                      uint64_t pc, int core) {
  abi::Instruction record{};
  record.op = op;
  record.queue = {reinterpret_cast<uint64_t>(&queue),
                  queue.buffer[index].address, queue.bytes, index};
  EXPECT_EQ(Issue(record, pc, core), "");
}

std::vector<std::string> CheckTest::Found() const {
  std::vector<std::string> found;
  for (const Findings::Entry& entry : findings_.entries()) {
    std::string text = entry.fault.diagnostic.code.substr(4) + "@" +
                       std::to_string(entry.fault.pc);
    if (entry.count > 1) text += "+" + std::to_string(entry.count - 1);
    found.push_back(std::move(text));
  }
  return found;
}

const npu::Fault& CheckTest::Only() const {
  static const npu::Fault none;
  EXPECT_EQ(findings_.entries().size(), 1u);
  return findings_.entries().empty() ? none : findings_.entries().front().fault;
}

}  // namespace belay::check
