// SPDX-License-Identifier: Apache-2.0
#include "source_mutants.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace belay::orders {
namespace {

// Statements that are left out, with how they are called.
struct Deletion {
  const char* group;
  const char* call;
};
constexpr Deletion kDeletions[] = {
    {"queue", R"(\b\w+\.EnQue\()"},
    {"queue", R"(\b\w+\.FreeTensor\()"},
    {"flag", R"((AscendC::)?SetFlag<)"},
    {"flag", R"((AscendC::)?WaitFlag<)"},
    {"flag", R"(Order<)"},
    {"barrier", R"((AscendC::)?PipeBarrier<)"},
    {"between blocks", R"((AscendC::)?SyncAll\()"},
    {"between blocks", R"(IB(Set|Wait)\()"},
    {"cache", R"((AscendC::)?DataCacheCleanAndInvalid<)"},
};

// Texts that become another.
struct Replacement {
  const char* group;
  const char* from;
  const char* to;
};
constexpr Replacement kReplacements[] = {
    {"buffer count", R"(InitBuffer\((\w+), 2,)", "InitBuffer($1, 1,"},
    {"buffer count", R"(InitBuffer\((\w+), 2,)", "InitBuffer($1, 3,"},
    {"event id", R"(EVENT_ID0)", "EVENT_ID1"},
    {"event id", R"(EVENT_ID1)", "EVENT_ID0"},
    {"event id", R"(\(id\))", "(EVENT_ID2)"},
    {"flag", R"(MTE2_V)", "MTE2_S"},
    {"flag", R"(V_MTE2)", "V_S"},
    {"flag", R"(V_MTE3)", "V_S"},
    {"flag", R"(MTE3_MTE2)", "MTE3_S"},
    {"barrier", R"(PIPE_V\b)", "PIPE_MTE2"},
    {"barrier", R"(PIPE_ALL)", "PIPE_V"},
    {"length", R"(, (n|columns_|kTile|kRow)\);)", ", $1 + 1);"},
    {"length", R"(, (n|columns_|kTile|kRow)\);)", ", $1 - 1);"},
    {"length", R"(, (n|columns_|kTile|kRow)\);)", ", $1 + 32);"},
    {"length", R"((n|columns_) \* \(uint32_t\))", "($1 + 1) * (uint32_t)"},
    {"length", R"((n|columns_) \* \(uint32_t\))", "($1 - 1) * (uint32_t)"},
    {"length", R"((\w+) \* sizeof\((\w+)\)\);)", "$1 * sizeof($2) - 32);"},
    {"alignment", R"(kAlign = \w+;)", "kAlign = 4;"},
    {"alignment", R"(\[at\])", "[at + 1]"},
    {"alignment", R"(\[(\w+) \* (\w+)\])", "[$1 * $2 + 1]"},
    {"alignment", R"(\[(\w+) \* (\w+)\])", "[$1 * $2 + 8]"},
};

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The whole line or lines of the statement at `at`: from the line's start to
// behind its semicolon.
std::pair<size_t, size_t> StatementAt(const std::string& text, size_t at) {
  const size_t begin = text.rfind('\n', at) + 1;
  const size_t end = text.find(';', at);
  return {begin, end == std::string::npos ? begin : end + 1};
}

std::string LineAt(const std::string& text, size_t at) {
  const size_t begin = text.find_first_not_of(' ', text.rfind('\n', at) + 1);
  return text.substr(begin, text.find('\n', at) - begin);
}

// Calls f(match) for each match before main.
template <typename F>
void ForEachMatch(const std::string& text, const char* pattern, F f) {
  const auto end = text.begin() + static_cast<long>(text.find("\nint main("));
  const std::regex regex(pattern);
  for (std::sregex_iterator at(text.begin(), end, regex), none; at != none;
       ++at) {
    f(*at);
  }
}

Verdict JudgeOne(const SourceMutant& mutant, const std::string& path,
                 const std::string& include_dir,
                 const std::vector<std::string>& arguments,
                 const JudgeOptions& options, bool& compiled) {
  std::ofstream(path) << mutant.text;
  guest::ProgramOptions program;
  program.sources = {path};
  program.arguments = arguments;
  program.include_dirs = {include_dir};
  const Judgement judgement = JudgeProgram(program, options);
  Verdict verdict;
  verdict.group = mutant.group;
  compiled = !judgement.kernels.empty();
  for (const Verdict& kernel : judgement.kernels) {
    verdict.differing += kernel.differing;
    verdict.orders += kernel.orders;
    verdict.races = verdict.races || kernel.races;
    verdict.race_told = verdict.race_told || kernel.race_told;
    verdict.found.insert(verdict.found.end(), kernel.found.begin(),
                         kernel.found.end());
    verdict.crashed = verdict.crashed || kernel.crashed;
  }
  for (const std::string& error : judgement.errors) {
    verdict.found.push_back(error.substr(0, error.find(' ')));
    verdict.trapped = true;
  }
  return verdict;
}

}  // namespace

