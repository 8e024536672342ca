// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "base/error.h"
#include "clock/clock_spec.h"
#include "clock/compare_logs.h"
#include "clock/log_file.h"

namespace belay::clock::test_log_file {
namespace {

class LogFileTest : public ::testing::Test {
 protected:
  LogFileTest()
      : path_((std::filesystem::temp_directory_path() /
               ("belay_log_" + std::to_string(getpid())))
                  .string()) {}
  ~LogFileTest() override { std::filesystem::remove(path_); }

  static LaunchLog MakeLog(int rows) {
    LaunchLog log;
    log.kernel = "add_custom";
    log.chip = "ascend910b1";
    log.blocks = 2;
    log.argument_bytes = 40;
    log.tiling_bytes = 24;
    log.timing_only = true;
    log.pretended_reads = 3;
    log.first_pretended_place = 99;
    ScalarWork work;
    work.floating = 12;
    log.scalar.push_back(work);
    log.allocations.push_back({0x1000, 512, "input 'x'"});
    log.places[16] = {"k.asc", 41, 3, "Process"};
    for (int block = 0; block < 2; ++block) {
      BlockLog blocks;
      blocks.block = block;
      blocks.core = block;
      blocks.cube = block == 1;
      for (int i = 0; i < rows; ++i) {
        Record move;
        move.kind = Kind::kMove;
        move.pipe = abi::Pipe::kMte2;
        move.op = abi::Op::kDataCopy;
        move.scalar = 1;
        move.place = 16;
        move.move = {static_cast<uint64_t>(block * 4096 + i * 512),
                     512,
                     1,
                     512,
                     abi::Memory::kUb,
                     0,
                     64};
        blocks.records.Append(move);
        Record vector;
        vector.kind = Kind::kVector;
        vector.pipe = abi::Pipe::kV;
        vector.vector = {5, 0, 0, 4, 0, 0, 256, 1};
        blocks.records.Append(vector);
        if (i % 3 == 2) blocks.records.Append(vector);
      }
      log.logs.push_back(std::move(blocks));
    }
    return log;
  }

  std::string Bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void Put(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary) << bytes;
  }

