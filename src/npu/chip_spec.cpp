// SPDX-License-Identifier: Apache-2.0
#include "npu/chip_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "base/resources.h"

namespace belay::npu {
namespace {

toml::table ParseFile(const std::string& path) {
  try {
    return toml::parse_file(path);
  } catch (const toml::parse_error& error) {
    throw UserError(fmt::format("[chip] {}:{}: {}", path,
                                error.source().begin.line,
                                error.description()));
  }
}

// Reads one chip file; each number must be { value = N, source = "…" }. What
// it does not say is as in the chip it names as `like`.
class SpecReader {
 public:
  explicit SpecReader(const std::string& name)
      : path_((Resource("data/chips") / (name + ".toml")).string()),
        table_(ParseFile(path_)) {
    if (const auto like = table_["like"].value<std::string>()) {
      like_ = std::make_unique<SpecReader>(*like);
    }
  }

  template <typename T>
  void Number(const char* group, const char* key, T& out) const {
    const auto node = table_[group][key];
    if (!node && like_ != nullptr) return like_->Number(group, key, out);
    const auto value = node["value"].template value<int64_t>();
    if (!value || *value < 0) {
      throw UserError(fmt::format(
          "[chip] {}: [{}] {} must be {{ value = N, source = \"…\" }} with "
          "N ≥ 0",
          path_, group, key));
    }
    if (!node["source"].is_string()) {
      throw UserError(
          fmt::format("[chip] {}: [{}] {} names no source", path_, group, key));
    }
    out = static_cast<T>(*value);
  }

  template <typename T>
  T Value(const char* key) const {
    const auto value = table_[key].value<T>();
    if (!value && like_ != nullptr) return like_->template Value<T>(key);
    if (!value) {
      throw UserError(fmt::format("[chip] {}: '{}' is missing", path_, key));
    }
    return *value;
  }

