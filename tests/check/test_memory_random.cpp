// SPDX-License-Identifier: Apache-2.0
// Random kernels: memcheck and synccheck find exactly what the naive model
// finds.

#include <algorithm>
#include <iterator>
#include <map>
#include <random>

#include "check/memory.h"
#include "check/sync.h"
#include "naive_memory.h"
#include "npu/hidden_scratch.h"
#include "support.h"

namespace belay::check::test_memory_random {
namespace {

using abi::Op;
using abi::Pipe;
using abi::Position;

constexpr uint64_t kScratch = 184 * 1024;
constexpr int kQueues = 4;
constexpr int kBuffers = 3;  // of each queue

class RandomMemoryTest : public CheckTest {
 protected:
  RandomMemoryTest() : memory_(chip_, all_), sync_(chip_, all_) {
    chip_.AddObserver(&memory_);
    chip_.AddObserver(&sync_);
    for (const uint64_t bytes : {100, 1000, 4096, 4099}) {
      const uint64_t base = chip_.global().Allocate(bytes);
      allocations_.push_back({base, bytes});
    }
  }

  uint64_t Below(uint64_t limit) { return random_() % limit; }
  bool OneIn(uint64_t n) { return Below(n) == 0; }

  void Run(uint64_t seed, int steps);
  void InitBuffers();
  void StepQueue();
  void StepVector();
  void StepMove();
  void StepScalar();
  void StepFlag();
  abi::Operand Tensor(uint64_t bytes);
  abi::Operand Global(uint64_t bytes, uint64_t& room);