  std::string path_;
};

TEST_F(LogFileTest, ComesBackAsItWas) {
  const std::vector<LaunchLog> logs = {MakeLog(100), MakeLog(7), MakeLog(0)};
  LogFile::Write(path_, logs);
  const std::vector<LaunchLog> read = LogFile::Read(path_);
  ASSERT_EQ(read.size(), 3u);
  for (size_t i = 0; i < logs.size(); ++i) {
    const LaunchLog& a = logs[i];
    const LaunchLog& b = read[i];
    EXPECT_EQ(b.kernel, a.kernel);
    EXPECT_EQ(b.chip, a.chip);
    EXPECT_EQ(b.blocks, a.blocks);
    EXPECT_EQ(b.argument_bytes, a.argument_bytes);
    EXPECT_EQ(b.tiling_bytes, a.tiling_bytes);
    EXPECT_EQ(b.timing_only, a.timing_only);
    EXPECT_EQ(b.pretended_reads, a.pretended_reads);
    EXPECT_EQ(b.first_pretended_place, a.first_pretended_place);
    EXPECT_EQ(b.scalar, a.scalar);
    ASSERT_EQ(b.allocations.size(), 1u);
    EXPECT_EQ(b.allocations[0].name, "input 'x'");
    EXPECT_EQ(b.allocations[0].bytes, 512u);
    ASSERT_EQ(b.places.size(), 1u);
    EXPECT_EQ(b.places.at(16).file, "k.asc");
    EXPECT_EQ(b.places.at(16).line, 41);
    EXPECT_EQ(b.places.at(16).column, 3);
    EXPECT_EQ(b.places.at(16).function, "Process");
    ASSERT_EQ(b.logs.size(), 2u);
    EXPECT_EQ(b.logs[1].block, 1);
    EXPECT_EQ(b.logs[1].core, 1);
    EXPECT_TRUE(b.logs[1].cube);
    EXPECT_EQ(b.logs[0].records.folded_size(), a.logs[0].records.folded_size());
    EXPECT_FALSE(FirstDifference(a, b).has_value());
  }
}

// Of a launch of which some blocks ran alone.
TEST_F(LogFileTest, OtherWorkIsToldByBlock) {
  const LaunchLog all = MakeLog(4);
  LaunchLog some = MakeLog(4);
  some.logs.erase(some.logs.begin());
  some.scalar[1].floating = 7;
  EXPECT_FALSE(FirstOtherWork(some, all).has_value());

  LaunchLog fewer = MakeLog(3);
  fewer.logs.erase(fewer.logs.begin());
  const auto differs = FirstOtherWork(fewer, all);
  ASSERT_TRUE(differs.has_value());
  EXPECT_EQ(differs->block, 1);
  EXPECT_EQ(differs->of_some, "nothing");
  EXPECT_EQ(differs->of_all, "DataCopy of 1 x 512 bytes");
  EXPECT_EQ(FirstOtherWork(all, fewer)->of_all, "does not run");
}

TEST_F(LogFileTest, CostsAreKnownByTheirNames) {
  const ClockSpec spec = LoadClockSpec("ascend910b1");
  ASSERT_GT(spec.vector_costs().size(), 9u);
  LaunchLog log = MakeLog(3);
  log.vector_costs.assign(6, "another");
  log.vector_costs[5] = spec.vector_costs()[9].name;  // MakeLog uses cost 5
  LogFile::Write(path_, {log});
  const std::vector<LaunchLog> read = LogFile::Read(path_);
  Sequence::Cursor cursor(read[0].logs[0].records);
  Record record;
  ASSERT_TRUE(cursor.Next(record));
  ASSERT_TRUE(cursor.Next(record));
  ASSERT_EQ(record.kind, Kind::kVector);
  EXPECT_EQ(record.vector.cost, 9);

  log.vector_costs[5] = "Unheard.b32";
  LogFile::Write(path_, {log});
  EXPECT_THROW(LogFile::Read(path_), UserError);
  log.vector_costs.resize(2);
  LogFile::Write(path_, {log});
  EXPECT_THROW(LogFile::Read(path_), UserError);
}

TEST_F(LogFileTest, SameLogsGiveTheSameBytes) {
  LogFile::Write(path_, {MakeLog(50)});
  const std::string first = Bytes();
  LogFile::Write(path_, {MakeLog(50)});
  EXPECT_EQ(first, Bytes());
}

TEST_F(LogFileTest, OtherFilesAreRefused) {
  EXPECT_THROW(LogFile::Read(path_), UserError);
  for (const std::string text : {"", "BELAY", "hello, this is no log at all"}) {
    Put(text);
    EXPECT_THROW(LogFile::Read(path_), UserError) << text;
  }
  EXPECT_THROW(LogFile::Write("/nowhere/at/all.log", {}), UserError);
}

TEST_F(LogFileTest, OtherVersionsAreRefused) {
  LogFile::Write(path_, {MakeLog(5)});
  std::string bytes = Bytes();
  bytes[12] ^= 64;
  Put(bytes);
  try {
    LogFile::Read(path_);
    FAIL() << "was read";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("another version"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(LogFileTest, CutOffFilesAreRefused) {
  LogFile::Write(path_, {MakeLog(20)});
  const std::string bytes = Bytes();
  for (size_t size = 0; size < bytes.size(); size += 1 + size / 16) {
    Put(bytes.substr(0, size));
    EXPECT_THROW(LogFile::Read(path_), UserError) << size;
  }
  Put(bytes + "x");
  EXPECT_THROW(LogFile::Read(path_), UserError);
}

// Whatever a damaged file says, it is refused or can be read to its end.
TEST_F(LogFileTest, DamagedFilesDoNoHarm) {
  LogFile::Write(path_, {MakeLog(40)});
  const std::string bytes = Bytes();
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    std::mt19937_64 random(seed);
    std::string damaged = bytes;
    for (int i = 0; i < 1 + static_cast<int>(random() % 3); ++i) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    Put(damaged);
    try {
      for (const LaunchLog& log : LogFile::Read(path_)) {
        for (const BlockLog& block : log.logs) {
          Sequence::Cursor cursor(block.records);
          Record record;
          for (int i = 0; i < 10000 && cursor.Next(record); ++i) {
            ASSERT_LT(record.scalar, log.scalar.size()) << "seed " << seed;
          }
        }
      }
    } catch (const UserError&) {
    }
  }
}

}  // namespace
}  // namespace belay::clock::test_log_file
