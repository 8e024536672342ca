// SPDX-License-Identifier: Apache-2.0
// The pieces of the calibration: measurements, built workloads, the fit, and
// the writing of constants.

#include <gtest/gtest.h>

#include "base/error.h"
#include "calibration/fit.h"
#include "calibration/leave_one_out.h"
#include "calibration/measurements.h"
#include "calibration/predict.h"
#include "calibration/workloads.h"
#include "calibration/write_constants.h"

namespace belay::calibration::test_calibration_parts {
namespace {

constexpr const char* kFolder = BELAY_SOURCE_DIR "/calibration";

TEST(Measurements, AreComplete) {
  const Measurements all =
      LoadMeasurements(std::string(kFolder) + "/measurements.toml");
  EXPECT_EQ(all.groups.size(), 5u);
  std::map<std::string, int> rows;
  for (const Measurement& row : all.rows) ++rows[row.group];
  EXPECT_EQ(rows["Add"], 7);
  EXPECT_EQ(rows["GM to UB"], 8);
  EXPECT_EQ(rows["GM to L1"], 7);
  EXPECT_EQ(rows["Bank conflicts"], 8);
  EXPECT_EQ(rows["ND to NZ"], 2);
}

TEST(Measurements, TicksBecomeMicroseconds) {
  const Measurements all =
      LoadMeasurements(std::string(kFolder) + "/measurements.toml");
  for (const Measurement& row : all.rows) {
    if (row.name != "no conflict") continue;
    EXPECT_TRUE(row.between_readings);
    EXPECT_DOUBLE_EQ(row.measured, 47.8);
    EXPECT_EQ(row.clock_mhz, 1800);
  }
}

TEST(Measurements, ReportsFilesThatAreNotThere) {
  EXPECT_THROW(LoadMeasurements("no/such/file.toml"), UserError);
}

TEST(Workloads, MoveTheWholeMatrix) {
  const struct {
    const char* way;
    uint64_t bytes;
  } kExpected[] = {
      {"1", 12288ull * 12288 * 2},     {"2", 12288ull * 12288 * 2},
      {"3", 12288ull * 12287 * 2},     {"4", 4 * 12288ull * 12288 * 2},
      {"5", 4 * 12288ull * 12288 * 2}, {"6", 24 * 6144ull * 512 * 2},
      {"7", 24 * 6144ull * 512 * 2},
  };
  for (const auto& expected : kExpected) {
    const clock::LaunchLog log = GmToL1(expected.way);
    EXPECT_EQ(log.logs.size(), 24u);
    uint64_t bytes = 0;
    for (const clock::BlockLog& block : log.logs) {
      block.records.ForEachFolded(
          [&](const clock::Record& record, uint64_t times) {
            if (record.kind != clock::Kind::kMove) return;
            bytes += times * record.move.bursts * record.move.burst_bytes;
          });
    }
    EXPECT_EQ(bytes, expected.bytes) << "way " << expected.way;
  }
  EXPECT_THROW(GmToL1("8"), UserError);
  EXPECT_THROW(GmToL1(""), UserError);
}

// One core that reads `moves` times `bytes`.
Row Reads(int moves, uint32_t bytes) {
  Row row;
  row.measurement.group = "reads";
  row.log.blocks = 1;
  clock::BlockLog& block = row.log.logs.emplace_back();
  for (int i = 0; i < moves; ++i) {
    clock::Record record;
    record.kind = clock::Kind::kMove;
    record.pipe = abi::Pipe::kMte2;
    record.op = abi::Op::kDataCopy;
    record.move = {};
    record.move.address = uint64_t{1} << 30 | static_cast<uint64_t>(i) * bytes;
    record.move.bursts = 1;
    record.move.burst_bytes = bytes;
    record.move.memory = abi::Memory::kUb;
    block.records.Append(record);
  }
  block.records.Close();
  return row;
}

TEST(Fit, FindsConstantsThatMadeTheMeasurements) {
  clock::ClockSpec spec = clock::LoadClockSpec("ascend910b1");
  clock::ClockSpec truth = spec;
  truth.Set("memory.hbm_latency", 520);
  truth.Set("mte.instruction", 31);
  std::vector<Row> rows = {Reads(1, 512), Reads(1, 8192), Reads(400, 128),
                           Reads(900, 128)};
  for (Row& row : rows) {
    row.measurement.measured = Predict(row, truth).microseconds;
  }
  const std::vector<FreeConstant> constants = {
      {"memory.hbm_latency", 350, 100, 900}, {"mte.instruction", 9, 2, 60}};
  const Fit fit = FitConstants(rows, constants, spec, {});
  EXPECT_LT(fit.loss, 0.01);
  EXPECT_NEAR(fit.values[0], 520, 15);
  EXPECT_NEAR(fit.values[1], 31, 0.6);
}

TEST(Fit, StaysWithinBounds) {
  const clock::ClockSpec spec = clock::LoadClockSpec("ascend910b1");
  clock::ClockSpec truth = spec;
  truth.Set("mte.instruction", 90);
  std::vector<Row> rows = {Reads(400, 128)};
  rows[0].measurement.measured = Predict(rows[0], truth).microseconds;
  const std::vector<FreeConstant> constants = {{"mte.instruction", 9, 5, 40}};
  EXPECT_EQ(FitConstants(rows, constants, spec, {}).values[0], 40);
}

TEST(LeaveOneOut, PredictsEachGroupByTheOthers) {
  clock::ClockSpec spec = clock::LoadClockSpec("ascend910b1");
  clock::ClockSpec truth = spec;
  truth.Set("mte.instruction", 31);
  std::vector<Row> rows = {Reads(400, 128), Reads(900, 128)};
  rows[1].measurement.group = "more reads";
  for (Row& row : rows) {
    row.measurement.measured = Predict(row, truth).microseconds;
  }
  const auto left_out =
      LeaveOneOut(rows, {{"mte.instruction", 9, 5, 60}}, spec, {}, nullptr);
  ASSERT_EQ(left_out.size(), 2u);
  EXPECT_EQ(left_out[0].group, "reads");
  EXPECT_LT(Summarise(left_out).worst, 0.02);
}

TEST(ErrorSummary, TakesTheMiddleOfAbsoluteValues) {
  EXPECT_EQ(Summarise(std::vector<double>{}).median, 0);
  EXPECT_EQ(Summarise({-0.3, 0.1, 0.2}).median, 0.2);
  EXPECT_DOUBLE_EQ(Summarise({-0.3, 0.1, 0.2, 0.4}).median, 0.25);
  EXPECT_EQ(Summarise({-0.3, 0.1, 0.2}).worst, 0.3);
}

TEST(WriteConstants, ChangesOneLineOnly) {
  const std::string text =
      "# head\n[clock.memory]\n# why\na = { value = 1, source = \"assumed: x\" "
      "}\nb = { value = 2.5, unit = \"GB/s\", source = \"assumed: y\" }\n\n"
      "[clock.launch]\nb = { value = 3, source = \"assumed: z\" }\n";
  EXPECT_EQ(ReplaceConstant(text, "clock.memory", "b", 7.25, "fitted: w"),
            "# head\n[clock.memory]\n# why\na = { value = 1, source = "
            "\"assumed: x\" }\nb = { value = 7.25, unit = \"GB/s\", source = "
            "\"fitted: w\" }\n\n[clock.launch]\nb = { value = 3, source = "
            "\"assumed: z\" }\n");
  EXPECT_EQ(ReplaceConstant(text, "clock.memory", "c", 1, "fitted: w"), "");
  EXPECT_EQ(ReplaceConstant(text, "memory", "b", 1, "fitted: w"), "");
}

}  // namespace
}  // namespace belay::calibration::test_calibration_parts
