// SPDX-License-Identifier: Apache-2.0
// Queues: who gets which buffer, which flags order it, and what goes wrong.

#include <gtest/gtest.h>

#include <functional>

#include "npu/names.h"
#include "runtime/pipe.h"
#include "runtime/queue.h"

namespace belay::runtime {
namespace {

using abi::Op;
using abi::Pipe;
using abi::Position;

// Notes every queue and flag instruction as text.
class Notes : public npu::Observer {
 public:
  void OnInstruction(const npu::InstructionEvent& event) override {
    const abi::Instruction& i = event.instruction;
    std::string text(npu::NameOf(i.op));
    if (i.op == Op::kSetFlag || i.op == Op::kWaitFlag) {
      text += " " + npu::EventName(i.sync) + std::to_string(i.sync.id);
    } else if (npu::FamilyOf(i.op) == npu::Family::kQueue) {
      text += " " + std::to_string(i.queue.index);
    }
    lines.push_back(text);
  }
  std::vector<std::string> lines;
};

std::function<void(Device&)> body;

class QueueTest : public ::testing::Test {
 protected:
  QueueTest() : device_(DeviceOptions{}) {
    Device::Install(&device_);
    device_.SetFaultSink(
        [this](npu::Fault fault) { codes_.push_back(fault.diagnostic.code); });
    device_.chip().AddObserver(&notes_);
  }
  ~QueueTest() override { Device::Install(nullptr); }

  // Runs `work` as a kernel of one block; a trap ends it.
  void Run(std::function<void(Device&)> work) {
    body = std::move(work);
    device_.Launch({"test", "vector",
                    [](void*) {
                      Device& device = *Device::Get();
                      npu::Fault fault;
                      try {
                        body(device);
                        return;
                      } catch (npu::Trap& trap) {
                        fault = std::move(trap.fault());
                      }
                      device.Abort(std::move(fault));
                    }},
                   1, nullptr, 0);
  }

  static abi::QueueState Queue(Position source, Position destination,
                               uint8_t depth) {
    abi::QueueState queue{};
    queue.source = source;
    queue.destination = destination;
    queue.depth = depth;
    queue.is_queue = 1;
    return queue;
  }

