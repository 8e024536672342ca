// SPDX-License-Identifier: Apache-2.0
#include "profile/msprof_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"

namespace belay::profile {
namespace {

// The vendor's GB.
constexpr double kGigabyte = 1024.0 * 1024 * 1024;
constexpr double kKilobyte = 1024.0;

// A row under construction: cells that nobody set are NA.
class Row {
 public:
  void Set(const std::string& column, double value) {
    cells_[column] = fmt::format("{:.6f}", value);
  }
  void Set(const std::string& column, uint64_t value) {
    cells_[column] = fmt::format("{}", value);
  }
  void Set(const std::string& column, std::string value) {
    cells_[column] = std::move(value);
  }
  std::string Text(const std::vector<std::string>& columns) const {
    std::string text;
    for (const std::string& column : columns) {
      const auto found = cells_.find(column);
      text += (found == cells_.end() ? "NA" : found->second) + ",";
    }
    return text + "\n";
  }

 private:
  std::map<std::string, std::string> cells_;
};

const std::vector<std::string> kBasicInfo = {
    "Op Name",   "Op Type", "Task Duration(us)", "Block Dim", "Mix Block Dim",
    "Device Id", "Pid",     "Current Freq",      "Rated Freq"};

const std::vector<std::string> kPipeUtilization = {
    "block_id",
    "sub_block_id",
    "aic_time(us)",
    "aic_total_cycles",
    "aic_cube_time(us)",
    "aic_cube_ratio",
    "aic_scalar_time(us)",
    "aic_scalar_ratio",
    "aic_mte1_time(us)",
    "aic_mte1_ratio",
    "aic_mte1_active_bw(GB/s)",
    "aic_mte2_time(us)",
    "aic_mte2_ratio",
    "aic_mte2_active_bw(GB/s)",
    "aic_mte3_time(us)",
    "aic_mte3_ratio",
    "aic_mte3_active_bw(GB/s)",
    "aic_fixpipe_time(us)",
    "aic_fixpipe_ratio",
    "aic_fixpipe_active_bw(GB/s)",
    "aic_icache_miss_rate",
    "aiv_time(us)",
    "aiv_total_cycles",
    "aiv_vec_time(us)",
    "aiv_vec_ratio",
    "aiv_scalar_time(us)",
    "aiv_scalar_ratio",
    "aiv_mte2_time(us)",
    "aiv_mte2_ratio",
    "aiv_mte2_active_bw(GB/s)",
    "aiv_mte3_time(us)",
    "aiv_mte3_ratio",
    "aiv_mte3_active_bw(GB/s)",
    "aiv_icache_miss_rate"};

const std::vector<std::string> kMemory = {"block_id",
                                          "sub_block_id",
                                          "aic_time(us)",
                                          "aic_total_cycles",
                                          "aic_l1_read_bw(GB/s)",
                                          "aic_l1_write_bw(GB/s)",
                                          "aic_main_mem_read_bw(GB/s)",
                                          "aic_main_mem_write_bw(GB/s)",
                                          "aic_mte1_instructions",
                                          "aic_mte1_ratio",
                                          "aic_mte2_instructions",
                                          "aic_mte2_ratio",
                                          "aic_mte3_instructions",
                                          "aic_mte3_ratio",
                                          "aiv_time(us)",
                                          "aiv_total_cycles",
                                          "aiv_gm_to_ub_bw(GB/s)",
                                          "aiv_ub_to_gm_bw(GB/s)",
                                          "aiv_main_mem_read_bw(GB/s)",
                                          "aiv_main_mem_write_bw(GB/s)",
                                          "aiv_mte2_instructions",
                                          "aiv_mte2_ratio",
                                          "aiv_mte3_instructions",
                                          "aiv_mte3_ratio",
                                          "read_main_memory_datas(KB)",
                                          "write_main_memory_datas(KB)",
                                          "GM_to_L1_datas(KB)",
                                          "GM_to_L1_bw_usage_rate(%)",
                                          "L1_to_GM_datas(KB)(estimate)",
                                          "L1_to_GM_bw_usage_rate(%)(estimate)",
                                          "L0C_to_L1_datas(KB)",
                                          "L0C_to_L1_bw_usage_rate(%)",
                                          "L0C_to_GM_datas(KB)",
                                          "L0C_to_GM_bw_usage_rate(%)",
                                          "GM_to_UB_datas(KB)",
                                          "GM_to_UB_bw_usage_rate(%)",
                                          "UB_to_GM_datas(KB)",
                                          "UB_to_GM_bw_usage_rate(%)"};

const std::vector<std::string> kResourceConflict = {
    "block_id",
    "sub_block_id",
    "aic_time(us)",
    "aic_total_cycles",
    "aic_cube_wait_ratio",
    "aic_mte1_wait_ratio",
    "aic_mte2_wait_ratio",
    "aic_mte3_wait_ratio",
    "aiv_time(us)",
    "aiv_total_cycles",
    "aiv_vec_total_cflt_ratio",
    "aiv_vec_bankgroup_cflt_ratio",
    "aiv_vec_bank_cflt_ratio",
    "aiv_vec_resc_cflt_ratio",
    "aiv_vec_mte_cflt_ratio",
    "aiv_vec_wait_ratio",
    "aiv_mte2_wait_ratio",
    "aiv_mte3_wait_ratio"};

struct NamedPipe {
  const char* name;
  abi::Pipe pipe;
};

std::vector<NamedPipe> PipesOf(bool cube) {
  if (!cube) {
    return {{"vec", abi::Pipe::kV},
            {"scalar", abi::Pipe::kS},
            {"mte2", abi::Pipe::kMte2},
            {"mte3", abi::Pipe::kMte3}};
  }
  return {{"cube", abi::Pipe::kM},    {"scalar", abi::Pipe::kS},
          {"mte1", abi::Pipe::kMte1}, {"mte2", abi::Pipe::kMte2},
          {"mte3", abi::Pipe::kMte3}, {"fixpipe", abi::Pipe::kFix}};
}

std::string Prefix(const clock::CoreTime& core) {
  return core.cube ? "aic_" : "aiv_";
}

double Ratio(clock::Ticks part, clock::Ticks whole) {
  return whole == 0 ? 0
                    : static_cast<double>(part) / static_cast<double>(whole);
}

clock::Ticks Stalled(const clock::PipeTime& pipe) {
  clock::Ticks sum = 0;
  for (const clock::Ticks ticks : pipe.stalled) sum += ticks;
  return sum;
}

double Bandwidth(uint64_t bytes, double microseconds) {
  return microseconds == 0
             ? 0
             : static_cast<double>(bytes) / kGigabyte / (microseconds * 1e-6);
}

Row CommonRow(const LaunchProfile& profile, const clock::CoreTime& core) {
  Row row;
  const clock::Ticks time = core.end - core.begin;
  // A block of two vector cores is one block with two parts.
  const int cubes = CoresOf(profile.time, true);
  const int parts = core.cube || cubes == 0
                        ? 1
                        : std::max(1, CoresOf(profile.time, false) / cubes);
  row.Set("block_id", uint64_t(core.core / parts));
  row.Set("sub_block_id", fmt::format("{}{}", core.cube ? "cube" : "vector",
                                      core.core % parts));
  row.Set(Prefix(core) + "time(us)", profile.Microseconds(time));
  row.Set(Prefix(core) + "total_cycles",
          static_cast<uint64_t>(clock::ToCycles(time)));
  return row;
}

Row PipeRow(const LaunchProfile& profile, const clock::CoreTime& core) {
  Row row = CommonRow(profile, core);
  for (const auto& [name, pipe] : PipesOf(core.cube)) {
    const clock::PipeTime& time = core.pipes[static_cast<int>(pipe)];
    row.Set(fmt::format("{}{}_time(us)", Prefix(core), name),
            profile.Microseconds(time.busy));
    row.Set(fmt::format("{}{}_ratio", Prefix(core), name),
            Ratio(time.busy, core.end - core.begin));
  }
  const auto active = [&](const char* name, abi::Pipe pipe, uint64_t bytes) {
    const clock::Ticks busy = core.pipes[static_cast<int>(pipe)].busy;
    if (busy == 0) return;
    row.Set(fmt::format("{}{}_active_bw(GB/s)", Prefix(core), name),
            Bandwidth(bytes, profile.Microseconds(busy)));
  };
  active("mte2", abi::Pipe::kMte2, core.bytes_read);
  if (!core.cube) active("mte3", abi::Pipe::kMte3, core.bytes_written);
  return row;
}

Row MemoryRow(const LaunchProfile& profile, const clock::CoreTime& core) {
  Row row = CommonRow(profile, core);
  const clock::Ticks time = core.end - core.begin;
  const double microseconds = profile.Microseconds(time);
  const double read = Bandwidth(core.bytes_read, microseconds);
  const double written = Bandwidth(core.bytes_written, microseconds);
  row.Set(Prefix(core) + "main_mem_read_bw(GB/s)", read);
  row.Set(Prefix(core) + "main_mem_write_bw(GB/s)", written);
  for (const auto& [name, pipe] : PipesOf(core.cube)) {
    const clock::PipeTime& pipe_time = core.pipes[static_cast<int>(pipe)];
    row.Set(fmt::format("{}{}_instructions", Prefix(core), name),
            pipe_time.instructions);
    row.Set(fmt::format("{}{}_ratio", Prefix(core), name),
            Ratio(pipe_time.busy, time));
  }
  const double read_kilobytes =
      static_cast<double>(core.bytes_read) / kKilobyte;
  const double written_kilobytes =
      static_cast<double>(core.bytes_written) / kKilobyte;
  row.Set("read_main_memory_datas(KB)", read_kilobytes);
  row.Set("write_main_memory_datas(KB)", written_kilobytes);
  if (core.cube) {
    row.Set("GM_to_L1_datas(KB)", read_kilobytes);
    row.Set("L0C_to_GM_datas(KB)", written_kilobytes);
    return row;
  }
  row.Set("aiv_gm_to_ub_bw(GB/s)", read);
  row.Set("aiv_ub_to_gm_bw(GB/s)", written);
  row.Set("GM_to_UB_datas(KB)", read_kilobytes);
  row.Set("UB_to_GM_datas(KB)", written_kilobytes);
  return row;
}

Row ConflictRow(const LaunchProfile& profile, const clock::CoreTime& core) {
  Row row = CommonRow(profile, core);
  const clock::Ticks time = core.end - core.begin;
  const auto wait = [&](const char* name, abi::Pipe pipe) {
    row.Set(fmt::format("{}{}_wait_ratio", Prefix(core), name),
            Ratio(Stalled(core.pipes[static_cast<int>(pipe)]), time));
  };
  wait("mte2", abi::Pipe::kMte2);
  wait("mte3", abi::Pipe::kMte3);
  if (core.cube) {
    wait("cube", abi::Pipe::kM);
    wait("mte1", abi::Pipe::kMte1);
    return row;
  }
  wait("vec", abi::Pipe::kV);
  row.Set("aiv_vec_total_cflt_ratio", Ratio(core.conflict, time));
  return row;
}

void Write(const std::filesystem::path& path,
           const std::vector<std::string>& columns,
           const std::vector<Row>& rows) {
  std::string text;
  for (const std::string& column : columns) text += column + ",";
  text += "\n";
  for (const Row& row : rows) text += row.Text(columns);
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) {
    throw UserError(fmt::format("[profile] cannot write '{}'", path.string()));
  }
}

Row BasicInfoRow(const LaunchProfile& profile) {
  bool cube = false;
  bool vector = false;
  for (const clock::CoreTime& core : profile.time.core_times) {
    (core.cube ? cube : vector) = true;
  }
  Row row;
  row.Set("Op Name", profile.kernel);
  row.Set("Op Type",
          std::string(cube && vector ? "mix" : (cube ? "cube" : "vector")));
  row.Set("Task Duration(us)", profile.Microseconds(profile.time.total));
  row.Set("Block Dim", uint64_t(profile.blocks));
  if (cube && vector) {
    const int of_block =
        CoresOf(profile.time, false) / std::max(1, CoresOf(profile.time, true));
    row.Set("Mix Block Dim", uint64_t(of_block * profile.blocks));
  }
  row.Set("Device Id", uint64_t{0});
  row.Set("Current Freq", static_cast<uint64_t>(profile.clock_mhz));
  row.Set("Rated Freq", static_cast<uint64_t>(profile.clock_mhz));
  return row;
}

}  // namespace

void WriteMsprofCsv(const LaunchProfile& profile, const std::string& folder) {
  const std::filesystem::path path(folder);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw UserError(fmt::format("[profile] cannot make the folder '{}': {}",
                                folder, error.message()));
  }
  std::vector<Row> pipes;
  std::vector<Row> memory;
  std::vector<Row> conflicts;
  for (const clock::CoreTime& core : profile.time.core_times) {
    pipes.push_back(PipeRow(profile, core));
    memory.push_back(MemoryRow(profile, core));
    conflicts.push_back(ConflictRow(profile, core));
  }
  Write(path / "OpBasicInfo.csv", kBasicInfo, {BasicInfoRow(profile)});
  Write(path / "PipeUtilization.csv", kPipeUtilization, pipes);
  Write(path / "Memory.csv", kMemory, memory);
  Write(path / "ResourceConflictRatio.csv", kResourceConflict, conflicts);
}

}  // namespace belay::profile
