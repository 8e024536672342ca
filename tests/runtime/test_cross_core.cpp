// SPDX-License-Identifier: Apache-2.0
// Launches on cube and vector cores together, and the flags between cores:
// counters against a naive model, random programs that must not deadlock, what
// is said about those that do.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "base/error.h"
#include "belay/guest_abi.h"
#include "runtime/device.h"

namespace belay::runtime {
namespace {

using npu::LaunchShape;
using npu::Participant;

Participant Self() {
  return npu::ParticipantOf(*Device::Get()->current()->core);
}

void Set(uint32_t mode, uint32_t id, abi::Pipe pipe = abi::Pipe::kMte3) {
  abi::Instruction set{};
  set.op = abi::Op::kCrossCoreSetFlag;
  set.mode = static_cast<uint8_t>(mode);
  set.sync = {pipe, abi::Pipe::kAll, id, 0};
  belay_issue(&set);
}

void Wait(uint32_t id) {
  abi::Instruction wait{};
  wait.op = abi::Op::kCrossCoreWaitFlag;
  wait.sync = {abi::Pipe::kAll, abi::Pipe::kAll, id, 0};
  belay_issue(&wait);
}

void Meet(bool with_cubes, uint32_t first = 0) {
  abi::Instruction all{};
  all.op = abi::Op::kSyncAll;
  all.mode = with_cubes ? 1 : 0;
  all.sync = {abi::Pipe::kAll, abi::Pipe::kAll, first, 0};
  belay_issue(&all);
}

class CrossCore : public ::testing::Test {
 protected:
  void Use(DeviceOptions options = {}) {
    device_.reset();
    device_ = std::make_unique<Device>(options);
    Device::Install(device_.get());
    faults_.clear();
    device_->SetFaultSink(
        [this](npu::Fault fault) { faults_.push_back(std::move(fault)); });
  }
  ~CrossCore() override { Device::Install(nullptr); }

  LaunchStatus Launch(const char* kind, int blocks, void (*entry)(void*),
                      void (*cube_entry)(void*) = nullptr) {
    return device_->Launch({"test", kind, entry, cube_entry}, blocks, nullptr,
                           0);
  }

  std::string FirstMessage() const {
    return faults_.empty() ? "" : faults_[0].diagnostic.message;
  }

  std::unique_ptr<Device> device_;
  std::vector<npu::Fault> faults_;
};

// What a core says about itself.
struct Identity {
  int64_t block;
  int64_t subblock;
  int64_t subblocks;
  int64_t ratio;
  bool cube;
  bool by_cube_entry;
  auto operator<=>(const Identity&) const = default;
};
std::set<Identity> identities;

void NoteIdentity(bool by_cube_entry) {
  EXPECT_EQ(belay_block_count(), 3);
  identities.insert({belay_block_index(), belay_subblock_index(),
                     belay_subblock_count(), belay_task_ratio(),
                     belay_core_is_cube() != 0, by_cube_entry});
}

TEST_F(CrossCore, EveryKindStartsItsCores) {
  Use();
  const auto run = [this](const char* kind) {
    identities.clear();
    EXPECT_EQ(Launch(
                  kind, 3, [](void*) { NoteIdentity(false); },
                  [](void*) { NoteIdentity(true); }),
              LaunchStatus::kOk);
    return identities;
  };
  const auto cubes = [](int64_t block) {
    return Identity{block, 0, 1, 1, true, true};
  };
  const auto vectors = [](int64_t block, int64_t of_block) {
    return Identity{block, block % of_block, of_block, of_block, false, false};
  };
  for (const char* kind : {"aicore", "vector", "mix:0:1"}) {
    EXPECT_EQ(run(kind), (std::set<Identity>{vectors(0, 1), vectors(1, 1),
                                             vectors(2, 1)}));
  }
  for (const char* kind : {"cube", "mix:1:0"}) {
    EXPECT_EQ(run(kind), (std::set<Identity>{cubes(0), cubes(1), cubes(2)}));
  }
  EXPECT_EQ(run("mix:1:1"),
            (std::set<Identity>{cubes(0), cubes(1), cubes(2), vectors(0, 1),
                                vectors(1, 1), vectors(2, 1)}));
  EXPECT_EQ(run("mix:1:2"),
            (std::set<Identity>{cubes(0), cubes(1), cubes(2), vectors(0, 2),
                                vectors(1, 2), vectors(2, 2), vectors(3, 2),
                                vectors(4, 2), vectors(5, 2)}));
}

TEST_F(CrossCore, OneEntryMayServeBothTypes) {
  Use();
  identities.clear();
  EXPECT_EQ(Launch("mix:1:1", 3, [](void*) { NoteIdentity(false); }),
            LaunchStatus::kOk);
  EXPECT_EQ(identities.size(), 6u);
}

int runs = 0;

TEST_F(CrossCore, MoreBlocksThanCoresRunInWaves) {
  Use();
  runs = 0;
  EXPECT_EQ(Launch("mix:1:2", 100,
                   [](void*) {
                     ++runs;
                     // Inside a block, flags work in every wave.
                     if (Self().cube) {
                       Wait(1);
                     } else {
                       Set(2, 1);
                     }
                   }),
            LaunchStatus::kOk);
  EXPECT_EQ(runs, 300);
  EXPECT_EQ(Launch("mix:1:2", 25, [](void*) { Set(0, 1); }),
            LaunchStatus::kCubeCoreTimeout);
  EXPECT_EQ(faults_.back().diagnostic.code, "BLY-S103");
}

TEST_F(CrossCore, AnUnknownKindIsRefused) {
  Use();
  EXPECT_THROW(Launch("mix:2:1", 1, [](void*) {}), UserError);
}

// --- counters ---------------------------------------------------------------

// The documents' words, as loops over all cores.
class NaiveFlags {
 public:
  explicit NaiveFlags(LaunchShape shape) : shape_(shape) {}

