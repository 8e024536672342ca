// SPDX-License-Identifier: Apache-2.0
// The race checker against the naive detector on random kernels: both find the
// first race at the same instruction, or none.

#include <array>
#include <cstring>
#include <random>

#include "check/race.h"
#include "naive_race.h"
#include "support.h"

namespace belay::check::test_race_property {
namespace {

using abi::DType;
using abi::Op;
using abi::Pipe;

constexpr int kCores = 3;

class RandomKernel : public CheckTest {
 protected:
  uint64_t Below(uint64_t limit) { return random_() % limit; }
  bool Chance(uint64_t percent) { return Below(100) < percent; }
  template <typename T>
  T OneOf(std::initializer_list<T> values) {
    return values.begin()[Below(values.size())];
  }

  abi::Operand RandomUb(int core) {
    abi::Operand operand = At(Below(40) * 32, DType::kFloat, core);
    operand.raw = Chance(10);
    return operand;
  }
  uint64_t RandomGm(int core) {
    // Mostly a part of its own.
    const uint64_t part = Chance(shared_) ? Below(kCores + 1) : core;
    return gm_ + part * 512 + Below(8) * 32;
  }

  void IssueMove(int core) {
    const uint32_t bytes = static_cast<uint32_t>(1 + Below(4)) * 32;
    const uint32_t blocks = static_cast<uint32_t>(1 + Below(3));
    const int64_t gap = static_cast<int64_t>(Below(2)) * 32;
    const int64_t other_gap = static_cast<int64_t>(Below(2)) * 32;
    abi::Operand ub = RandomUb(core);
    abi::Operand gm = Gm(RandomGm(core));
    Issue(Chance(50) ? Move(ub, gm, bytes, blocks, gap, other_gap)
                     : Move(gm, ub, bytes, blocks, gap, other_gap),
          ++pc_, core);
  }
  void IssueVector(int core) {
    const Op op = OneOf({Op::kDuplicate, Op::kAdds, Op::kAdd});
    abi::Instruction record = Binary(op, RandomUb(core), RandomUb(core),
                                     RandomUb(core), 1 + Below(100));
    if (op == Op::kDuplicate) record.src0 = {};
    if (op != Op::kAdd) record.src1 = {};
    if (Chance(30)) {
      record.form = abi::Form::kContinuous;
      record.count = 64;
      record.repeat = static_cast<uint32_t>(1 + Below(3));
      for (abi::Operand* operand : {&record.dst, &record.src0, &record.src1}) {
        operand->block_stride = static_cast<uint32_t>(1 + Below(3));
        operand->repeat_stride = static_cast<uint32_t>(Below(12));
      }
    }
    Issue(record, ++pc_, core);
  }
  void AccessScalar(int core) {
    const bool global = Chance(30);
    const uint64_t at =
        global ? RandomGm(core) + Below(8) * 4 : Ub(Below(320) * 4, core);
    const uint64_t bytes = OneOf<uint64_t>({1, 2, 4});
    const bool write = Chance(50);
    if (global && Chance(30)) {
      chip_.AccessDirect(Core(core), at, bytes, write, ++pc_);
    } else if (write) {
      Store(at, bytes, ++pc_, Chance(70), core);
    } else {
      Load(at, bytes, ++pc_, Chance(70), core);
    }
  }
  void Synchronise(int core) {
    switch (Below(5)) {
      case 0: {
        const Pipe pipe =
            OneOf({Pipe::kV, Pipe::kMte2, Pipe::kMte3, Pipe::kAll});
        abi::Instruction barrier{};
        barrier.op = Op::kPipeBarrier;
        barrier.sync = {pipe, pipe, 0, 0};
        Issue(barrier, ++pc_, core);
        return;
      }
      case 1: {
        abi::Instruction barrier{};
        barrier.op = Op::kDataSyncBarrier;
        barrier.sync = {Pipe::kS, Pipe::kS, 0, 0};
        Issue(barrier, ++pc_, core);
        return;
      }
      default: {
        const Pipe from = OneOf({Pipe::kS, Pipe::kV, Pipe::kMte2, Pipe::kMte3});
        const Pipe to = OneOf({Pipe::kS, Pipe::kV, Pipe::kMte2, Pipe::kMte3});
        const auto id = static_cast<uint32_t>(Below(2));
        const abi::Instruction set = Flag(Op::kSetFlag, from, to, id);
        const bool is_set = Core(core).flags.IsSet(set.sync);
        if (!is_set) Issue(set, ++pc_, core);
        if (is_set || Chance(60)) {
          Issue(Flag(Op::kWaitFlag, from, to, id), ++pc_, core);
        }
        return;
      }
    }
  }
  abi::Instruction BlockSync(Op op, uint32_t id, uint32_t block) {
    abi::Instruction record{};
    record.op = op;
    record.dst = Gm(gm_ + 8192, DType::kInt32);
    record.sync = {Pipe::kAll, Pipe::kAll, id, block};
    return record;
  }
  // Every core sets a flag, each for a pipe of its own choice; some time later
  // all wait for it.
  void PassFlag() {
    const auto id = static_cast<uint32_t>(Below(2));
    const bool sets = !passing_[id];
    passing_[id] = sets;
    for (int i = 0; i < kCores; ++i) {
      abi::Instruction flag{};
      flag.op = sets ? Op::kCrossCoreSetFlag : Op::kCrossCoreWaitFlag;
      flag.sync = {
          sets ? OneOf({Pipe::kV, Pipe::kMte2, Pipe::kMte3}) : Pipe::kAll,
          Pipe::kAll, id, 0};
      Issue(flag, ++pc_, i);
      if (!sets) chip_.NotifyWaited(Core(i), flag);
    }
  }
  void SynchroniseBlocks(int core) {
    if (Chance(40)) return PassFlag();
    if (Chance(50)) {
      const abi::Instruction meeting = BlockSync(Op::kSyncAll, 0, 0);
      ++pc_;
      for (int i = 0; i < kCores; ++i) Issue(meeting, pc_, i);
      for (int i = 0; i < kCores; ++i) chip_.NotifyWaited(Core(i), meeting);
      return;
    }
    if (Chance(50)) {
      const auto id = static_cast<uint32_t>(Below(2));
      Issue(BlockSync(Op::kIbSet, id, 0), ++pc_, core);
      const auto other = static_cast<int>(Below(kCores));
      const abi::Instruction wait = BlockSync(Op::kIbWait, id, 0);
      Issue(wait, ++pc_, other);
      chip_.NotifyWaited(Core(other), wait);
      return;
    }
    const abi::Instruction wait = BlockSync(Op::kWaitPreBlock, 0, 0);
    Issue(BlockSync(Op::kNotifyNextBlock, 0, 0), ++pc_, core);
    const int next = (core + 1) % kCores;
    Issue(wait, ++pc_, next);
    chip_.NotifyWaited(Core(next), wait);
  }
  void SetAtomic(int core) {
    abi::Instruction set{};
    set.op = Op::kSetAtomic;
    set.mode = static_cast<uint8_t>(Below(3));
    set.dst.dtype = OneOf({DType::kFloat, DType::kInt32});
    Issue(set, ++pc_, core);
  }