std::vector<SourceMutant> MakeSourceMutants(const std::string& text) {
  std::vector<SourceMutant> mutants;
  for (const Deletion& deletion : kDeletions) {
    ForEachMatch(text, deletion.call, [&](const std::smatch& match) {
      const auto at = static_cast<size_t>(match.position());
      const auto [begin, end] = StatementAt(text, at);
      std::string changed = text;
      // Only calls that begin their line; an empty statement stays.
      if (text.find_first_not_of(' ', begin) != at) return;
      changed.replace(begin, end - begin, ";");
      mutants.push_back(
          {deletion.group, "without " + LineAt(text, at), std::move(changed)});
    });
  }
  for (const Replacement& replacement : kReplacements) {
    ForEachMatch(text, replacement.from, [&](const std::smatch& match) {
      std::string changed = text;
      const auto at = static_cast<size_t>(match.position());
      changed.replace(at, static_cast<size_t>(match.length()),
                      match.format(replacement.to));
      const std::string line = LineAt(changed, at);
      mutants.push_back({replacement.group, line, std::move(changed)});
    });
  }
  return mutants;
}

Judgement JudgeSourceMutants(const JudgeOptions& options) {
  struct Program {
    const char* file;
    std::vector<std::string> arguments;
    bool auto_sync;
  };
  const Program programs[] = {
      {"examples/add/add.asc", {"2", "20000"}, true},
      {"examples/softmax/softmax.asc", {"2", "5", "303"}, true},
      {"examples/sum/sum.asc", {"3", "7001"}, true},
      {"tests/orders/kernels/chosen_lanes.asc", {}, true},
      {"tests/orders/kernels/ping_pong.asc", {}, false},
      {"tests/orders/kernels/relay.asc", {}, false},
      {"tests/orders/kernels/scalar_unit.asc", {}, false},
  };
  std::string folder =
      (std::filesystem::temp_directory_path() / "mutants.XXXXXX").string();
  folder = mkdtemp(folder.data());
  Judgement all;
  for (const Program& program : programs) {
    const std::filesystem::path path =
        std::filesystem::path(BELAY_SOURCE_DIR) / program.file;
    JudgeOptions with = options;
    with.auto_sync = program.auto_sync;
    for (const SourceMutant& mutant : MakeSourceMutants(ReadText(path))) {
      bool compiled = false;
      Verdict verdict = JudgeOne(
          mutant, folder + "/" + path.filename().string(),
          path.parent_path().string(), program.arguments, with, compiled);
      if (!compiled) continue;
      verdict.what = path.stem().string() + ": " + mutant.what;
      all.mutants.push_back(std::move(verdict));
    }
  }
  std::filesystem::remove_all(folder);
  return all;
}

}  // namespace belay::orders
