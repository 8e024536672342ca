// SPDX-License-Identifier: Apache-2.0
// Tests bounds and baselines of tasks, coverage of outputs and scores.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <set>

#include "bench/suite.h"
#include "clock/clock_spec.h"
#include "clock/log_builder.h"
#include "judge/coverage.h"
#include "judge/eager_operators.h"
#include "judge/performance.h"
#include "judge/scores.h"
#include "judge/smaller_case.h"

namespace belay::judge::test_performance {
namespace {

constexpr char kChip[] = "ascend910b1";
constexpr uint64_t kSecret = 17;

const bench::Task& TaskOf(const std::string& name) {
  static const bench::Suite kSuite = bench::LoadShippedSuite();
  return bench::FindTask(kSuite, name);
}

// The case of the kind whose sizes and dtypes read so.
bench::Case CaseOf(const bench::Task& task, bench::CaseKind kind,
                   const bench::Value& sizes, DType dtype) {
  for (const bench::Case& one : bench::ExpandCases(task)) {
    const bool fits = one.types.empty() || one.types.begin()->second == dtype;
    if (one.kind == kind && one.sizes == sizes && fits) return one;
  }
  throw std::runtime_error("no such case: " + sizes.dump());
}

std::vector<std::string> NamesOf(const Baseline& baseline) {
  std::vector<std::string> names;
  for (const EagerOperator& one : baseline.operators) {
    names.push_back(one.name);
  }
  return names;
}

class Performance : public testing::Test {
 protected:
  // Nothing kept by another run may answer.
  static void SetUpTestSuite() { setenv("BELAY_CACHE", "off", 1); }
  static void TearDownTestSuite() { unsetenv("BELAY_CACHE"); }

  TaskBound Bound(const bench::Task& task, const bench::Case& one_case) {
    const auto runner = bench::MakeReferenceRunner(task);
    return BoundOf(task, one_case, *runner, baselines_, kChip);
  }
  Baseline BaselineOf(const bench::Task& task, const bench::Case& one_case) {
    const auto runner = bench::MakeReferenceRunner(task);
    return baselines_.Of(task, one_case, *runner, kChip);
  }

