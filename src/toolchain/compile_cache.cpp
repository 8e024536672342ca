// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compile_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "toolchain/cache_key.h"
#include "toolchain/hash.h"

namespace belay::toolchain {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

// Compilations of one key: its headers may have been in as many states.
constexpr size_t kRecordsPerKey = 8;

std::string PathOf(const CompileCache& cache, const std::string& hash,
                   const char* ending) {
  return (fs::path(cache.directory) / hash.substr(0, 2) / (hash + ending))
      .string();
}

// Marks a file as used now.
void Touch(const std::string& path) {
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
}

json ToJson(const InputFiles& inputs) {
  json stamps = json::object();
  for (const auto& [path, stamp] : inputs.stamps)
    stamps[path] = {stamp.bytes, stamp.modified};
  return {{"contents", inputs.contents},
          {"stamps", std::move(stamps)},
          {"absent", inputs.absent}};
}

bool AreUnchanged(const json& inputs) {
  for (const auto& [path, stamp] : inputs.at("stamps").items()) {
    const FileStamp then = {stamp.at(0).get<uint64_t>(),
                            stamp.at(1).get<int64_t>()};
    if (StampOf(path) != then) return false;
  }
  for (const json& path : inputs.at("absent"))
    if (StampOf(path.get<std::string>())) return false;
  for (const auto& [path, hash] : inputs.at("contents").items()) {
    const auto bytes = ReadWhole(path);
    if (!bytes || HashOf(*bytes) != hash.get<std::string>()) return false;
  }
  return true;
}

// Records of a key, newest first; an array, whatever the file holds.
json ReadRecords(const CompileCache& cache, const CacheKey& key) {
  const auto text = ReadWhole(PathOf(cache, key.text, ".json"));
  json records =
      text ? json::parse(*text, nullptr, /*allow_exceptions=*/false) : json();
  return records.is_array() ? records : json::array();
}

// Puts the object of a record into place; nothing when it is not there as it
// was stored.
std::optional<CompileResult> Restore(const CompileOptions& options,
                                     const CompileCache& cache,
                                     const json& record) {
  const auto hash = record.at("object").get<std::string>();
  const std::string path = PathOf(cache, hash, ".so");
  const auto bytes = ReadWhole(path);
  if (!bytes || HashOf(*bytes) != hash) return std::nullopt;
  CompileResult result;
  result.ok = true;
  result.from_cache = true;
  result.diagnostics = record.at("diagnostics").get<std::vector<Diagnostic>>();
  result.used_precompiled_header =
      record.at("used_precompiled_header").get<bool>();
  if (!WriteAtomically(options.output, *bytes)) return std::nullopt;
  ::chmod(options.output.c_str(), 0755);
  Touch(path);
  return result;
}

std::optional<CompileResult> Find(const CompileOptions& options,
                                  const CompileCache& cache,
                                  const CacheKey& key) {
  for (const json& record : ReadRecords(cache, key)) {
    try {
      if (!AreUnchanged(record.at("inputs"))) continue;
      auto result = Restore(options, cache, record);
      if (!result) continue;
      Touch(PathOf(cache, key.text, ".json"));
      return result;
    } catch (const json::exception&) {
      // Not a record of ours.
    }
  }
  return std::nullopt;
}

// Whether the sources were compiled as they were when the key was made.
bool SawTheSameSources(const CacheKey& key, const InputFiles& inputs) {
  for (const auto& [path, hash] : key.sources) {
    const auto seen = inputs.contents.find(path);
    if (seen == inputs.contents.end() || seen->second != hash) return false;
  }
  return true;
}

void Store(const CompileOptions& options, const CompileCache& cache,
           const CacheKey& key, const CompileResult& result) {
  if (!result.ok || result.inputs.depends_on_time ||
      !SawTheSameSources(key, result.inputs))
    return;
  const auto bytes = ReadWhole(options.output);
  if (!bytes) return;
  const std::string hash = HashOf(*bytes);
  if (!WriteAtomically(PathOf(cache, hash, ".so"), *bytes)) return;
  json records = json::array();
  records.push_back(
      {{"object", hash},
       {"diagnostics", result.diagnostics},
       {"used_precompiled_header", result.used_precompiled_header},
       {"inputs", ToJson(result.inputs)}});
  for (const json& record : ReadRecords(cache, key)) {
    if (records.size() == kRecordsPerKey) break;
    if (record != records.front()) records.push_back(record);
  }
  WriteAtomically(PathOf(cache, key.text, ".json"),
                  records.dump(-1, ' ', false, json::error_handler_t::replace));
  // Looking at every file takes a while: one store in sixteen does.
  if (hash.back() == '0') EvictOldest(cache);
}

}  // namespace

std::optional<CompileCache> DefaultCompileCache() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value ? value : "";
  };
  if (variable("BELAY_CACHE") == "off") return std::nullopt;
  CompileCache cache;
  if (const auto given = variable("BELAY_CACHE_DIR"); !given.empty()) {
    cache.directory = given;
  } else if (const auto xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) {
    cache.directory = xdg + "/belay";
  } else if (const auto home = variable("HOME"); !home.empty()) {
    cache.directory = home + "/.cache/belay";
  } else {
    return std::nullopt;
  }
  return cache;
}

CompileResult CompileCached(const CompileOptions& options,
                            const CompileCache& cache) {
  if (options.is_provided) return Compile(options);
  const std::optional<CacheKey> key = KeyOf(options);
  if (!key) return Compile(options);
  if (auto found = Find(options, cache, *key)) return *std::move(found);
  CompileResult result = Compile(options);
  Store(options, cache, *key, result);
  return result;
}

void EvictOldest(const CompileCache& cache) {
  struct Entry {
    fs::file_time_type used;
    uint64_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  // Others may remove files meanwhile: what cannot be looked at is left out.
  for (fs::recursive_directory_iterator it(cache.directory, error), end;
       !error && it != end; it.increment(error)) {
    std::error_code gone;
    if (!it->is_regular_file(gone) || gone) continue;
    const uint64_t bytes = it->file_size(gone);
    const auto used = it->last_write_time(gone);
    if (gone) continue;
    entries.push_back({used, bytes, it->path()});
    total += bytes;
  }
  if (total <= cache.limit_bytes) return;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (total <= cache.limit_bytes / 4 * 3) break;
    if (fs::remove(entry.path, error)) total -= entry.bytes;
  }
}

}  // namespace belay::toolchain