  void Step() {
    const auto core = static_cast<int>(Below(kCores));
    if (Chance(care_)) {
      abi::Instruction barrier{};
      barrier.op = Op::kPipeBarrier;
      barrier.sync = {Pipe::kAll, Pipe::kAll, 0, 0};
      Issue(barrier, ++pc_, core);
    }
    const uint64_t dice = Below(100);
    if (dice < 25) return IssueMove(core);
    if (dice < 50) return IssueVector(core);
    if (dice < 62) return AccessScalar(core);
    if (dice < 92) return Synchronise(core);
    if (dice < 97) return SynchroniseBlocks(core);
    SetAtomic(core);
  }

  // Races of pipes and cores; the data cache has rules of its own.
  std::vector<NaiveRaces::Race> Unordered() const {
    std::vector<NaiveRaces::Race> races;
    for (const Findings::Entry& entry : findings_.entries()) {
      if (entry.fault.diagnostic.code <= "BLY-R105") {
        races.push_back({entry.fault.pc, entry.fault.notes[0].pc});
      }
    }
    return races;
  }

  void Compare(bool auto_sync);

  std::mt19937_64 random_;
  uint64_t gm_ = 0;
  uint64_t pc_ = 0;
  std::array<bool, 2> passing_{};  // flags that were set and not waited for
  uint64_t shared_ = 0;
  uint64_t care_ = 0;
};

void RandomKernel::Compare(bool auto_sync) {
  const uint64_t seed = SeedOr(20240601);
  gm_ = chip_.global().Allocate(16384);
  RaceChecker checker(chip_, findings_, {auto_sync, false});
  NaiveRaces naive(chip_, auto_sync);
  chip_.AddObserver(&checker);
  chip_.AddObserver(&naive);
  int with_race = 0;
  int without = 0;
  uint64_t steps = 0;
  for (int number = 0; number < 600; ++number) {
    random_.seed(seed * 1000003 + number);
    shared_ = OneOf<uint64_t>({0, 10, 50});
    care_ = OneOf<uint64_t>({0, 40, 80, 95, 100});
    pc_ = 100;
    passing_ = {};
    findings_.Clear();
    Launch(kCores);
    bool race = false;
    for (int step = 0; step < 60 && !race; ++step, ++steps) {
      Step();
      const std::vector<NaiveRaces::Race> found = Unordered();
      race = !found.empty() || !naive.races().empty();
      if (!race) continue;
      ASSERT_FALSE(found.empty())
          << "missed at place " << naive.races().begin()->later << " against "
          << naive.races().begin()->earlier << ", kernel " << number
          << ", seed " << seed;
      for (const NaiveRaces::Race& each : found) {
        ASSERT_EQ(naive.races().count(each), 1u)
            << "false alarm at place " << each.later << " against "
            << each.earlier << ", kernel " << number << ", seed " << seed;
      }
    }
    ++(race ? with_race : without);
  }
  EXPECT_GT(with_race, 100);
  EXPECT_GT(without, 50);
  EXPECT_GT(steps, 6000u);
}

TEST_F(RandomKernel, AgreesWithAutoSync) { Compare(true); }

TEST_F(RandomKernel, AgreesWithoutAutoSync) { Compare(false); }

}  // namespace
}  // namespace belay::check::test_race_property
