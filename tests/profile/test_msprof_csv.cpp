// SPDX-License-Identifier: Apache-2.0
// Tests the files under msprof's names: their columns, and that they say what
// the profile says.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/error.h"
#include "logs.h"
#include "profile/msprof_csv.h"

namespace belay::profile {
namespace {

namespace fs = std::filesystem;
using Table = std::vector<std::map<std::string, std::string>>;

std::vector<std::string> Split(const std::string& line) {
  std::vector<std::string> cells;
  std::stringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) {
    cells.push_back(cell);
  }
  return cells;
}

class MsprofCsv : public ::testing::Test {
 protected:
  MsprofCsv()
      : folder_(fs::temp_directory_path() /
                ("belay_csv_" + std::to_string(::getpid()))),
        profile_(ProfileLaunch(
            belay::testing::MakeTileLoop(belay::testing::Spec(), {}),
            belay::testing::Spec(), {})) {
    WriteMsprofCsv(profile_, (folder_ / "deep").string());
  }
  ~MsprofCsv() override { fs::remove_all(folder_); }

  Table Read(const std::string& name, std::string* header = nullptr) {
    std::ifstream file(folder_ / "deep" / name);
    EXPECT_TRUE(file) << name;
    std::string line;
    std::getline(file, line);
    if (header != nullptr) *header = line;
    const std::vector<std::string> columns = Split(line);
    Table table;
    while (std::getline(file, line)) {
      const std::vector<std::string> cells = Split(line);
      EXPECT_EQ(cells.size(), columns.size()) << name << ": " << line;
      for (size_t i = 0; i < columns.size() && i < cells.size(); ++i) {
        if (i == 0) table.emplace_back();
        table.back()[columns[i]] = cells[i];
      }
    }
    return table;
  }

  const fs::path folder_;
  const LaunchProfile profile_;
};

TEST_F(MsprofCsv, BasicInfo) {
  std::string header;
  const Table table = Read("OpBasicInfo.csv", &header);
  EXPECT_EQ(header,
            "Op Name,Op Type,Task Duration(us),Block Dim,Mix Block Dim,Device "
            "Id,Pid,Current Freq,Rated Freq,");
  ASSERT_EQ(table.size(), 1u);
  EXPECT_EQ(table[0].at("Op Name"), "test_kernel");
  EXPECT_EQ(table[0].at("Op Type"), "vector");
  EXPECT_EQ(table[0].at("Block Dim"), "2");
  EXPECT_EQ(table[0].at("Mix Block Dim"), "NA");
  EXPECT_EQ(table[0].at("Current Freq"), "1850");
  EXPECT_NEAR(std::stod(table[0].at("Task Duration(us)")),
              profile_.Microseconds(profile_.time.total), 1e-3);
}

TEST_F(MsprofCsv, PipeUtilization) {
  const Table table = Read("PipeUtilization.csv");
  ASSERT_EQ(table.size(), 2u);
  for (size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(table[i].at("block_id"), std::to_string(i));
    EXPECT_EQ(table[i].at("sub_block_id"), "vector0");
    EXPECT_EQ(table[i].at("aic_cube_ratio"), "NA");
    EXPECT_EQ(table[i].at("aiv_icache_miss_rate"), "NA");
    const double time = std::stod(table[i].at("aiv_time(us)"));
    for (const std::string pipe : {"vec", "scalar", "mte2", "mte3"}) {
      const double busy = std::stod(table[i].at("aiv_" + pipe + "_time(us)"));
      EXPECT_GT(busy, 0) << pipe;
      EXPECT_NEAR(std::stod(table[i].at("aiv_" + pipe + "_ratio")), busy / time,
                  1e-5);
    }
    EXPECT_GT(std::stod(table[i].at("aiv_mte2_active_bw(GB/s)")), 0);
  }
}

TEST_F(MsprofCsv, Memory) {
  const Table table = Read("Memory.csv");
  ASSERT_EQ(table.size(), 2u);
  EXPECT_DOUBLE_EQ(std::stod(table[0].at("GM_to_UB_datas(KB)")), 16);
  EXPECT_DOUBLE_EQ(std::stod(table[0].at("UB_to_GM_datas(KB)")), 16);
  EXPECT_EQ(table[0].at("aiv_mte2_instructions"), "8");
  EXPECT_EQ(table[0].at("GM_to_L1_datas(KB)"), "NA");
  EXPECT_GT(std::stod(table[0].at("aiv_gm_to_ub_bw(GB/s)")), 0);
}

TEST_F(MsprofCsv, ResourceConflictRatio) {
  const Table table = Read("ResourceConflictRatio.csv");
  ASSERT_EQ(table.size(), 2u);
  EXPECT_DOUBLE_EQ(std::stod(table[0].at("aiv_vec_total_cflt_ratio")), 0);
  EXPECT_EQ(table[0].at("aiv_vec_resc_cflt_ratio"), "NA");
  EXPECT_GT(std::stod(table[0].at("aiv_vec_wait_ratio")), 0);
}

TEST_F(MsprofCsv, FoldersThatCannotBeMadeAreRefused) {
  const fs::path file = folder_ / "file";
  std::ofstream(file) << "x";
  EXPECT_THROW(WriteMsprofCsv(profile_, (file / "below").string()), UserError);
}

}  // namespace
}  // namespace belay::profile
