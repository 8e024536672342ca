// SPDX-License-Identifier: Apache-2.0
#include "rewrite/rewrite_files.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <sstream>

#include "base/error.h"
#include "rewrite/launch_functions.h"
#include "rewrite/rewrite_source.h"

namespace belay::rewrite {
namespace fs = std::filesystem;
namespace {

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    throw UserError(fmt::format("[rewrite] cannot read '{}'", path.string()));
  }
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void WriteFile(const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(fs::absolute(path).parent_path(), error);
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) {
    throw UserError(fmt::format("[rewrite] cannot write '{}'", path.string()));
  }
}

// Leaves the file's time alone when nothing changes.
void UpdateFile(const fs::path& path, const std::string& text) {
  std::error_code error;
  if (!fs::exists(path, error) || ReadFile(path) != text) WriteFile(path, text);
}

// Headers of Belay are written for every compiler.
bool IsOurs(const fs::path& directory) {
  std::error_code ignored;
  return fs::exists(directory / "belay/guest_abi.h", ignored);
}

std::string LineMark(int line, const fs::path& file) {
  std::string name;
  for (const char c : file.string()) {
    if (c == '"' || c == '\\') name += '\\';
    name += c;
  }
  return fmt::format("#line {} \"{}\"\n", line, name);
}

class Project {
 public:
  explicit Project(const FileOptions& options) : options_(options) {}

  void RewriteMain() {
    const Rewritten main = Rewrite(options_.source);
    std::string text = "#include \"belay/host_launch.h\"\n" +
                       LineMark(1, fs::absolute(options_.source)) + main.text;
    if (!options_.launch_headers.empty()) {
      text += "\n" + LineMark(1, options_.output);
      for (const Kernel& kernel : main.kernels) {
        if (!HasLaunchFunction(kernel)) continue;
        text += LaunchFunction(kernel);
        UpdateFile(options_.launch_headers / LaunchHeaderName(kernel),
                   LaunchHeader(kernel));
      }
    }
    WriteFile(options_.output, text);
    if (!options_.dependencies.empty()) WriteDependencies();
  }

 private:
  void WriteDependencies() const {
    std::string rule =
        fmt::format("{}: {}", fs::absolute(options_.output).string(),
                    fs::absolute(options_.source).string());
    for (const auto& [file, copy] : headers_) {
      rule += fmt::format(" \\\n  {}", file.string());
    }
    WriteFile(options_.dependencies, rule + "\n");
  }

  Rewritten Rewrite(const fs::path& file) {
    const fs::path folder = fs::absolute(file).parent_path();
    bool includes_copy = false;
    Rewritten result =
        RewriteSource(ReadFile(file), [&](const std::string& included) {
          return Find(folder, included, includes_copy);
        });
    result.changed |= includes_copy;
    return result;
  }

  // What to include for `included` in a file of `folder`: the rewritten header;
  // the header itself by its full name, when only its neighbour finds it; or
  // nothing.
  std::string Find(const fs::path& folder, const std::string& included,
                   bool& includes_copy) {
    std::error_code ignored;
    std::vector<fs::path> directories = {folder};
    directories.insert(directories.end(), options_.include_dirs.begin(),
                       options_.include_dirs.end());
    for (const fs::path& directory : directories) {
      const fs::path file = fs::canonical(directory / included, ignored);
      if (ignored || !fs::is_regular_file(file, ignored)) continue;
      if (IsOurs(directory)) return {};
      const std::string copy = CopyOf(file);
      includes_copy |= !copy.empty();
      if (!copy.empty()) return copy;
      return &directory == &directories.front() ? file.string() : "";
    }
    return {};
  }

  // The rewritten copy of a header; empty when it needs none, and while it is
  // being rewritten: a header that includes itself does so once.
  std::string CopyOf(const fs::path& header) {
    const auto [entry, is_new] = headers_.try_emplace(header);
    if (!is_new) return entry->second;
    const fs::path copy = fs::absolute(options_.output)
                              .concat(fmt::format(".{}.h", headers_.size()));
    const Rewritten rewritten = Rewrite(header);
    if (!rewritten.changed) return {};
    UpdateFile(copy, LineMark(1, header) + rewritten.text);
    return headers_[header] = copy.string();
  }

  const FileOptions& options_;
  std::map<fs::path, std::string> headers_;  // original → copy
};

}  // namespace

void RewriteFile(const FileOptions& options) { Project(options).RewriteMain(); }

}  // namespace belay::rewrite
