// SPDX-License-Identifier: Apache-2.0
#include "clock/clock_spec.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <mutex>

#include "base/error.h"
#include "base/resources.h"
#include "npu/chip_spec.h"

namespace belay::clock {
namespace {

// Units of what makes kernels faster when there is more of it.
constexpr std::array<std::string_view, 4> kRateUnits = {"GB/s", "bytes/cycle",
                                                        "requests", "entries"};

struct Prefix {
  std::string_view text;
  Origin origin;
};
constexpr Prefix kOrigins[] = {{"documented:", Origin::kDocumented},
                               {"measured:", Origin::kMeasured},
                               {"fitted:", Origin::kFitted},
                               {"assumed:", Origin::kAssumed}};

// Element widths a vector cost is given for; "any" stands for all of them.
constexpr std::array<int, 4> kWidths = {8, 16, 32, 64};
constexpr std::string_view kAnyWidth = "any";

toml::table ParseFile(const std::filesystem::path& path) {
  try {
    return toml::parse_file(path.string());
  } catch (const toml::parse_error& error) {
    throw UserError(fmt::format("[clock] {}:{}: {}", path.string(),
                                error.source().begin.line,
                                error.description()));
  }
}

Constant ParseConstant(const std::filesystem::path& path, std::string_view key,
                       const toml::node& node) {
  const auto* table = node.as_table();
  const auto value =
      table == nullptr ? std::nullopt : (*table)["value"].value<double>();
  const auto source =
      table == nullptr ? std::nullopt : (*table)["source"].value<std::string>();
  if (!value || *value < 0 || !source) {
    throw UserError(fmt::format(
        "[clock] {}: {} must be {{ value = N, source = \"…\" }} with N ≥ 0",
        path.string(), key));
  }
  Constant constant;
  constant.value = *value;
  constant.source = *source;
  const auto* origin = std::find_if(
      std::begin(kOrigins), std::end(kOrigins),
      [&](const Prefix& prefix) { return source->starts_with(prefix.text); });
  if (origin == std::end(kOrigins)) {
    throw UserError(fmt::format(
        "[clock] {}: the source of {} must begin with documented:, measured:, "
        "fitted: or assumed:, it is \"{}\"",
        path.string(), key, *source));
  }
  constant.origin = origin->origin;
  const auto unit = (*table)["unit"].value<std::string>().value_or("cycles");
  constant.is_rate =
      std::find(kRateUnits.begin(), kRateUnits.end(), unit) != kRateUnits.end();
  return constant;
}

}  // namespace

class ClockSpecReader {
 public:
  explicit ClockSpecReader(const npu::ChipSpec& chip) {
    spec_.chip_ = chip.name;
    spec_.clock_mhz_ = chip.clock_mhz;
    spec_.vector_cores_ = chip.vector_cores;
    spec_.cube_cores_ = chip.cube_cores;
    Constant l2;
    l2.value = static_cast<double>(chip.l2_bytes);
    l2.origin = Origin::kDocumented;
    l2.source = "documented: platform description";
    l2.is_rate = true;
    spec_.constants_["memory.l2_bytes"] = l2;
    ReadCosts(chip.architecture);
    ReadChip(chip.name);
    spec_.Refresh();
  }

  ClockSpec Take() { return std::move(spec_); }

 private:
  void ReadCosts(int architecture) {
    const auto path = Resource("data/chips") / "costs" /
                      fmt::format("arch{}.toml", architecture);
    const toml::table file = ParseFile(path);
    for (const auto& [group, node] : file) {
      const auto* table = node.as_table();
      if (table == nullptr) continue;
      if (group.str() != "vector") {
        ReadGroup(path, group.str(), *table);
        continue;
      }
      for (const auto& [name, cost] : *table) {
        if (const auto* entries = cost.as_table()) {
          ReadVectorClass(path, name.str(), *entries);
        }
      }
    }
    std::sort(spec_.vector_.begin(), spec_.vector_.end(),
              [](const VectorCost& a, const VectorCost& b) {
                return a.name < b.name;
              });
  }