  Baselines baselines_;
  const clock::ClockSpec spec_ = clock::LoadClockSpec(kChip);
};

TEST_F(Performance, BoundIsEveryInputAndOutputOnce) {
  const bench::Task& task = TaskOf("level1/Math/Sqrt");
  const bench::Case one = CaseOf(task, bench::CaseKind::kReal,
                                 {{"S", {8192, 5120}}}, DType::kFloat);
  const TaskBound bound = Bound(task, one);
  constexpr uint64_t kBytes = uint64_t{8192} * 5120 * 4;
  EXPECT_EQ(bound.bytes_read, kBytes);
  EXPECT_EQ(bound.bytes_written, kBytes);
  EXPECT_EQ(bound.binding, "HBM reads");
  EXPECT_DOUBLE_EQ(bound.total, 0.47 + static_cast<double>(kBytes) / 1564e3);
}

TEST_F(Performance, BoundCountsWhatDoesNotFitIntoL2) {
  const bench::Task& task = TaskOf("multikernelbench/normalization/rms_norm");
  const bench::Case one =
      CaseOf(task, bench::CaseKind::kReal,
             {{"N", 128}, {"C", 64}, {"H", 512}, {"W", 512}}, DType::kFloat);
  const TaskBound bound = Bound(task, one);
  constexpr double kBytes = 128.0 * 64 * 512 * 512 * 4;
  EXPECT_EQ(bound.binding, "HBM reads and writes");
  EXPECT_DOUBLE_EQ(bound.total,
                   0.47 + kBytes / 1564e3 + (kBytes - 201326592) / 1060e3);
}

TEST_F(Performance, BoundLeavesOutWhatNeedNotBeRead) {
  const bench::Task& task = TaskOf("level1/Index/GatherV3");
  bool met = false;
  for (const bench::Case& one : bench::ExpandCases(task)) {
    if (one.kind != bench::CaseKind::kReal) continue;
    const auto runner = bench::MakeReferenceRunner(task);
    const TaskNeeds needs = baselines_.NeedsOf(task, one, *runner);
    EXPECT_FALSE(needs.inputs[0]) << one.name;
    EXPECT_TRUE(needs.inputs[1]) << one.name;
    EXPECT_TRUE(needs.outputs[0]) << one.name;
    met = true;
    break;
  }
  EXPECT_TRUE(met);
}

TEST_F(Performance, BoundOfProductsIsTheCubesPeak) {
  const bench::Task& task = TaskOf("level3/GMM/BasicMatmul");
  for (const bench::Case& one : bench::ExpandCases(task)) {
    if (one.kind != bench::CaseKind::kReal) continue;
    const TaskBound bound = Bound(task, one);
    const auto size = [&](const char* name) {
      return one.sizes.at(name).get<double>();
    };
    const double flops = 2 * size("M") * size("N") * size("K");
    EXPECT_DOUBLE_EQ(static_cast<double>(bound.cube_flops), flops) << one.name;
    // 16 x 16 x 16 products of halves a cycle on 24 cores at 1850 MHz.
    EXPECT_GE(bound.total, 0.47 + flops / 2 / 4096 / 24 / 1850) << one.name;
  }
}

TEST_F(Performance, BaselineListsOperatorsWithKernelsOfTheirOwn) {
  using Names = std::vector<std::string>;
  const std::pair<std::string, Names> kTasks[] = {
      {"level1/Math/Sqrt", {"aten::sqrt"}},
      {"multikernelbench/normalization/rms_norm",
       {"aten::pow", "aten::mean", "aten::add", "aten::sqrt", "aten::div"}},
      {"multikernelbench/activation/softmax", {"aten::_softmax"}},
      {"multikernelbench/normalization/layer_norm",
       {"aten::native_layer_norm"}},
      {"level3/GMM/BasicMatmul", {"aten::mm"}},
  };
  for (const auto& [name, names] : kTasks) {
    const bench::Task& task = TaskOf(name);
    for (const bench::Case& one : bench::ExpandCases(task)) {
      if (one.kind != bench::CaseKind::kReal) continue;
      EXPECT_EQ(NamesOf(BaselineOf(task, one)), names)
          << name << " " << one.name;
      break;
    }
  }
}

TEST_F(Performance, BaselineCountsDeclaredWidths) {
  const bench::Task& task = TaskOf("level2/Activation/Gelu");
  uint64_t bytes = 0;
  for (const DType dtype : {DType::kHalf, DType::kFloat}) {
    const bench::Case one =
        CaseOf(task, bench::CaseKind::kReal, {{"S", {32, 512, 128}}}, dtype);
    const Baseline baseline = BaselineOf(task, one);
    ASSERT_EQ(baseline.operators.size(), 1u);
    bytes = 32 * 512 * 128 * BytesOf(dtype);
    EXPECT_EQ(baseline.operators[0].bytes_read, bytes);
    EXPECT_EQ(baseline.operators[0].bytes_written, bytes);
  }
  // 5.1 us are a launch of the smallest kernels that was measured.
  const bench::Case one = CaseOf(task, bench::CaseKind::kReal,
                                 {{"S", {32, 512, 128}}}, DType::kFloat);
  const Baseline baseline = BaselineOf(task, one);
  const double work = static_cast<double>(bytes) / 1564e3;
  EXPECT_DOUBLE_EQ(baseline.at_100, 0.47 + 4.63 + work);
  EXPECT_DOUBLE_EQ(baseline.at_85, 0.47 + 4.63 + work / 0.85);
  EXPECT_DOUBLE_EQ(baseline.at_70, 0.47 + 4.63 + work / 0.70);
}

// What is continued from small sizes is what the case itself gives.
TEST_F(Performance, ListsOfLargeCasesAreThoseOfTheCase) {
  int compared = 0;
  for (const char* name : {"level2/Norm/LayerNormV4", "level2/Loss/MseLoss",
                           "level2/Activation/SwiGlu", "level3/GMM/BasicMatmul",
                           "multikernelbench/normalization/rms_norm",
                           "multikernelbench/pooling/average_pooling_3d"}) {
    const bench::Task& task = TaskOf(name);
    const auto runner = bench::MakeReferenceRunner(task);
    for (const bench::Case& one : bench::ExpandCases(task)) {
      const int64_t elements = bench::ElementsOf(task, one);
      if (elements <= int64_t{1} << 19 || elements > int64_t{1} << 23) continue;
      const EagerList list = ListEager(task, one, *runner);
      const auto whole = runner->EagerOperators(one, runner->Inputs(one));
      ASSERT_EQ(list.operators.size(), whole.size()) << name << one.name;
      for (size_t i = 0; i < whole.size(); ++i) {
        EXPECT_EQ(list.operators[i].name, whole[i].name);
        EXPECT_EQ(list.operators[i].bytes_read, whole[i].bytes_read);
        EXPECT_EQ(list.operators[i].bytes_written, whole[i].bytes_written);
        EXPECT_EQ(list.operators[i].cube_flops, whole[i].cube_flops);
      }
      compared += list.note.empty() ? 0 : 1;
      break;
    }
  }
  EXPECT_GE(compared, 4);
}

// No kernel is bound by more than eager() needs at its best.
TEST_F(Performance, BoundsLieBelowBaselines) {
  for (const char* name :
       {"level1/Math/Muls", "level1/Index/GatherV3", "level2/Mask/Tril",
        "level2/Optim/ApplyAdamWV2", "level2/Foreach/ForeachAddScalar",
        "level2/TensorMove/StridedSliceAssignV2", "level3/Sort/TopKV3",
        "level3/GMM/QuantMatmul", "mhc/sinkhorn",
        "multikernelbench/loss/cross_entropy_loss"}) {
    const bench::Task& task = TaskOf(name);
    const auto runner = bench::MakeReferenceRunner(task);
    for (const bench::Case& one : bench::ExpandCases(task)) {
      if (one.kind != bench::CaseKind::kReal) continue;
      const TaskBound bound = BoundOf(task, one, *runner, baselines_, kChip);
      const Baseline& baseline = baselines_.Of(task, one, *runner, kChip);
      EXPECT_LT(bound.total, baseline.at_100) << name << " " << one.name;
      break;
    }
  }
}

TEST(SmallerCase, CutsOneSize) {
  const bench::Task& task = TaskOf("level1/Math/Sqrt");
  const bench::Case one = CaseOf(task, bench::CaseKind::kReal,
                                 {{"S", {96, 64, 1024}}}, DType::kFloat);
  const std::vector<SizePlace> places = SizesOf(one);
  ASSERT_EQ(places.size(), 3u);
  EXPECT_EQ(places[0].pointer, "/S/2");
  EXPECT_EQ(places[0].size, 1024);
  const bench::Case smaller = WithSize(task, one, places[0], 8);
  EXPECT_EQ(smaller.sizes, (bench::Value{{"S", {96, 64, 8}}}));
  EXPECT_EQ(bench::ElementsOf(task, smaller), 2 * 96 * 64 * 8);
}

// Addresses of global memory.
constexpr uint64_t kInput = 0x200000000000;
constexpr uint64_t kOutput = kInput + (uint64_t{1} << 32);

// A launch of `blocks` blocks that write an output of `bytes`.
clock::LaunchLog LaunchOf(
    int blocks, uint64_t bytes,
    const std::function<void(int, clock::BlockLog&)>& write) {
  clock::LaunchLog log;
  log.kernel = "k";
  log.chip = kChip;
  log.blocks = blocks;
  log.allocations.push_back({kOutput, bytes, "output 'y'"});
  for (int i = 0; i < blocks; ++i) {
    clock::BlockLog& block = log.logs.emplace_back();
    block.block = block.core = i;
    write(i, block);
    block.records.Close();
  }
  return log;
}

clock::Record Store(uint64_t offset, uint32_t bytes, uint8_t flags = 0) {
  return clock::MoveRecord(abi::Pipe::kMte3, kOutput + offset, 1, bytes, bytes,
                           flags);
}

TEST(Coverage, EveryByteOnceIsCovered) {
  const auto log = LaunchOf(4, 4096, [](int i, clock::BlockLog& block) {
    block.records.Append(Store(i * 1024, 512));
    block.records.Append(Store(i * 1024 + 512, 512));
    block.records.Append(Store(i * 1024, 512));  // again, in order
  });
  const Coverage coverage = CoverageOf({log}, {"y"});
  EXPECT_TRUE(coverage.ok()) << coverage.reason;
  EXPECT_TRUE(coverage.known);
}

TEST(Coverage, AHoleIsFound) {
  const auto log = LaunchOf(4, 4096, [](int i, clock::BlockLog& block) {
    block.records.Append(Store(i * 1024, i == 2 ? 992 : 1024));
  });
  const Coverage coverage = CoverageOf({log}, {"y"});
  EXPECT_FALSE(coverage.complete);
  EXPECT_EQ(coverage.reason,
            "bytes 3040 to 3071 of output 'y', which has 4096, are never "
            "written");
  // Memory that is no output need not be written.
  EXPECT_TRUE(CoverageOf({log}, {"z"}).ok());
}

TEST(Coverage, RowsApartLeaveHoles) {
  const auto write = [](uint32_t row) {
    return [row](int, clock::BlockLog& block) {
      block.records.Append(
          clock::MoveRecord(abi::Pipe::kMte3, kOutput, 8, row, 512));
    };
  };
  EXPECT_FALSE(CoverageOf({LaunchOf(1, 4096, write(480))}, {"y"}).complete);
  EXPECT_TRUE(CoverageOf({LaunchOf(1, 4096, write(512))}, {"y"}).complete);
}

TEST(Coverage, WritingTwiceIsFound) {
  const auto log = LaunchOf(2, 4096, [](int, clock::BlockLog& block) {
    for (int at = 0; at < 4096; at += 1024) {
      block.records.Append(Store(at, 1024));
    }
  });
  const Coverage coverage = CoverageOf({log}, {"y"});
  EXPECT_TRUE(coverage.complete);
  EXPECT_FALSE(coverage.once);
  EXPECT_EQ(coverage.reason,
            "blocks 0 and 1 both write byte 0 of output 'y': 4096 bytes of "
            "block 0 are written by others as well");
}

TEST(Coverage, ATailMayOverlap) {
  const auto log = LaunchOf(2, 4000, [](int i, clock::BlockLog& block) {
    const int begin = i == 0 ? 0 : 4000 - 2048;
    block.records.Append(Store(begin, 1024));
    block.records.Append(Store(begin + 1024, 1024));
  });
  EXPECT_TRUE(CoverageOf({log}, {"y"}).ok());
}

TEST(Coverage, AtomicsAndMeetingsAllowMore) {
  const auto atomic = LaunchOf(3, 4096, [](int, clock::BlockLog& block) {
    for (int at = 0; at < 4096; at += 1024) {
      block.records.Append(Store(at, 1024, clock::MoveWork::kAtomic));
    }
  });
  EXPECT_TRUE(CoverageOf({atomic}, {"y"}).ok());
  const auto meeting = LaunchOf(2, 4096, [](int i, clock::BlockLog& block) {
    for (int at = 0; i == 0 && at < 4096; at += 1024) {
      block.records.Append(Store(at, 1024));
    }
    block.records.Append(
        clock::SyncRecord(clock::Kind::kMeet, abi::Pipe::kS, abi::Pipe::kS));
    for (int at = 0; i == 1 && at < 4096; at += 1024) {
      block.records.Append(Store(at, 1024));
    }
  });
  EXPECT_TRUE(CoverageOf({meeting}, {"y"}).ok());
}

TEST(Coverage, ScalarStoresCount) {
  auto log = LaunchOf(1, 4096, [](int, clock::BlockLog& block) {
    block.records.Append(Store(0, 4064));
    block.stored.push_back({kOutput + 4064, kOutput + 4096});
  });
  EXPECT_TRUE(CoverageOf({log}, {"y"}).ok());
}

// Answers every call with the logs it was made with.
class FakeSession : public Session {
 public:
  explicit FakeSession(std::vector<clock::LaunchLog> launches)
      : launches_(std::move(launches)) {}
  CompileReport Compile(const std::vector<const bench::Case*>&) override {
    return {};
  }
  CallReport Run(const bench::Case&, const bench::Arguments&,
                 const RunOptions&) override {
    return {};
  }
  TimeReport Time(const bench::Case&, const bench::Arguments& inputs) override {
    for (const bench::Argument& input : inputs) {
      for (const Array& tensor : input.tensors) {
        with_data_ += tensor.data.empty() ? 0 : 1;
      }
    }
    TimeReport report;
    report.launches = launches_;
    return report;
  }
  int with_data() const { return with_data_; }

