// SPDX-License-Identifier: Apache-2.0
// Samples as lines of JSON, read and written.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <set>

#include "base/error.h"
#include "runs/sample.h"

namespace belay::runs {
namespace fs = std::filesystem;
using judge::CandidateKind;
using nlohmann::json;

namespace {

// Keys that say what is judged; all others are the manifest.
const std::set<std::string> kOwnKeys = {"task",      "case",   "sample",
                                        "candidate", "kind",   "text",
                                        "files",     "kernel", "name"};

[[noreturn]] void RefuseLine(const std::string& where, const std::string& why) {
  throw UserError(fmt::format("[samples] {}: {}", where, why));
}

std::string TextOf(const json& line, const char* key,
                   const std::string& where) {
  const auto found = line.find(key);
  if (found == line.end()) return "";
  if (!found->is_string()) {
    RefuseLine(where,
               fmt::format("\"{}\" is {}, not a string", key, found->dump()));
  }
  return found->get<std::string>();
}

CandidateKind KindOf(const std::string& name, const std::string& where) {
  for (const CandidateKind kind :
       {CandidateKind::kProject, CandidateKind::kKernel,
        CandidateKind::kCrux}) {
    if (NameOf(kind) == name) return kind;
  }
  RefuseLine(where, fmt::format("\"kind\" is '{}': it must be project, kernel "
                                "or crux",
                                name));
}

// Text, or {"hex": …} for what is not UTF-8.
std::string FileTextOf(const json& text, const std::string& path,
                       const std::string& where) {
  if (text.is_string()) return text.get<std::string>();
  const std::string hex = text.is_object() ? TextOf(text, "hex", where) : "";
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    unsigned byte = 0;
    const auto [end, error] =
        std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
    if (end != hex.data() + i + 2) break;
    bytes += static_cast<char>(byte);
  }
  if (hex.empty() || bytes.size() * 2 != hex.size()) {
    RefuseLine(where, fmt::format("the text of '{}' is neither a string nor "
                                  "{{\"hex\": \"…\"}}",
                                  path));
  }
  return bytes;
}

json JsonOfText(const std::string& text) {
  try {
    json(text).dump();
    return text;
  } catch (const json::exception&) {
    std::string hex;
    for (const char byte : text) {
      hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    return {{"hex", hex}};
  }
}

judge::Candidate CandidateOf(const json& line, const std::string& where,
                             const fs::path& folder) {
  const int forms = static_cast<int>(line.contains("candidate")) +
                    static_cast<int>(line.contains("text")) +
                    static_cast<int>(line.contains("files"));
  if (forms != 1) {
    RefuseLine(where,
               "give one of \"candidate\" (a path), \"text\" (of one file) and "
               "\"files\" (path to text)");
  }
  if (line.contains("candidate")) {
    const fs::path path = TextOf(line, "candidate", where);
    try {
      return judge::LoadCandidate(
          (path.is_absolute() ? path : folder / path).string());
    } catch (const UserError& error) {
      RefuseLine(where, error.what());
    }
  }
  const CandidateKind kind = KindOf(TextOf(line, "kind", where), where);
  std::vector<judge::CandidateFile> files;
  std::string name = TextOf(line, "name", where);
  if (line.contains("text")) {
    if (kind == CandidateKind::kProject) {
      RefuseLine(where, "a project has several files: give \"files\"");
    }
    if (name.empty()) {
      name = kind == CandidateKind::kCrux ? "kernel.crux" : "kernel.cpp";
    }
    files.push_back({name, TextOf(line, "text", where)});
  } else {
    const json& texts = line.at("files");
    if (!texts.is_object() || texts.empty()) {
      RefuseLine(where, "\"files\" must be an object of paths and texts");
    }
    for (const auto& [path, text] : texts.items()) {
      files.push_back({path, FileTextOf(text, path, where)});
    }
    if (name.empty()) {
      name = files.size() == 1 ? files.front().path : "project";
    }
  }
  return judge::MakeCandidate(kind, std::move(name), std::move(files),
                              TextOf(line, "kernel", where));
}

std::string SampleNameOf(const json& line, const std::string& where) {
  const auto found = line.find("sample");
  if (found == line.end()) return "";
  if (found->is_number_integer()) return found->dump();
  if (found->is_string() && !found->get<std::string>().empty()) {
    return found->get<std::string>();
  }
  RefuseLine(where, "\"sample\" must be a name or a number");
}

// The id of the task a line names, or "" when it is not among the selected.
std::string SelectedId(const std::string& name, const std::string& where,
                       const std::vector<const bench::Task*>& selected,
                       const std::vector<const bench::Task*>& known) {
  const auto has = [&](const std::vector<const bench::Task*>& tasks) {
    return std::ranges::any_of(
        tasks, [&](const bench::Task* task) { return task->id == name; });
  };
  if (has(selected)) return name;
  if (!has(known)) {
    RefuseLine(where, fmt::format("there is no task '{}'; `belay tasks list` "
                                  "lists the ids",
                                  name));
  }
  return "";
}

}  // namespace

Sample SampleOf(const json& line, const std::string& where,
                const fs::path& folder) {
  if (!line.is_object()) RefuseLine(where, "a line must be a JSON object");
  Sample sample;
  sample.task = TextOf(line, "task", where);
  if (sample.task.empty()) RefuseLine(where, "\"task\" is missing");
  sample.only_case = TextOf(line, "case", where);
  sample.name = SampleNameOf(line, where);
  sample.candidate = CandidateOf(line, where, folder);
  for (const auto& [key, value] : line.items()) {
    if (!kOwnKeys.contains(key)) sample.manifest[key] = value;
  }
  return sample;
}

json ToJson(const Sample& sample) {
  json line = sample.manifest;
  line["task"] = sample.task;
  if (!sample.only_case.empty()) line["case"] = sample.only_case;
  line["sample"] = sample.name;
  line["kind"] = NameOf(sample.candidate.kind);
  line["name"] = sample.candidate.name;
  if (!sample.candidate.kernel.empty()) {
    line["kernel"] = sample.candidate.kernel;
  }
  json& files = line["files"] = json::object();
  for (const judge::CandidateFile& file : sample.candidate.files) {
    files[file.path] = JsonOfText(file.text);
  }
  return line;
}

std::vector<Sample> SamplesOfFile(
    const fs::path& file, const std::vector<const bench::Task*>& selected,
    const std::vector<const bench::Task*>& known) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw UserError(
        fmt::format("[samples] '{}' cannot be read", file.string()));
  }
  std::vector<Sample> samples;
  std::map<std::pair<std::string, std::string>, int64_t> counts;
  std::string text;
  for (int64_t number = 1; std::getline(in, text); ++number) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string where =
        fmt::format("{}:{}", file.filename().string(), number);
    const json line = json::parse(text, nullptr, false);
    if (line.is_discarded()) RefuseLine(where, "the line is not JSON");
    Sample sample = SampleOf(line, where, file.parent_path());
    sample.task = SelectedId(sample.task, where, selected, known);
    if (sample.task.empty()) continue;
    int64_t& count = counts[{sample.task, sample.only_case}];
    if (sample.name.empty()) sample.name = std::to_string(count);
    ++count;
    samples.push_back(std::move(sample));
  }
  SortSamples(samples);
  RequireDistinctNames(samples);
  return samples;
}

}  // namespace belay::runs
