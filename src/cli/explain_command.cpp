// SPDX-License-Identifier: Apache-2.0
// `belay explain`: the page of a diagnostic code.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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

std::vector<const CodeInfo*> AllPointers() {
  std::vector<const CodeInfo*> all;
  for (const CodeInfo& info : AllCodes()) all.push_back(&info);
  return all;
}

void PrintList(const std::vector<const CodeInfo*>& codes, bool json) {
  nlohmann::json list = nlohmann::json::array();
  for (const CodeInfo* info : codes) {
    if (json) {
      list.push_back({{"code", info->code}, {"title", info->title}});
    } else {
      fmt::print("{}  {}\n", info->code, info->title);
    }
  }
  if (json) fmt::print("{}\n", list.dump(2));
}

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return std::tolower(c); });
  return text;
}

// Codes whose pages hold the words, whatever their case: the names other tools
// have for the same faults stand there.
std::vector<const CodeInfo*> FindInPages(const std::string& words) {
  std::vector<const CodeInfo*> found;
  for (const CodeInfo& info : AllCodes()) {
    const std::string page = Lower(ReadPage(std::string(info.code)));
    if (page.find(Lower(words)) != std::string::npos) found.push_back(&info);
  }
  return found;
}

void Explain(const std::string& code, bool json) {
  if (code.empty()) return PrintList(AllPointers(), json);
  const CodeInfo* info = FindCode(code);
  if (info == nullptr) {
    const std::vector<const CodeInfo*> found = FindInPages(code);
    if (!found.empty()) return PrintList(found, json);
    throw UserError(fmt::format(
        "[explain] no diagnostic has the code '{0}', and no page mentions "
        "'{0}'; `belay explain` lists all codes",
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
      "explain",
      "Explain a diagnostic code, find codes by words, or list all of them");
  explain->add_option("CODE|WORDS", flags->code,
                      "BLY-N101, or words of its page: another tool's name "
                      "for the fault, such as 507035 or ErrorSync1");
  explain->add_flag("--json", flags->json, "Print as JSON");
  explain->footer("Example:\n  belay explain BLY-Q101\n  belay explain 507035");
  explain->callback([flags, exit_code] {
    Explain(flags->code, flags->json);
    *exit_code = 0;
  });
}

}  // namespace belay::cli