 private:
  std::vector<clock::LaunchLog> launches_;
  int with_data_ = 0;
};

class Measure : public Performance {
 protected:
  CaseTime MeasureWith(FakeSession& session, Timeline* timeline = nullptr) {
    const bench::Task& task = TaskOf("level1/Math/Sqrt");
    const bench::Case one = CaseOf(task, bench::CaseKind::kReal,
                                   {{"S", {8192, 5120}}}, DType::kFloat);
    const auto runner = bench::MakeReferenceRunner(task);
    std::vector<Diagnostic> diagnostics;
    return MeasureCase(task, one, session, *runner, baselines_, kChip, kSecret,
                       diagnostics, timeline);
  }
  static constexpr uint64_t kBytes = uint64_t{8192} * 5120 * 4;
};

// Each of 48 blocks copies its part in moves of 32 KB.
clock::LaunchLog CopyLog(uint64_t bytes, bool reads) {
  clock::LaunchLog log =
      LaunchOf(48, bytes, [&](int i, clock::BlockLog& block) {
        constexpr uint32_t kTile = 32768;
        const uint64_t tiles = bytes / kTile;
        for (uint64_t tile = i; tile < tiles; tile += 48) {
          if (reads) {
            block.records.Append(clock::MoveRecord(
                abi::Pipe::kMte2, kInput + tile * kTile, 1, kTile, kTile));
          }
          block.records.Append(Store(tile * kTile, kTile));
        }
      });
  return log;
}

TEST_F(Measure, TimesLieBetweenBoundAndBaseline) {
  FakeSession session({CopyLog(kBytes, true)});
  Timeline timeline;
  const CaseTime time = MeasureWith(session, &timeline);
  EXPECT_EQ(time.outcome, Outcome::kPassed) << time.reason;
  EXPECT_GT(time.simulated, time.bound);
  EXPECT_GE(time.kernel_bound, time.bound);
  EXPECT_EQ(time.bytes, 2 * kBytes);
  EXPECT_TRUE(time.covered);
  EXPECT_FALSE(time.scalar_only);
  EXPECT_EQ(session.with_data(), 0);
  EXPECT_EQ(timeline.slices.size(), 214u);  // 5120 tiles, read and written
  EXPECT_FALSE(timeline.cut);
  EXPECT_EQ(timeline.slices[0].pipe, "MTE2");
}

TEST_F(Measure, BelowTheBoundIsForbidden) {
  FakeSession session({CopyLog(kBytes, false)});
  const CaseTime time = MeasureWith(session);
  EXPECT_EQ(time.outcome, Outcome::kForbidden);
  EXPECT_NE(time.reason.find("below the bound"), std::string::npos);
}

TEST_F(Measure, HolesAreWrong) {
  clock::LaunchLog log = CopyLog(kBytes, true);
  log.allocations[0].bytes += 32;
  FakeSession session({log});
  const CaseTime time = MeasureWith(session);
  EXPECT_EQ(time.outcome, Outcome::kWrong);
  EXPECT_FALSE(time.covered);
}

// A kernel that looks at values is timed with them.
TEST_F(Measure, PretendedReadsAskForValues) {
  clock::LaunchLog log = CopyLog(kBytes, true);
  log.pretended_reads = 1;
  FakeSession session({log});
  MeasureWith(session);
  EXPECT_EQ(session.with_data(), 0);  // 2^26 elements and more are too many

  const bench::Task& task = TaskOf("level1/Math/Sqrt");
  const bench::Case one = CaseOf(task, bench::CaseKind::kReal,
                                 {{"S", {48, 128, 512}}}, DType::kFloat);
  const auto runner = bench::MakeReferenceRunner(task);
  std::vector<Diagnostic> diagnostics;
  MeasureCase(task, one, session, *runner, baselines_, kChip, kSecret,
              diagnostics, nullptr);
  EXPECT_EQ(session.with_data(), 1);
}

Verdict VerdictOf(const std::string& task, int level, Outcome outcome,
                  double simulated) {
  Verdict verdict;
  verdict.task = task;
  verdict.level = level;
  verdict.problem = "dynamic";
  verdict.outcome = outcome;
  if (simulated > 0) {
    CaseTime time;
    time.simulated = simulated;
    time.bound = 10;
    time.baseline_85 = 30;
    time.flops = 1000;
    time.bytes = 2000;
    verdict.times.push_back(time);
  }
  return verdict;
}

TEST(Scores, HapIsAHalfAtTheBaselineAndOneAtTheBound) {
  EXPECT_DOUBLE_EQ(VerdictOf("a", 1, Outcome::kPassed, 30).hap(), 0.5);
  EXPECT_DOUBLE_EQ(VerdictOf("a", 1, Outcome::kPassed, 10).hap(), 1);
  EXPECT_DOUBLE_EQ(VerdictOf("a", 1, Outcome::kPassed, 50).hap(), 1.0 / 3);
}

TEST(Scores, LevelsWeighTwoThreeAndFiveTenths) {
  const std::vector<Verdict> verdicts = {
      VerdictOf("a", 1, Outcome::kPassed, 0),
      VerdictOf("b", 1, Outcome::kWrong, 0),
      VerdictOf("c", 2, Outcome::kPassed, 0),
      VerdictOf("d", 2, Outcome::kInfrastructure, 0)};
  const LevelScores scores = LevelScoresOf(verdicts);
  EXPECT_EQ(scores.levels, (std::map<int, double>{{1, 0.5}, {2, 1.0}}));
  EXPECT_DOUBLE_EQ(scores.weighted, 0.2 * 0.5 + 0.3);
}

TEST(Scores, RatesAreOverSimulatedTime) {
  const CaseTime time = VerdictOf("a", 1, Outcome::kPassed, 20).times[0];
  EXPECT_DOUBLE_EQ(FlopsPerSecond(time), 1000 / 20e-6);
  EXPECT_DOUBLE_EQ(BytesPerSecond(time), 2000 / 20e-6);
  EXPECT_DOUBLE_EQ(FlopsPerSecond(CaseTime{}), 0);
}

}  // namespace
}  // namespace belay::judge::test_performance
