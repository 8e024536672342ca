// SPDX-License-Identifier: Apache-2.0
// `belay crux`: checks, formats, compiles and runs programs of the tile
// language.

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/command.h"
#include "cli/crux_emit.h"
#include "cli/crux_run.h"
#include "crux/check.h"
#include "crux/format.h"
#include "crux/print_typed.h"
#include "runs/atomic_file.h"

namespace belay::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  bool json = false;
  bool tree = false;
};

struct FormatOptions {
  std::vector<std::string> files;
  bool check = false;
  bool in_place = false;
};

// A diagnostic with the page that explains its rule.
nlohmann::json WithPage(const Diagnostic& diagnostic) {
  nlohmann::json json = diagnostic;
  json["page"] = fmt::format("docs/diagnostics/{}.md", diagnostic.code);
  return json;
}

int CheckFiles(const CheckOptions& options) {
  int exit_code = 0;
  nlohmann::json files = nlohmann::json::array();
  for (const std::string& path : options.files) {
    const crux::Checked checked = crux::CheckFile(path);
    if (!checked.ok()) exit_code = kFinding;
    if (options.json) {
      nlohmann::json entry = {{"file", path}, {"ok", checked.ok()}};
      entry["diagnostics"] = nlohmann::json::array();
      for (const Diagnostic& diagnostic : checked.diagnostics) {
        entry["diagnostics"].push_back(WithPage(diagnostic));
      }
      if (checked.ok() && options.tree) {
        entry["tree"] = crux::ToText(*checked.program);
      }
      files.push_back(std::move(entry));
      continue;
    }
    for (const Diagnostic& diagnostic : checked.diagnostics) {
      fmt::print(stderr, "{}", ToText(diagnostic));
    }
    if (checked.ok() && options.tree) {
      fmt::print("{}", crux::ToText(*checked.program));
    } else if (checked.ok()) {
      std::string names;
      for (const crux::typed::Kernel* kernel : checked.program->kernels) {
        names += (names.empty() ? "" : ", ") + kernel->name;
      }
      fmt::print("{}: ok ({})\n", path, names);
    }
  }
  if (options.json) {
    fmt::print("{}\n", files.dump(2, ' ', false,
                                  nlohmann::json::error_handler_t::replace));
  }
  return exit_code;
}

int FormatFiles(const FormatOptions& options) {
  if (options.check && options.in_place) {
    throw UserError(
        "[crux format] --check changes nothing and --in-place does; "
        "give one of them");
  }
  int exit_code = 0;
  for (const std::string& path : options.files) {
    const std::string before = crux::ReadProgram(path);
    const crux::Formatted formatted = crux::Format(path, before);
    for (const Diagnostic& diagnostic : formatted.diagnostics) {
      fmt::print(stderr, "{}", ToText(diagnostic));
    }
    if (!formatted.ok) {
      exit_code = kFinding;
    } else if (options.check) {
      if (formatted.text == before) continue;
      fmt::print("{} is not formatted\n", path);
      exit_code = kFinding;
    } else if (!options.in_place) {
      fmt::print("{}", formatted.text);
    } else if (formatted.text != before) {
      // The file that a link names, with the rights it has.
      const std::filesystem::path file = std::filesystem::canonical(path);
      runs::WriteAtomically(
          file, formatted.text,
          static_cast<unsigned>(std::filesystem::status(file).permissions()));
      fmt::print("{} formatted\n", path);
    }
  }
  return exit_code;
}

}  // namespace

void AddCruxCommand(CLI::App& app, int* exit_code) {
  CLI::App* crux = app.add_subcommand(
      "crux",
      "Check, format, run and compile programs of the tile language Crux");
  crux->require_subcommand(1);

  auto check_options = std::make_shared<CheckOptions>();
  CLI::App* check = crux->add_subcommand(
      "check", "Check programs against the rules of the language");
  check->add_option("FILE", check_options->files, "Crux files")->required();
  check->add_flag("--json", check_options->json,
                  "Print diagnostics as JSON: code, message, fix, place, page");
  check->add_flag("--tree", check_options->tree,
                  "Print the typed tree: every name resolved, every type");
  check->footer("Example: belay crux check examples/crux/softmax.crux");
  check->callback(
      [check_options, exit_code] { *exit_code = CheckFiles(*check_options); });

  auto format_options = std::make_shared<FormatOptions>();
  CLI::App* format =
      crux->add_subcommand("format", "Print programs in their canonical form");
  format->add_option("FILE", format_options->files, "Crux files")->required();
  format->add_flag("--check", format_options->check,
                   "Name files that are not formatted and exit with 1");
  format->add_flag("--in-place", format_options->in_place,
                   "Write the files instead of printing them");
  format->footer("Example: belay crux format --in-place softmax.crux");
  format->callback([format_options, exit_code] {
    *exit_code = FormatFiles(*format_options);
  });

  AddCruxRun(*crux, exit_code);
  AddCruxEmit(*crux, exit_code);
}

}  // namespace belay::cli
