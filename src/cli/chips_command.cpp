// SPDX-License-Identifier: Apache-2.0
// `belay chips`: the chips Belay can simulate.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "npu/chip_spec.h"

namespace belay::cli {
namespace {

void PrintChips(const std::vector<npu::ChipSpec>& chips) {
  fmt::print("{:<14} {:<14} {:>5} {:>7} {:>7} {:>8}\n", "chip", "title", "cube",
             "vector", "MHz", "UB KiB");
  for (const npu::ChipSpec& chip : chips) {
    fmt::print("{:<14} {:<14} {:>5} {:>7} {:>7} {:>8}\n", chip.name, chip.title,
               chip.cube_cores, chip.vector_cores, chip.clock_mhz,
               chip.BytesOf(abi::Memory::kUb) >> 10);
  }
}

void PrintChipsJson(const std::vector<npu::ChipSpec>& chips) {
  nlohmann::json list = nlohmann::json::array();
  for (const npu::ChipSpec& chip : chips) {
    list.push_back({{"name", chip.name},
                    {"title", chip.title},
                    {"cube_cores", chip.cube_cores},
                    {"vector_cores", chip.vector_cores},
                    {"clock_mhz", chip.clock_mhz},
                    {"ub_bytes", chip.BytesOf(abi::Memory::kUb)},
                    {"default", chip.name == npu::kDefaultChip}});
  }
  fmt::print("{}\n", list.dump(2));
}

}  // namespace

void AddChipsCommand(CLI::App& app, int* exit_code) {
  auto json = std::make_shared<bool>(false);
  CLI::App* chips = app.add_subcommand("chips", "List the chips Belay knows");
  chips->add_flag("--json", *json, "Print as JSON");
  chips->footer("Example:\n  belay chips");
  chips->callback([json, exit_code] {
    std::vector<npu::ChipSpec> specs;
    for (const std::string& name : npu::KnownChips()) {
      specs.push_back(npu::LoadChip(name));
    }
    *json ? PrintChipsJson(specs) : PrintChips(specs);
    *exit_code = 0;
  });
}

}  // namespace belay::cli
