// SPDX-License-Identifier: Apache-2.0
// `belay explain`: the page of a diagnostic code.

#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/catalogue.h"
#include "base/error.h"
#include "base/resources.h"
#include "cli/command.h"

namespace belay::cli {
namespace {

std::string ReadPage(const std::string& code) {
  std::ifstream in(Resource("docs/diagnostics/" + code + ".md"));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void PrintList(bool json) {
  nlohmann::json list = nlohmann::json::array();
  for (const CodeInfo& info : AllCodes()) {
    if (json) {
      list.push_back({{"code", info.code}, {"title", info.title}});
    } else {
      fmt::print("{}  {}\n", info.code, info.title);
    }
  }
  if (json) fmt::print("{}\n", list.dump(2));
}

void Explain(const std::string& code, bool json) {
  if (code.empty()) return PrintList(json);
  const CodeInfo* info = FindCode(code);
  if (info == nullptr) {
    throw UserError(fmt::format(
        "[explain] no diagnostic has the code '{}'; `belay explain` lists them",
        code));
  }
  const std::string page = ReadPage(code);
  if (json) {
    const nlohmann::json result = {
        {"code", info->code}, {"title", info->title}, {"page", page}};
    fmt::print("{}\n", result.dump(2));
  } else {
    fmt::print("{}", page);
  }
}

}  // namespace

void AddExplainCommand(CLI::App& app, int* exit_code) {
  struct Flags {
    std::string code;
    bool json = false;
  };
  auto flags = std::make_shared<Flags>();
  CLI::App* explain = app.add_subcommand(
      "explain", "Explain a diagnostic code, or list all of them");
  explain->add_option("CODE", flags->code, "For example BLY-N101");
  explain->add_flag("--json", flags->json, "Print as JSON");
  explain->footer("Example:\n  belay explain BLY-Q101");
  explain->callback([flags, exit_code] {
    Explain(flags->code, flags->json);
    *exit_code = 0;
  });
}

}  // namespace belay::cli