  void Set(const Participant& setter, uint32_t mode, uint32_t id) {
    ++sets_[{setter, mode, id}];
    const auto in_group = [&](const Participant& other) {
      return shape_.BlockOf(other) == shape_.BlockOf(setter);
    };
    const auto gathers = [&](const Participant& other) {
      if (mode == 0) return other.cube == setter.cube;
      if (mode == 1) return !other.cube && in_group(other);
      return other.cube == setter.cube && in_group(other);
    };
    const auto is_told = [&](const Participant& other) {
      if (mode == 0) return other.cube == setter.cube;
      if (mode == 1) return !other.cube && in_group(other);
      return other.cube != setter.cube && in_group(other);
    };
    for (const Participant& other : All()) {
      if (gathers(other) && sets_[{other, mode, id}] == 0) return;
    }
    for (const Participant& other : All()) {
      if (gathers(other)) --sets_[{other, mode, id}];
      if (is_told(other)) ++counts_[{other, id}];
    }
  }

  int Count(const Participant& core, uint32_t id) {
    return counts_[{core, id}];
  }
  void Take(const Participant& core, uint32_t id) { --counts_[{core, id}]; }

  std::vector<Participant> All() const {
    std::vector<Participant> all;
    for (int i = 0; i < shape_.blocks * shape_.cube; ++i)
      all.push_back({true, i});
    for (int i = 0; i < shape_.blocks * shape_.vector; ++i) {
      all.push_back({false, i});
    }
    return all;
  }

 private:
  LaunchShape shape_;
  std::map<std::tuple<Participant, uint32_t, uint32_t>, int> sets_;
  std::map<std::pair<Participant, uint32_t>, int> counts_;
};

TEST(CrossCoreFlags, CountAsTheDocumentsSay) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const LaunchShape shape{static_cast<int>(random() % 2),
                            1 + static_cast<int>(random() % 2),
                            1 + static_cast<int>(random() % 3)};
    NaiveFlags naive(shape);
    Flags flags(shape);
    const std::vector<Participant> all = naive.All();
    for (int step = 0; step < 400; ++step) {
      const Participant core = all[random() % all.size()];
      const auto id = static_cast<uint32_t>(random() % 3);
      uint32_t mode = static_cast<uint32_t>(random() % 3);
      if (core.cube && mode == 1) mode = 0;
      if (random() % 3 != 0) {
        naive.Set(core, mode, id);
        flags.Set(core, mode, id, step);
      } else if (naive.Count(core, id) > 0) {
        naive.Take(core, id);
        flags.Take(core, id);
      }
      for (const Participant& other : all) {
        for (uint32_t i = 0; i < 3; ++i) {
          ASSERT_EQ(flags.CountOf(other, i), naive.Count(other, i)) << step;
        }
      }
    }
  }
}