  Device device_;
  Notes notes_;
  std::vector<std::string> codes_;
};

TEST_F(QueueTest, DoubleBufferingAlternatesAndOrdersWithFlags) {
  Run([](Device& device) {
    abi::PipeState pipe;
    abi::QueueState in = Queue(Position::kGm, Position::kVecIn, 1);
    InitPipe(device, pipe);
    InitBuffer(device, pipe, in, 2, 100, 0);
    for (int i = 0; i < 3; ++i) {
      const uint64_t a = AllocTensor(device, in, 0);
      EnQue(device, in, a, 0);
      EXPECT_EQ(DeQue(device, in, 0), a);
      FreeTensor(device, in, a, 0);
    }
    DestroyPipe(device, pipe, 0);
  });
  EXPECT_TRUE(codes_.empty());
  const std::vector<std::string> expected = {
      "InitBuffer 0",     "InitBuffer 1",     "AllocTensor 0",
      "EnQue 0",          "SetFlag MTE2_V0",  "WaitFlag MTE2_V0",
      "DeQue 0",          "FreeTensor 0",     "SetFlag V_MTE20",
      "AllocTensor 1",    "EnQue 1",          "SetFlag MTE2_V0",
      "WaitFlag MTE2_V0", "DeQue 1",          "FreeTensor 1",
      "SetFlag V_MTE21",  "WaitFlag V_MTE20", "AllocTensor 0",
      "EnQue 0",          "SetFlag MTE2_V0",  "WaitFlag MTE2_V0",
      "DeQue 0",          "FreeTensor 0",     "SetFlag V_MTE20",
      "ResetBuffers 0",   "WaitFlag V_MTE20", "WaitFlag V_MTE21",
      "PipeBarrier"};
  EXPECT_EQ(notes_.lines, expected);
}

// They lie at one address; each is freed and taken in its turn.
TEST_F(QueueTest, BuffersOfNoBytesAreToldApart) {
  Run([](Device& device) {
    abi::PipeState pipe;
    abi::QueueState in = Queue(Position::kGm, Position::kVecIn, 2);
    InitPipe(device, pipe);
    InitBuffer(device, pipe, in, 2, 0, 0);
    EnQue(device, in, AllocTensor(device, in, 0), 0);
    for (int i = 0; i < 3; ++i) {
      EnQue(device, in, AllocTensor(device, in, 0), 0);
      FreeTensor(device, in, DeQue(device, in, 0), 0);
    }
    FreeTensor(device, in, DeQue(device, in, 0), 0);
    EXPECT_EQ(in.queued, 0);
    for (const int i : {0, 1}) {
      EXPECT_EQ(in.buffer[i].state, abi::BufferState::kFree);
    }
    DestroyPipe(device, pipe, 0);
  });
  EXPECT_TRUE(codes_.empty());
}

TEST_F(QueueTest, PositionsDecidePipes) {
  const auto pipes = [](Position source, Position destination) {
    const QueuePipes p = PipesOf(Queue(source, destination, 1));
    return npu::EventName({p.producer, p.consumer, 0, 0});
  };
  EXPECT_EQ(pipes(Position::kGm, Position::kVecIn), "MTE2_V");
  EXPECT_EQ(pipes(Position::kVecOut, Position::kGm), "V_MTE3");
  EXPECT_EQ(pipes(Position::kVecIn, Position::kVecOut), "MTE2_MTE3");
  EXPECT_EQ(pipes(Position::kGm, Position::kA1), "MTE2_MTE1");
  EXPECT_EQ(pipes(Position::kA1, Position::kA2), "MTE1_M");
  EXPECT_EQ(pipes(Position::kC1, Position::kC2), "MTE1_M");
  EXPECT_EQ(pipes(Position::kCo1, Position::kGm), "M_FIX");
}

TEST_F(QueueTest, BuffersLieBehindOneAnotherInBlocksOf32Bytes) {
  Run([](Device& device) {
    abi::PipeState pipe;
    abi::QueueState a = Queue(Position::kGm, Position::kVecIn, 1);
    abi::QueueState b = Queue(Position::kVecOut, Position::kGm, 1);
    InitPipe(device, pipe);
    InitBuffer(device, pipe, a, 2, 100, 0);
    InitBuffer(device, pipe, b, 1, 1, 0);
    const uint64_t base = device.chip().on_chip().Base(
        device.current()->core->slot, abi::Memory::kUb);
    EXPECT_EQ(a.buffer[0].address, base);
    EXPECT_EQ(a.buffer[1].address, base + 128);
    EXPECT_EQ(b.buffer[0].address, base + 256);
    EXPECT_EQ(b.bytes, 32u);
    ResetPipe(device, pipe, 0);
    InitBuffer(device, pipe, b, 1, 1, 0);
    EXPECT_EQ(b.buffer[0].address, base);
  });
  EXPECT_TRUE(codes_.empty());
}

// Each misuse in a kernel of its own.
TEST_F(QueueTest, MisuseIsTrapped) {
  const auto with_queue =
      [this](uint8_t depth, uint32_t buffers, uint32_t bytes,
             std::function<void(Device&, abi::QueueState&)> work) {
        codes_.clear();
        Run([&](Device& device) {
          abi::PipeState pipe;
          abi::QueueState queue = Queue(Position::kGm, Position::kVecIn, depth);
          InitPipe(device, pipe);
          InitBuffer(device, pipe, queue, buffers, bytes, 0);
          work(device, queue);
        });
        return codes_.empty() ? "" : codes_[0];
      };
  const auto nothing = [](Device&, abi::QueueState&) {};
  EXPECT_EQ(with_queue(1, 2, 98304, nothing), "");
  EXPECT_EQ(with_queue(1, 2, 98305, nothing), "BLY-Q103");
  EXPECT_EQ(with_queue(1, 0, 32, nothing), "BLY-Q105");
  EXPECT_EQ(with_queue(1, 17, 32, nothing), "BLY-Q105");
  EXPECT_EQ(with_queue(1, 1, 32,
                       [](Device& device, abi::QueueState& queue) {
                         AllocTensor(device, queue, 0);
                         AllocTensor(device, queue, 0);
                       }),
            "BLY-Q101");
  EXPECT_EQ(with_queue(1, 1, 32,
                       [](Device& device, abi::QueueState& queue) {
                         DeQue(device, queue, 0);
                       }),
            "BLY-Q102");
  EXPECT_EQ(with_queue(1, 2, 32,
                       [](Device& device, abi::QueueState& queue) {
                         EnQue(device, queue, AllocTensor(device, queue, 0), 0);
                         EnQue(device, queue, AllocTensor(device, queue, 0), 0);
                       }),
            "BLY-Q106");
  EXPECT_EQ(with_queue(1, 1, 32,
                       [](Device& device, abi::QueueState& queue) {
                         FreeTensor(device, queue, 12345, 0);
                       }),
            "BLY-Q104");
  EXPECT_EQ(with_queue(1, 1, 32,
                       [](Device& device, abi::QueueState&) {
                         abi::QueueState never =
                             Queue(Position::kGm, Position::kVecIn, 1);
                         AllocTensor(device, never, 0);
                       }),
            "BLY-Q108");
}

// TBufPool::Reset ends what the pool's queues have under way: without it the
// next queue at the same place would overwrite what is still being read.
TEST_F(QueueTest, ResettingAPoolWaitsForTheReadersOfItsBuffers) {
  Run([&notes = notes_](Device& device) {
    abi::PipeState pipe;
    abi::PoolState first, second;
    abi::QueueState outside = Queue(Position::kGm, Position::kVecIn, 1);
    abi::QueueState in = Queue(Position::kGm, Position::kVecIn, 1);
    abi::QueueState out = Queue(Position::kVecOut, Position::kGm, 1);
    abi::QueueState next = Queue(Position::kGm, Position::kVecIn, 1);
    InitPipe(device, pipe);
    InitBuffer(device, pipe, outside, 1, 64, 0);
    InitPool(device, pipe, nullptr, first, Position::kVecCalc, 128, nullptr, 0);
    InitPool(device, pipe, nullptr, second, Position::kVecCalc, 128, &first, 0);
    InitPoolBuffer(device, first, in, 1, 64, 0);
    InitPoolBuffer(device, first, out, 1, 64, 0);
    const auto use = [&](abi::QueueState& queue) {
      const uint64_t tensor = AllocTensor(device, queue, 0);
      EnQue(device, queue, tensor, 0);
      FreeTensor(device, queue, DeQue(device, queue, 0), 0);
    };
    use(outside);
    use(in);
    use(out);
    notes.lines.clear();
    ResetPool(device, first, 0);
    EXPECT_EQ(notes.lines,
              (std::vector<std::string>{"ResetBuffers 0", "WaitFlag V_MTE21",
                                        "WaitFlag MTE3_V0"}));
    InitPoolBuffer(device, second, next, 1, 64, 0);
    notes.lines.clear();
    EXPECT_EQ(AllocTensor(device, next, 0), first.base);
    EXPECT_EQ(notes.lines, std::vector<std::string>{"AllocTensor 0"});
    // A queue of the pool goes on with the buffer it had; one outside waits
    // for its own event.
    notes.lines.clear();
    EXPECT_EQ(AllocTensor(device, in, 0), first.base);
    AllocTensor(device, outside, 0);
    EXPECT_EQ(notes.lines,
              (std::vector<std::string>{"AllocTensor 0", "WaitFlag V_MTE20",
                                        "AllocTensor 0"}));
  });
  EXPECT_TRUE(codes_.empty());
}

TEST_F(QueueTest, EventIdsAreReservedAndRunOut) {
  Run([](Device& device) {
    abi::PipeState pipe;
    InitPipe(device, pipe);
    EXPECT_EQ(TakeEvent(device, pipe, Pipe::kV, Pipe::kS, Reserve::kNo), 0);
    EXPECT_EQ(TakeEvent(device, pipe, Pipe::kV, Pipe::kS, Reserve::kForKernel),
              0);
    EXPECT_EQ(TakeEvent(device, pipe, Pipe::kV, Pipe::kS, Reserve::kNo), 1);
    for (int id = 1; id < 8; ++id) {
      EXPECT_EQ(
          TakeEvent(device, pipe, Pipe::kV, Pipe::kS, Reserve::kForKernel), id);
    }
    ReleaseEvent(pipe, Pipe::kV, Pipe::kS, 5);
    EXPECT_EQ(TakeEvent(device, pipe, Pipe::kV, Pipe::kS, Reserve::kForKernel),
              5);
    EXPECT_EQ(TakeEvent(device, pipe, Pipe::kS, Pipe::kV, Reserve::kForKernel),
              0);
    TakeEvent(device, pipe, Pipe::kV, Pipe::kS, Reserve::kForKernel);
  });
  EXPECT_EQ(codes_, std::vector<std::string>{"BLY-Q105"});
}

}  // namespace
}  // namespace belay::runtime