 private:
  std::string path_;
  toml::table table_;
  std::unique_ptr<SpecReader> like_;
};

constexpr const char* kMemoryKeys[kMemoryCount] = {"gm",  "ub",  "l1", "l0a",
                                                   "l0b", "l0c", "bt", "fb"};

}  // namespace

std::vector<std::string> KnownChips() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(Resource("data/chips"))) {
    if (entry.path().extension() == ".toml") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

ChipSpec ReadChip(const std::string& name) {
  const std::vector<std::string> known = KnownChips();
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    throw UserError(fmt::format("[chip] no chip named '{}'; known: {}", name,
                                fmt::join(known, ", ")));
  }
  const SpecReader reader(name);

  ChipSpec chip;
  chip.name = reader.Value<std::string>("name");
  chip.title = reader.Value<std::string>("title");
  chip.soc_name = reader.Value<std::string>("soc_name");
  chip.short_soc_name = reader.Value<std::string>("short_soc_name");
  chip.architecture = static_cast<int>(reader.Value<int64_t>("architecture"));

  reader.Number("cores", "cube", chip.cube_cores);
  reader.Number("cores", "vector", chip.vector_cores);
  reader.Number("cores", "vector_per_cube", chip.vector_per_cube);
  reader.Number("cores", "clock_mhz", chip.clock_mhz);
  reader.Number("cores", "counter_mhz", chip.counter_mhz);

  chip.alignment[0] = 1;  // global memory is addressed by bytes
  for (int memory = 0; memory < kMemoryCount; ++memory) {
    reader.Number("memory", kMemoryKeys[memory], chip.bytes[memory]);
    if (memory > 0) {
      reader.Number("alignment", kMemoryKeys[memory], chip.alignment[memory]);
    }
  }
  reader.Number("memory", "l2", chip.l2_bytes);
  reader.Number("memory", "system_workspace", chip.system_workspace_bytes);
  reader.Number("rates", "l2", chip.l2_rate);
  reader.Number("rates", "gm", chip.gm_rate);
  reader.Number("scratch", "bytes", chip.scratch_bytes);
  reader.Number("scratch", "select", chip.select_scratch_bytes);
  reader.Number("data_cache", "vector", chip.vector_cache_bytes);
  reader.Number("data_cache", "cube", chip.cube_cache_bytes);
  reader.Number("data_cache", "ways", chip.cache_ways);

  ChipSpec::Limits& limits = chip.limits;
  reader.Number("limits", "repeat", limits.repeat);
  reader.Number("limits", "wide_repeat", limits.wide_repeat);
  reader.Number("limits", "repeat_stride", limits.repeat_stride);
  reader.Number("limits", "copy_repeat_stride", limits.copy_repeat_stride);
  reader.Number("limits", "wide_repeat_stride", limits.wide_repeat_stride);
  reader.Number("limits", "merge_length", limits.merge_length);
  reader.Number("limits", "unary_block_stride", limits.unary_block_stride);
  reader.Number("limits", "binary_block_stride", limits.binary_block_stride);
  reader.Number("limits", "copy_block_count", limits.copy_block_count);
  reader.Number("limits", "copy_block_length", limits.copy_block_length);
  reader.Number("limits", "copy_gap", limits.copy_gap);
  reader.Number("limits", "pad_block_bytes", limits.pad_block_bytes);
  reader.Number("limits", "padding_bytes", limits.padding_bytes);
  reader.Number("limits", "event_ids", limits.event_ids);
  reader.Number("limits", "buffers", limits.buffers);

  ChipSpec::CubeLimits& cube = chip.cube;
  reader.Number("cube", "mmad_side", cube.mmad_side);
  reader.Number("cube", "load_repeat", cube.load_repeat);
  reader.Number("cube", "load_index", cube.load_index);
  reader.Number("cube", "map_side", cube.map_side);
  reader.Number("cube", "filter_stride", cube.filter_stride);
  reader.Number("cube", "fill_count", cube.fill_count);
  reader.Number("cube", "nz_matrices", cube.nz_matrices);
  reader.Number("cube", "nz_rows", cube.nz_rows);
  reader.Number("cube", "nz_columns", cube.nz_columns);
  reader.Number("cube", "nz_stride", cube.nz_stride);
  reader.Number("cube", "fixpipe_columns", cube.fixpipe_columns);
  reader.Number("cube", "fixpipe_rows", cube.fixpipe_rows);
  reader.Number("cube", "fixpipe_nd_rows", cube.fixpipe_nd_rows);
  reader.Number("cube", "fixpipe_matrix_stride", cube.fixpipe_matrix_stride);
  reader.Number("cube", "result_alignment", cube.result_alignment);
  reader.Number("cube", "fixpipe_alignment", cube.fixpipe_alignment);
  reader.Number("cube", "accumulate_fractals", cube.accumulate_fractals);

  ChipSpec::MatmulRates& matmul = chip.matmul;
  reader.Number("matmul", "mmad_start", matmul.mmad_start);
  reader.Number("matmul", "load_start", matmul.load_start);
  reader.Number("matmul", "copy_start", matmul.copy_start);
  reader.Number("matmul", "fixpipe_start", matmul.fixpipe_start);
  reader.Number("matmul", "gm_to_l1", matmul.gm_to_l1);
  reader.Number("matmul", "gm_burst", matmul.gm_burst);
  reader.Number("matmul", "l1_to_l0a", matmul.l1_to_l0a);
  reader.Number("matmul", "l1_to_l0b", matmul.l1_to_l0b);
  reader.Number("matmul", "l0c_to_gm", matmul.l0c_to_gm);
  reader.Number("matmul", "quant_bytes", matmul.quant_bytes);
  reader.Number("matmul", "lost_overlap_percent", matmul.lost_overlap_percent);
  return chip;
}

}  // namespace

// Reads the files of a chip once in a process.
ChipSpec LoadChip(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, ChipSpec> read;
  const std::lock_guard lock(mutex);
  const auto found = read.find(name);
  if (found != read.end()) return found->second;
  return read.emplace(name, ReadChip(name)).first->second;
}

}  // namespace belay::npu