// --- programs ---------------------------------------------------------------

// One use of a flag: some cores set it, some wait for it.
struct Use {
  uint32_t mode;
  uint32_t id;
  Participant setter;  // one of them
};
struct Action {
  bool sets;
  int use;
};
struct Program {
  std::vector<Use> uses;
  npu::CrossCoreModes modes{LaunchShape{}};
  std::map<Participant, std::vector<Action>> actions;
  std::set<std::pair<int, Participant>> done;  // sets made so far
  int waits = 0;
  int early = 0;  // waits that were over before all had set
};
Program program;

// Uses in one order on all cores, so that carrying them out one by one is a
// legal run. Ids of different modes differ.
void MakeProgram(uint64_t seed, const LaunchShape& shape) {
  std::mt19937_64 random(seed);
  program = Program{};
  program.modes = npu::CrossCoreModes(shape);
  for (int i = 0; i < 300; ++i) {
    Use use;
    use.mode = static_cast<uint32_t>(random() % 3);
    use.id = use.mode + 3 * static_cast<uint32_t>(random() % 3);
    const bool cube = use.mode != 1 && random() % 2 == 0;
    use.setter = {cube, static_cast<int>(random() %
                                         (shape.blocks * shape.PartsOf(cube)))};
    const int index = static_cast<int>(program.uses.size());
    program.uses.push_back(use);
    for (const Participant& core :
         program.modes.Setters(use.setter, use.mode)) {
      program.actions[core].push_back({true, index});
    }
    for (const Participant& core : program.modes.Told(use.setter, use.mode)) {
      program.actions[core].push_back({false, index});
    }
  }
}

void RunProgram(void*) {
  const Participant self = Self();
  for (const Action& action : program.actions[self]) {
    const Use use = program.uses[action.use];
    if (action.sets) {
      program.done.insert({action.use, self});
      Set(use.mode, use.id);
      continue;
    }
    Wait(use.id);
    ++program.waits;
    for (const Participant& setter :
         program.modes.Setters(use.setter, use.mode)) {
      program.early += program.done.contains({action.use, setter}) ? 0 : 1;
    }
  }
}

TEST_F(CrossCore, RandomProgramsEndUnderEverySchedule) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    for (const Schedule schedule :
         {Schedule::kForward, Schedule::kReverse, Schedule::kSeeded}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << " schedule "
                                      << static_cast<int>(schedule));
      DeviceOptions options;
      options.schedule = schedule;
      options.seed = seed;
      Use(options);
      const int blocks = 1 + static_cast<int>(seed % 4);
      const bool two = seed % 2 == 0;
      MakeProgram(seed, {1, two ? 2 : 1, blocks});
      int expected = 0;
      for (const auto& [core, actions] : program.actions) {
        expected += static_cast<int>(
            std::count_if(actions.begin(), actions.end(),
                          [](const Action& action) { return !action.sets; }));
      }
      EXPECT_EQ(Launch(two ? "mix:1:2" : "mix:1:1", blocks, RunProgram),
                LaunchStatus::kOk)
          << FirstMessage();
      EXPECT_EQ(program.waits, expected);
      EXPECT_EQ(program.early, 0);
    }
  }
}

TEST_F(CrossCore, IdsAreTakenByTheirLowFourBits) {
  Use();
  EXPECT_EQ(Launch("mix:1:1", 1,
                   [](void*) {
                     if (Self().cube) {
                       Set(2, 3, abi::Pipe::kFix);
                     } else {
                       Wait(19);
                     }
                   }),
            LaunchStatus::kOk);
}

// --- meetings ---------------------------------------------------------------

std::vector<Participant> passed;

TEST_F(CrossCore, SyncAllIsForVectorCoresOrForAll) {
  Use();
  passed.clear();
  EXPECT_EQ(Launch("mix:1:2", 4,
                   [](void*) {
                     Meet(true);
                     passed.push_back(Self());
                     // Cube cores do not stay for this one.
                     Meet(false);
                     if (!Self().cube) passed.push_back(Self());
                   }),
            LaunchStatus::kOk);
  EXPECT_EQ(passed.size(), 12u + 8u);
}