  // Many kinds are found, and none may be dropped.
  Findings all_{1 << 20};
  MemoryChecker memory_;
  SyncChecker sync_;
  std::vector<NaiveMemory::Allocation> allocations_;
  std::mt19937_64 random_;
  abi::QueueState queues_[kQueues];
  std::unique_ptr<NaiveMemory> naive_;
  uint64_t pc_ = 0;
};

void RandomMemoryTest::InitBuffers() {
  uint64_t at = OneIn(2) ? 0 : kScratch - 4096;
  for (int q = 0; q < kQueues; ++q) {
    const bool is_queue = q != 3;
    queues_[q] = is_queue
                     ? MakeQueue(Position::kGm, Position::kVecIn)
                     : MakeQueue(Position::kVecCalc, Position::kVecCalc, false);
    const auto bytes = static_cast<uint32_t>(32 * (1 + Below(20)));
    // Now and then two queues lie in the same place.
    if (q == 1 && OneIn(3)) at = queues_[0].buffer[0].address - Ub(0);
    Init(queues_[q], kBuffers, bytes, at, ++pc_);
    for (int i = 0; i < kBuffers; ++i) {
      NaiveMemory::Buffer buffer;
      buffer.begin = queues_[q].buffer[i].address;
      buffer.bytes = bytes;
      buffer.is_queue = is_queue;
      buffer.position = q == 3 ? 1 : 0;
      buffer.init_pc = pc_;
      naive_->Init(q * kBuffers + i, buffer);
    }
    at += uint64_t{bytes} * kBuffers;
  }
}

void RandomMemoryTest::StepQueue() {
  if (OneIn(60)) {
    abi::Instruction reset{};
    reset.op = Op::kResetBuffers;
    reset.mode = OneIn(2) ? 1 : 0;
    Issue(reset, ++pc_);
    naive_->Reset(reset.mode == 1);
    InitBuffers();
    return;
  }
  const Op ops[] = {Op::kAllocTensor, Op::kEnQue, Op::kDeQue, Op::kFreeTensor};
  const Op op = ops[Below(4)];
  const auto q = static_cast<int>(Below(3));
  const auto i = static_cast<uint32_t>(Below(kBuffers));
  Queue(op, queues_[q], i, ++pc_);
  naive_->Queue(op, q * kBuffers + static_cast<int>(i), pc_);
}

// A tensor of a buffer, rarely declared by hand or without bounds, that starts
// where `bytes` may or may not fit.
abi::Operand RandomMemoryTest::Tensor(uint64_t bytes) {
  const abi::QueueState& queue = queues_[Below(kQueues)];
  const uint64_t begin = queue.buffer[Below(kBuffers)].address - Ub(0);
  const uint64_t slack =
      bytes < queue.bytes ? (queue.bytes - bytes) / 32 + 2 : 2;
  uint64_t offset = begin + 32 * Below(slack);
  if (OneIn(20) && offset >= 32) offset -= 32;
  abi::Operand operand = In(offset, begin, queue.bytes);
  if (OneIn(8)) operand.buffer_bytes = 32 * Below(24);
  if (OneIn(8)) operand.buffer = operand.buffer_bytes = 0;
  return operand;
}

void RandomMemoryTest::StepVector() {
  abi::Instruction record{};
  record.op = OneIn(6) ? Op::kSelect : OneIn(8) ? Op::kAddDeqRelu : Op::kAdd;
  record.repeat = 1 + static_cast<uint32_t>(Below(3));
  const uint64_t form = Below(3);
  if (form == 0) {
    record.form = abi::Form::kCount;
    record.repeat = 1;
    record.count = 1 + Below(150);
  } else if (form == 1) {
    record.form = abi::Form::kContinuous;
    record.count = 1 + Below(64);
  } else {
    record.form = abi::Form::kBitwise;
    record.mask[0] = random_() << Below(64);
    if (record.mask[0] == 0) record.mask[0] = 1;
  }
  const uint64_t bytes = record.repeat * 256;
  for (abi::Operand* operand : {&record.dst, &record.src0, &record.src1}) {
    *operand = Tensor(bytes);
    if (record.form != abi::Form::kCount) {
      operand->repeat_stride = static_cast<uint32_t>(Below(10));
      operand->block_stride = 1 + static_cast<uint32_t>(Below(2));
    }
  }
  if (record.op == Op::kAddDeqRelu) {
    record.dst.dtype = abi::DType::kHalf;
    record.src0.dtype = record.src1.dtype = abi::DType::kInt32;
    if (record.form == abi::Form::kCount) record.dst.repeat_stride = 4;
  } else if (record.op == Op::kSelect) {
    record.src2 = Tensor(32);
    record.src2.dtype = abi::DType::kUint8;
    record.mode = static_cast<uint8_t>(OneIn(2) ? abi::Select::kTensorScalar
                                                : abi::Select::kTensorTensor);
    if (record.mode == static_cast<uint8_t>(abi::Select::kTensorScalar)) {
      record.src1 = abi::Operand{};
    }
  }
  ASSERT_EQ(Issue(record, ++pc_), "");
  record.pc = pc_;
  uint64_t scratch = record.op == Op::kSelect ? 128 : 0;
  if (record.op == Op::kAddDeqRelu) {
    scratch = 4 * (record.form == abi::Form::kCount ? record.count
                                                    : record.repeat * 64);
  }
  naive_->Vector(record, scratch);
}

abi::Operand RandomMemoryTest::Global(uint64_t bytes, uint64_t& room) {
  const NaiveMemory::Allocation& allocation =
      allocations_[Below(allocations_.size())];
  const uint64_t capacity = (allocation.bytes + 511) / 512 * 512;
  bytes = std::min(bytes, capacity);
  const uint64_t offset = Below(capacity - bytes + 1);
  room = capacity - offset;
  abi::Operand operand = Gm(allocation.base + offset);
  if (OneIn(2)) {
    operand.buffer = allocation.base + (OneIn(2) ? 0 : offset);
    operand.buffer_bytes = Below(allocation.bytes + 64);
  }
  return operand;
}

void RandomMemoryTest::StepMove() {
  const uint32_t blocks = 1 + static_cast<uint32_t>(Below(3));
  const uint32_t bytes = 32 * (1 + static_cast<uint32_t>(Below(6)));
  const int64_t gap = 32 * static_cast<int64_t>(Below(3));
  uint64_t room = 0;
  const abi::Operand global = Global(blocks * bytes, room);
  const abi::Operand local = Tensor(blocks * (bytes + gap));
  const bool in = OneIn(2);
  if (room < blocks * bytes) return;
  abi::Instruction move = in ? Move(local, global, bytes, blocks, 0, gap)
                             : Move(global, local, bytes, blocks, gap, 0);
  ASSERT_EQ(Issue(move, ++pc_), "");
  move.pc = pc_;
  naive_->Move(move);
}

void RandomMemoryTest::StepScalar() {
  uint64_t address = 0;
  if (OneIn(3)) {
    uint64_t room = 0;
    address = Global(4, room).address & ~uint64_t{3};
  } else {
    address = Tensor(4).address + 4 * Below(8);
  }
  const bool write = OneIn(2);
  if (write) {
    Store(address, 4, ++pc_);
  } else {
    Load(address, 4, ++pc_);
  }
  naive_->Scalar(address, 4, write, pc_);
}

void RandomMemoryTest::StepFlag() {
  constexpr std::pair<Pipe, Pipe> kPairs[] = {{Pipe::kMte2, Pipe::kV},
                                              {Pipe::kV, Pipe::kMte3}};
  const auto pair = static_cast<int>(Below(2));
  const auto id = static_cast<int>(Below(6));
  const bool by_queue = OneIn(2);
  const bool set = !naive_->IsSet(pair, id);
  const auto [from, to] = kPairs[pair];
  ASSERT_EQ(
      Issue(Flag(set ? Op::kSetFlag : Op::kWaitFlag, from, to, id, by_queue),
            ++pc_),
      "");
  naive_->Flag(set, pair, id, by_queue, pc_);
}

void RandomMemoryTest::Run(uint64_t seed, int steps) {
  SCOPED_TRACE("BELAY_SEED=" + std::to_string(seed));
  random_.seed(seed);
  all_.Clear();
  pc_ = 0;
  Launch();
  naive_ = std::make_unique<NaiveMemory>(Ub(0),
                                         chip_.spec().BytesOf(abi::Memory::kUb),
                                         chip_.spec().scratch_bytes);
  for (const auto& [base, bytes] : allocations_) {
    naive_->AddAllocation(base, bytes);
  }
  InitBuffers();
  for (int step = 0; step < steps && !HasFatalFailure(); ++step) {
    const uint64_t kind = Below(10);
    if (kind < 3) {
      StepQueue();
    } else if (kind < 6) {
      StepVector();
    } else if (kind < 8) {
      StepMove();
    } else if (kind < 9) {
      StepScalar();
    } else {
      StepFlag();
    }
  }
  EndLaunch();
  naive_->End();
  std::set<std::string> found;
  for (const Findings::Entry& entry : all_.entries()) {
    const npu::Fault& fault = entry.fault;
    found.insert(fault.diagnostic.code.substr(4) + " " +
                 std::to_string(fault.pc) + " " +
                 std::to_string(fault.notes.empty() ? 0 : fault.notes[0].pc));
  }
  std::vector<std::string> wrong;
  std::set_symmetric_difference(found.begin(), found.end(),
                                naive_->found().begin(), naive_->found().end(),
                                std::back_inserter(wrong));
  EXPECT_EQ(wrong, std::vector<std::string>{}) << "found by one of the two";
}

TEST_F(RandomMemoryTest, AgreesWithTheNaiveModel) {
  const uint64_t first = SeedOr(1);
  const bool one = std::getenv("BELAY_SEED") != nullptr;
  std::map<std::string, int> met;
  for (uint64_t seed = first; seed < first + (one ? 1 : 300); ++seed) {
    Run(seed, 120);
    if (HasFailure()) return;
    for (const std::string& text : naive_->found()) ++met[text.substr(0, 4)];
  }
  if (one) return;
  for (const char* code :
       {"M101", "M102", "M103", "M104", "M105", "M106", "M107", "M108", "M109",
        "S106", "S107", "S111", "S112", "S113"}) {
    EXPECT_GT(met[code], 10) << code << " is hardly tested";
  }
}

}  // namespace
}  // namespace belay::check::test_memory_random