  // What a chip is like comes first, so that its own numbers take its place.
  void ReadChip(const std::string& name) {
    const auto path = Resource("data/chips") / (name + ".toml");
    const toml::table file = ParseFile(path);
    if (const auto like = file["like"].value<std::string>()) ReadChip(*like);
    const auto* clock = file["clock"].as_table();
    if (clock == nullptr) return;
    for (const auto& [group, node] : *clock) {
      if (const auto* table = node.as_table()) {
        ReadGroup(path, group.str(), *table);
      }
    }
  }

  void ReadGroup(const std::filesystem::path& path, std::string_view group,
                 const toml::table& table) {
    for (const auto& [name, node] : table) {
      const std::string key = fmt::format("{}.{}", group, name.str());
      spec_.constants_[key] = ParseConstant(path, key, node);
    }
  }

  void ReadVectorClass(const std::filesystem::path& path, std::string_view name,
                       const toml::table& table) {
    const std::string prefix = fmt::format("vector.{}", name);
    const bool per_unit = table["unit"].value<bool>().value_or(false);
    for (const auto& [key, node] : table) {
      if (key.str() == "operations" || key.str() == "unit") continue;
      const std::string full = fmt::format("{}.{}", prefix, key.str());
      spec_.constants_[full] = ParseConstant(path, full, node);
    }
    const auto* operations = table["operations"].as_array();
    if (operations == nullptr || !table.contains("start")) {
      throw UserError(
          fmt::format("[clock] {}: [{}] must name its operations and a start",
                      path.string(), prefix));
    }
    for (const auto& node : *operations) {
      const auto operation = node.value<std::string>().value_or("");
      for (const int bits : kWidths) {
        const std::string width = fmt::format("b{}", bits);
        const std::string_view slope =
            table.contains(width) ? std::string_view(width) : kAnyWidth;
        if (!table.contains(slope)) continue;
        VectorCost cost;
        cost.name = fmt::format("{}.{}", operation, width);
        cost.per_unit = per_unit;
        cost.start_key = prefix + ".start";
        cost.slope_key = fmt::format("{}.{}", prefix, slope);
        spec_.vector_.push_back(std::move(cost));
      }
    }
  }

  ClockSpec spec_;
};

const Constant& ClockSpec::at(std::string_view key) const {
  const auto found = constants_.find(key);
  if (found == constants_.end()) {
    throw UserError(fmt::format(
        "[clock] the files of chip {} in data/chips do not give '{}'", chip_,
        key));
  }
  return found->second;
}

void ClockSpec::Set(std::string_view key, double value) {
  const auto found = constants_.find(key);
  if (found == constants_.end()) {
    throw UserError(
        fmt::format("[clock] chip {} has no constant '{}'", chip_, key));
  }
  found->second.value = value;
  Refresh();
}

std::optional<uint16_t> ClockSpec::FindVectorCost(std::string_view operation,
                                                  int bits) const {
  const std::string name = fmt::format("{}.b{}", operation, bits);
  const auto found =
      std::lower_bound(vector_.begin(), vector_.end(), name,
                       [](const VectorCost& cost, const std::string& n) {
                         return cost.name < n;
                       });
  if (found == vector_.end() || found->name != name) return std::nullopt;
  return static_cast<uint16_t>(found - vector_.begin());
}

ClockSpec ClockSpec::WithAssumed(double factor) const {
  ClockSpec changed = *this;
  for (auto& [key, constant] : changed.constants_) {
    if (constant.origin != Origin::kAssumed) continue;
    constant.value =
        constant.is_rate ? constant.value / factor : constant.value * factor;
  }
  changed.Refresh();
  return changed;
}

void ClockSpec::Refresh() {
  for (VectorCost& cost : vector_) {
    cost.start = constants_.at(cost.start_key);
    cost.slope = constants_.at(cost.slope_key);
  }
}

// Reads the files of a chip once in a process.
ClockSpec LoadClockSpec(const std::string& chip) {
  static std::mutex mutex;
  static std::map<std::string, ClockSpec> read;
  const std::lock_guard lock(mutex);
  const auto found = read.find(chip);
  if (found != read.end()) return found->second;
  const npu::ChipSpec spec = npu::LoadChip(chip);
  return read.emplace(chip, ClockSpecReader(spec).Take()).first->second;
}

}  // namespace belay::clock