TEST_F(CrossCore, SyncAllOfTheFirstBlocks) {
  Use();
  passed.clear();
  EXPECT_EQ(Launch("vector", 8,
                   [](void*) {
                     if (Self().index < 3) Meet(false, 3);
                     passed.push_back(Self());
                   }),
            LaunchStatus::kOk);
  EXPECT_EQ(passed.size(), 8u);
}

TEST_F(CrossCore, SyncAllForAllHangsWithoutCubeCores) {
  Use();
  EXPECT_EQ(Launch("vector", 2, [](void*) { Meet(true); }),
            LaunchStatus::kVectorCoreTimeout);
  ASSERT_EQ(faults_.size(), 1u);
  EXPECT_EQ(faults_[0].diagnostic.code, "BLY-S102");
  ASSERT_EQ(faults_[0].notes.size(), 1u);
  EXPECT_NE(faults_[0].notes[0].message.find("isAIVOnly = false"),
            std::string::npos)
      << faults_[0].notes[0].message;
}

// --- what goes wrong --------------------------------------------------------

TEST_F(CrossCore, ADeadlockNamesWhoHasNotSet) {
  Use();
  EXPECT_EQ(Launch("mix:1:2", 1,
                   [](void*) {
                     if (Self().cube) {
                       Wait(4);
                     } else if (Self().index == 0) {
                       Set(2, 4);
                     }
                   }),
            LaunchStatus::kCubeCoreTimeout);
  ASSERT_EQ(faults_.size(), 1u);
  EXPECT_EQ(faults_[0].diagnostic.code, "BLY-S102");
  EXPECT_EQ(FirstMessage(),
            "deadlock: 1 of 3 cores wait in CrossCoreWaitFlag and 2 ended "
            "without it");
  ASSERT_EQ(faults_[0].notes.size(), 1u);
  EXPECT_EQ(faults_[0].notes[0].message,
            "aic 0 waits in CrossCoreWaitFlag for flag 4, which only aiv 1 "
            "could set: it ended without it");
}

TEST_F(CrossCore, ACircleOfCoresIsNamed) {
  Use();
  EXPECT_EQ(Launch("mix:1:1", 1,
                   [](void*) {
                     Wait(1);
                     Set(2, 1);
                   }),
            LaunchStatus::kCubeCoreTimeout);
  EXPECT_EQ(FirstMessage(),
            "deadlock: 2 of 2 cores wait in CrossCoreWaitFlag and 0 ended "
            "without it; aic 0 waits for aiv 0, that for aic 0");
}

TEST_F(CrossCore, ACounterThatNobodyTakesDownOverflows) {
  for (const Schedule schedule : {Schedule::kForward, Schedule::kReverse}) {
    DeviceOptions options;
    options.schedule = schedule;
    Use(options);
    EXPECT_EQ(Launch("mix:1:1", 1,
                     [](void*) {
                       for (int i = 0; Self().cube && i < 16; ++i) {
                         Set(2, 1, abi::Pipe::kFix);
                       }
                     }),
              LaunchStatus::kCubeCoreTimeout);
    ASSERT_EQ(faults_.size(), 1u);
    EXPECT_EQ(faults_[0].diagnostic.code, "BLY-S130");
    EXPECT_EQ(faults_[0].diagnostic.core, "aic 0");
  }
}

TEST_F(CrossCore, ASetterThatRunsAheadWaitsForTheOthers) {
  for (const Schedule schedule : {Schedule::kForward, Schedule::kReverse}) {
    DeviceOptions options;
    options.schedule = schedule;
    Use(options);
    EXPECT_EQ(Launch("mix:1:2", 2,
                     [](void*) {
                       for (int i = 0; i < 100; ++i) {
                         if (Self().cube) {
                           Set(2, 1, abi::Pipe::kFix);
                         } else {
                           Wait(1);
                         }
                       }
                     }),
              LaunchStatus::kOk)
        << FirstMessage();
  }
}

TEST_F(CrossCore, FlagsOfOneLaunchAreGoneInTheNext) {
  Use();
  EXPECT_EQ(Launch("mix:1:1", 1, [](void*) { Set(2, 1); }), LaunchStatus::kOk);
  EXPECT_EQ(Launch("mix:1:1", 1, [](void*) { Wait(1); }),
            LaunchStatus::kCubeCoreTimeout);
}

}  // namespace
}  // namespace belay::runtime
