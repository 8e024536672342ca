// SPDX-License-Identifier: Apache-2.0
// Launching: blocks, waves, meetings, fuel, faults. Kernels are plain functions
// here that call what the headers would call.

#include <gtest/gtest.h>

#include <cstring>

#include "belay/guest_abi.h"
#include "runtime/device.h"

namespace belay::runtime {
namespace {

struct Arguments {
  int32_t* place;
  int value;
};

std::vector<int> order;  // blocks as they pass

class DeviceTest : public ::testing::Test {
 protected:
  void Use(DeviceOptions options = {}) {
    device_ = std::make_unique<Device>(options);
    Device::Install(device_.get());
    device_->SetFaultSink(
        [this](npu::Fault fault) { faults_.push_back(fault.diagnostic); });
    order.clear();
  }
  ~DeviceTest() override { Device::Install(nullptr); }

  LaunchStatus Launch(void (*entry)(void*), int blocks,
                      const Arguments& arguments = {}) {
    return device_->Launch({"test", "vector", entry}, blocks, &arguments,
                           sizeof arguments);
  }

  int32_t* Integers(int count) {
    return reinterpret_cast<int32_t*>(
        device_->chip().global().Allocate(count * sizeof(int32_t)));
  }

  std::unique_ptr<Device> device_;
  std::vector<Diagnostic> faults_;
};

TEST_F(DeviceTest, EveryBlockRunsOnceWithItsOwnArguments) {
  Use();
  int32_t* out = Integers(1000);
  const auto kernel = [](void* raw) {
    auto& arguments = *static_cast<Arguments*>(raw);
    arguments.value += static_cast<int>(belay_block_index());
    auto* at = arguments.place + belay_block_index();
    *static_cast<int32_t*>(belay_write(at, 4)) = arguments.value;
  };
  EXPECT_EQ(Launch(kernel, 1000, {out, 7}), LaunchStatus::kOk);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(out[i], 7 + i);
}

void NoteOrder(void*) {
  order.push_back(static_cast<int>(belay_block_index()));
}

TEST_F(DeviceTest, BlocksTakeTurnsAsScheduled) {
  Use();
  Launch(NoteOrder, 50);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(order[i], i);

  DeviceOptions options;
  options.schedule = Schedule::kReverse;
  device_.reset();
  Use(options);
  Launch(NoteOrder, 50);
  EXPECT_EQ(order[0], 47);  // the first wave, from its end
  EXPECT_EQ(order[47], 0);
  EXPECT_EQ(order[48], 49);

  options.schedule = Schedule::kSeeded;
  options.seed = 5;
  device_.reset();
  Use(options);
  Launch(NoteOrder, 48);
  const std::vector<int> first = order;
  device_.reset();
  Use(options);
  Launch(NoteOrder, 48);
  EXPECT_EQ(order, first);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
}

void MeetOnce(void*) {
  order.push_back(static_cast<int>(belay_block_index()));
  abi::Instruction all{};
  all.op = abi::Op::kSyncAll;
  belay_issue(&all);
  order.push_back(100 + static_cast<int>(belay_block_index()));
}

TEST_F(DeviceTest, SyncAllLetsNobodyPassBeforeAllArrived) {
  Use();
  EXPECT_EQ(Launch(MeetOnce, 48), LaunchStatus::kOk);
  ASSERT_EQ(order.size(), 96u);
  for (int i = 0; i < 48; ++i) EXPECT_LT(order[i], 100);
  for (int i = 48; i < 96; ++i) EXPECT_GE(order[i], 100);
}

TEST_F(DeviceTest, SyncAllWithMoreBlocksThanCoresIsADeadlock) {
  Use();
  EXPECT_EQ(Launch(MeetOnce, 49), LaunchStatus::kVectorCoreTimeout);
  ASSERT_EQ(faults_.size(), 1u);
  EXPECT_EQ(faults_[0].code, "BLY-S103");
}

void CleanCache(void* address) {
  abi::Instruction clean{};
  clean.op = abi::Op::kDataCacheCleanAndInvalid;
  clean.cache.address = reinterpret_cast<uint64_t>(address);
  belay_issue(&clean);
}

// Block 1 waits until block 0 wrote, by polling past its cache.
void Poll(void* raw) {
  auto* flag = static_cast<Arguments*>(raw)->place;
  if (belay_block_index() == 1) {
    while (*static_cast<const int32_t*>(belay_read(flag, 4)) != 42) {
      CleanCache(flag);
    }
    order.push_back(1);
  } else {
    order.push_back(0);
    *static_cast<int32_t*>(belay_write(flag, 4)) = 42;
    CleanCache(flag);
  }
}

TEST_F(DeviceTest, APollingBlockLetsTheOthersRun) {
  DeviceOptions options;
  options.schedule = Schedule::kReverse;
  Use(options);
  int32_t* flag = Integers(1);
  EXPECT_EQ(Launch(Poll, 2, {flag, 0}), LaunchStatus::kOk);
  EXPECT_EQ(order, (std::vector<int>{0, 1}));
}

// The same with accesses that do not use the cache.
void PollDirectly(void* raw) {
  auto* flag = static_cast<Arguments*>(raw)->place;
  if (belay_block_index() == 1) {
    while (*static_cast<const int32_t*>(belay_read_direct(flag, 4)) != 42) {
    }
  } else {
    *static_cast<int32_t*>(belay_write_direct(flag, 4)) = 42;
  }
}

// A read that sees what another block wrote must be announced behind the
// write, or checkers take the two for unordered.
TEST_F(DeviceTest, ObserversHearOfAPollWhereItTakesPlace) {
  class Accesses : public npu::Observer {
   public:
    void OnScalar(const npu::ScalarEvent& event) override {
      last_is_read = !event.write;
      writes += event.write ? 1 : 0;
    }
    bool last_is_read = false;
    int writes = 0;
  } accesses;
  DeviceOptions options;
  options.schedule = Schedule::kReverse;
  for (const auto kernel : {Poll, PollDirectly}) {
    device_.reset();
    Use(options);
    accesses = {};
    device_->chip().AddObserver(&accesses);
    int32_t* flag = Integers(1);
    EXPECT_EQ(Launch(kernel, 2, {flag, 0}), LaunchStatus::kOk);
    EXPECT_EQ(accesses.writes, 1);
    EXPECT_TRUE(accesses.last_is_read);
  }
}

// Without cleaning its cache a block never sees what another one stores.
void ReadTwice(void* raw) {
  auto* place = static_cast<Arguments*>(raw)->place;
  const auto read = [&] {
    return *static_cast<const int32_t*>(belay_read(place, 4));
  };
  abi::Instruction all{};
  all.op = abi::Op::kSyncAll;
  if (belay_block_index() == 0) {
    order.push_back(read());
    belay_issue(&all);
    belay_issue(&all);
    order.push_back(read());
    CleanCache(place);
    order.push_back(read());
  } else {
    belay_issue(&all);
    *static_cast<int32_t*>(belay_write(place, 4)) = 5;
    CleanCache(place);
    belay_issue(&all);
  }
}

TEST_F(DeviceTest, DataCachesAreNotCoherent) {
  Use();
  int32_t* place = Integers(16);
  *place = 3;
  EXPECT_EQ(Launch(ReadTwice, 2, {place, 0}), LaunchStatus::kOk);
  EXPECT_EQ(order, (std::vector<int>{3, 3, 5}));
}

void LoopForEver(void*) {
  for (;;) {
    belay_budget -= 1000;
    if (belay_budget < 0) belay_tick();
  }
}

TEST_F(DeviceTest, FuelEndsAnEndlessLoop) {
  DeviceOptions options;
  options.fuel = 50'000'000;
  Use(options);
  EXPECT_EQ(Launch(LoopForEver, 3), LaunchStatus::kVectorCoreTimeout);
  ASSERT_EQ(faults_.size(), 1u);
  EXPECT_EQ(faults_[0].code, "BLY-G104");
  // The device is usable afterwards.
  EXPECT_EQ(Launch(NoteOrder, 3), LaunchStatus::kOk);
  EXPECT_EQ(order.size(), 3u);
}

void FailInBlockTwo(void*) {
  NoteOrder(nullptr);
  if (belay_block_index() == 2) belay_trap();
}

TEST_F(DeviceTest, AFaultEndsTheLaunchWithOneDiagnostic) {
  Use();
  EXPECT_EQ(Launch(FailInBlockTwo, 100), LaunchStatus::kVectorCoreException);
  ASSERT_EQ(faults_.size(), 1u);
  EXPECT_EQ(faults_[0].code, "BLY-G107");
  EXPECT_EQ(faults_[0].core, "aiv 2");
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

void DivideByZero(void*) {
  NoteOrder(nullptr);
  for (int i = 0; i < 3; ++i) belay_divide_by_zero(i + 5, i % 2);
}

TEST_F(DeviceTest, ADivisionByZeroIsWarnedOfOnceAPlaceWithACount) {
  Use();
  EXPECT_EQ(Launch(DivideByZero, 4), LaunchStatus::kOk);
  EXPECT_EQ(order.size(), 4u);
  ASSERT_EQ(faults_.size(), 1u);
  EXPECT_EQ(faults_[0].code, "BLY-G103");
  EXPECT_EQ(faults_[0].severity, Severity::kWarning);
  EXPECT_EQ(faults_[0].core, "aiv 0");
  EXPECT_NE(faults_[0].message.find("[/] division by zero"), std::string::npos);
  ASSERT_EQ(faults_[0].notes.size(), 2u);
  EXPECT_EQ(faults_[0].notes[0].message, "the dividend was 5 the first time");
  EXPECT_EQ(faults_[0].notes[1].message, "seen 12 times");
  // A later launch does not tell it again.
  EXPECT_EQ(Launch(DivideByZero, 4), LaunchStatus::kOk);
  EXPECT_EQ(faults_.size(), 1u);
}

// What a wave leaves in UB and flags, the next one finds.
void LeaveTraces(void* raw) {
  auto* out = static_cast<Arguments*>(raw)->place;
  auto* ub = reinterpret_cast<int32_t*>(belay_memory_base(abi::Memory::kUb));
  out[belay_block_index()] = *ub;
  *ub = static_cast<int32_t>(belay_block_index());
}

TEST_F(DeviceTest, WavesShareTheirCoresAndLaunchesStartPoisoned) {
  Use();
  int32_t* out = Integers(50);
  Launch(LeaveTraces, 50, {out, 0});
  EXPECT_EQ(out[0], -1);
  EXPECT_EQ(out[47], -1);
  EXPECT_EQ(out[48], 0);
  EXPECT_EQ(out[49], 1);
  Launch(LeaveTraces, 1, {out, 0});
  EXPECT_EQ(out[0], -1);
}

}  // namespace
}  // namespace belay::runtime
