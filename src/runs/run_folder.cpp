// SPDX-License-Identifier: Apache-2.0
#include "runs/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <map>
#include <sstream>
#include <tuple>

#include "base/error.h"
#include "runs/atomic_file.h"

namespace belay::runs {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int kRunVersion = 1;

json ParseFile(const std::string& text, const std::string& where) {
  json value = json::parse(text, nullptr, false);
  if (value.is_discarded()) {
    throw UserError(fmt::format("[run] {} is not JSON", where));
  }
  return value;
}

// Each line of a file with its place ("results.jsonl:3").
std::vector<std::pair<std::string, json>> LinesOf(const fs::path& file) {
  std::istringstream in(ReadWhole(file));
  std::vector<std::pair<std::string, json>> lines;
  std::string text;
  for (int64_t number = 1; std::getline(in, text); ++number) {
    std::string where = fmt::format("{}:{}", file.filename().string(), number);
    json value = ParseFile(text, where);
    lines.emplace_back(std::move(where), std::move(value));
  }
  return lines;
}

using SampleName = std::tuple<std::string, std::string, std::string>;

SampleName NameOfLine(const json& line, const std::string& where) {
  try {
    return {line.at("task").get<std::string>(),
            line.at("problem").get<std::string>(),
            line.at("sample").get<std::string>()};
  } catch (const json::exception& error) {
    throw UserError(fmt::format("[run] {}: {}", where, error.what()));
  }
}

}  // namespace

bool HasRun(const fs::path& folder) { return fs::exists(folder / "run.json"); }

void BeginRun(const fs::path& folder, const json& run,
              const std::vector<Sample>& samples, const std::string& secret) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw UserError(fmt::format("[run] the folder '{}' cannot be made: {}",
                                folder.string(), error.message()));
  }
  std::string lines;
  for (const Sample& sample : samples) {
    lines +=
        ToJson(sample).dump(-1, ' ', false, json::error_handler_t::replace) +
        "\n";
  }
  WriteAtomically(folder / "secret", secret, 0600);
  WriteAtomically(folder / "samples.jsonl", lines);
  json versioned = run;
  versioned["belay_run"] = kRunVersion;
  WriteAtomically(folder / "run.json", versioned.dump(2) + "\n");
}

json ReadRunFile(const fs::path& folder) {
  const fs::path file = folder / "run.json";
  if (!HasRun(folder)) {
    throw UserError(fmt::format(
        "[run] '{}' is no run: it has no run.json (`belay bench --run` makes "
        "one)",
        folder.string()));
  }
  json run = ParseFile(ReadWhole(file), file.string());
  if (!run.is_object() || run.value("belay_run", 0) != kRunVersion) {
    throw UserError(fmt::format(
        "[run] '{}' was not written by this version of belay bench: it needs "
        "\"belay_run\": {}",
        file.string(), kRunVersion));
  }
  return run;
}

std::vector<Sample> ReadRunSamples(const fs::path& folder) {
  std::vector<Sample> samples;
  for (const auto& [where, line] : LinesOf(folder / "samples.jsonl")) {
    samples.push_back(SampleOf(line, where, folder));
  }
  return samples;
}

std::string ReadRunSecret(const fs::path& folder) {
  return ReadWhole(folder / "secret");
}

json ResumedOptions(const json& of_run, const json& asked,
                    const std::set<std::string>& given) {
  for (const std::string& name : given) {
    const json before = of_run.value(name, json());
    if (before == asked.at(name)) continue;
    throw UserError(fmt::format(
        "[run] the run was begun with {} = {}, and cannot go on with {}: leave "
        "the option out, or begin another run",
        name, before.dump(), asked.at(name).dump()));
  }
  return of_run;
}

RunLock::RunLock(const fs::path& folder)
    : file_(open((folder / "run.json").c_str(), O_RDONLY | O_CLOEXEC)) {
  if (!file_.valid()) {
    throw UserError(fmt::format("[run] '{}' cannot be read",
                                (folder / "run.json").string()));
  }
  if (flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
    throw UserError(fmt::format("[run] another belay bench is at work in '{}'",
                                folder.string()));
  }
}

fs::path ScratchPath(const fs::path& folder) {
  return fs::absolute(folder / "scratch");
}

ScratchFolder::ScratchFolder(const fs::path& folder)
    : path_(ScratchPath(folder)) {
  std::error_code error;
  fs::remove_all(path_, error);
  if (!error) fs::create_directories(path_, error);
  if (error) {
    throw UserError(fmt::format("[run] the folder '{}' cannot be made: {}",
                                path_.string(), error.message()));
  }
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void WriteResults(const fs::path& folder, const std::vector<Result>& results) {
  WriteAtomically(folder / "extras.jsonl", ExtraLines(results));
  WriteAtomically(folder / "results.csv", ResultTable(results));
  WriteAtomically(folder / "results.jsonl", ResultLines(results));
}

LoadedRun LoadRun(const fs::path& folder) {
  LoadedRun loaded;
  loaded.folder = folder;
  loaded.run = ReadRunFile(folder);
  if (!fs::exists(folder / "results.jsonl")) {
    throw UserError(fmt::format(
        "[run] '{}' has no results yet: `belay bench --run {} --resume` goes "
        "on with it",
        folder.string(), folder.string()));
  }
  std::map<SampleName, Sample> samples;
  for (Sample& sample : ReadRunSamples(folder)) {
    SampleName name(sample.task, sample.problem(), sample.name);
    samples.emplace(std::move(name), std::move(sample));
  }
  loaded.samples = samples.size();
  std::map<SampleName, json> extras;
  if (fs::exists(folder / "extras.jsonl")) {
    for (auto& [where, line] : LinesOf(folder / "extras.jsonl")) {
      extras.emplace(NameOfLine(line, where), std::move(line));
    }
  }
  for (const auto& [where, line] : LinesOf(folder / "results.jsonl")) {
    const SampleName name = NameOfLine(line, where);
    Result result;
    const auto sample = samples.find(name);
    if (sample == samples.end()) {
      throw UserError(
          fmt::format("[run] {} is of a sample that samples.jsonl "
                      "does not have",
                      where));
    }
    result.sample = std::move(sample->second);
    samples.erase(sample);
    line.get_to(result.verdict);
    if (const auto extra = extras.find(name); extra != extras.end()) {
      extra->second.get_to(result.extras);
      result.attempts = extra->second.value("attempts", 1);
    }
    loaded.results.push_back(std::move(result));
  }
  return loaded;
}

}  // namespace belay::runs
