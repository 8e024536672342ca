// SPDX-License-Identifier: Apache-2.0
#include "guest/operator_project.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "base/catalogue.h"
#include "guest/operator_binding.h"

namespace belay::guest {
namespace fs = std::filesystem;
namespace {

bool IsSource(const fs::path& file) {
  const std::string extension = file.extension().string();
  return extension == ".cpp" || extension == ".cc" || extension == ".cxx";
}

// Files and folders of a project that are no part of the operator itself.
bool IsLeftOut(const fs::path& path) {
  const std::string name = path.filename().string();
  for (const char* folder :
       {"op_api", "op_graph", "test", "tests", "ut", "examples", "build"}) {
    if (name == folder) return true;
  }
  return name.starts_with("aclnn") || name.starts_with("test_") ||
         name.starts_with('.');
}

std::vector<std::string> SourcesBelow(const fs::path& folder) {
  std::vector<std::string> sources;
  for (auto it = fs::recursive_directory_iterator(folder);
       it != fs::recursive_directory_iterator(); ++it) {
    if (IsLeftOut(it->path())) {
      if (it->is_directory()) it.disable_recursion_pending();
      continue;
    }
    if (it->is_regular_file() && IsSource(it->path())) {
      sources.push_back(it->path().string());
    }
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

std::string ReadText(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

bool Contains(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

bool IsWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Whether `name`, as a whole word, and an opening parenthesis stand somewhere
// in the text. Linear, whatever the text is.
bool CallsByName(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    if (at > 0 && IsWord(text[at - 1])) continue;
    const size_t next = text.find_first_not_of(" \t\r\n", at + name.size());
    if (next != std::string_view::npos && text[next] == '(') return true;
  }
  return false;
}

// Whether a function of that name is marked as a kernel: the mark and the name
// stand in one declaration.
bool DefinesKernel(std::string_view text, std::string_view name) {
  constexpr std::string_view kMark = "__global__";
  for (size_t at = text.find(kMark); at != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(";{}", at), text.size());
    if (CallsByName(text.substr(at, end - at), name)) return true;
    at = text.find(kMark, end);
  }
  return false;
}

bool HasParts(const fs::path& folder) {
  return fs::is_directory(folder / "op_host") ||
         fs::is_directory(folder / "op_kernel");
}

OperatorProject ProjectOfParts(const fs::path& folder) {
  const fs::path host = folder / "op_host";
  const fs::path kernel = folder / "op_kernel";
  OperatorProject project;
  project.folder = folder.string();
  if (fs::is_directory(host)) project.host_sources = SourcesBelow(host);
  if (fs::is_directory(kernel)) project.kernel_sources = SourcesBelow(kernel);
  project.include_dirs = {folder.string(), host.string(), kernel.string()};
  return project;
}

// Sources that lie side by side: what registers something is host code, what
// marks a kernel is kernel code.
OperatorProject ProjectOfFiles(const fs::path& folder) {
  OperatorProject project;
  project.folder = folder.string();
  project.include_dirs = {folder.string()};
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file() || !IsSource(entry.path()) ||
        IsLeftOut(entry.path())) {
      continue;
    }
    const std::string text = ReadText(entry.path());
    if (Contains(text, "IMPL_OP") || Contains(text, "OpDef") ||
        CallsByName(text, "OP_ADD")) {
      project.host_sources.push_back(entry.path().string());
    } else if (Contains(text, "__global__")) {
      project.kernel_sources.push_back(entry.path().string());
    }
  }
  std::sort(project.host_sources.begin(), project.host_sources.end());
  std::sort(project.kernel_sources.begin(), project.kernel_sources.end());
  return project;
}

OperatorProject Find(const fs::path& folder) {
  if (HasParts(folder)) return ProjectOfParts(folder);
  std::vector<fs::path> below;
  for (auto it = fs::recursive_directory_iterator(folder);
       it != fs::recursive_directory_iterator(); ++it) {
    if (!it->is_directory()) continue;
    if (IsLeftOut(it->path()) || it.depth() > 2) {
      it.disable_recursion_pending();
    } else if (HasParts(it->path())) {
      below.push_back(it->path());
      it.disable_recursion_pending();
    }
  }
  std::sort(below.begin(), below.end());
  if (below.size() > 1) {
    std::vector<std::string> names;
    for (const fs::path& path : below) names.push_back(path.string());
    RefuseCall(
        fmt::format("'{}' holds {} operator projects; name one of them: {}",
                    folder.string(), below.size(), fmt::join(names, ", ")));
  }
  return below.empty() ? ProjectOfFiles(folder) : ProjectOfParts(below.front());
}

}  // namespace

OperatorProject FindOperatorProject(const std::string& folder) {
  OperatorProject project = Find(fs::path(folder).lexically_normal());
  if (project.host_sources.empty()) {
    RefuseCall(fmt::format(
        "no host code in '{0}': an operator project has "
        "{0}/op_host/*.cpp "
        "with the operator's definition and tiling; to run a kernel without "
        "them use --kernel FILE --blocks N",
        project.folder));
  }
  if (project.kernel_sources.empty()) {
    RefuseCall(fmt::format(
        "no kernel in '{0}': an operator project has {0}/op_kernel/*.cpp "
        "with the kernel's entry",
        project.folder));
  }
  return project;
}

std::string FindKernelSource(const OperatorProject& project,
                             const std::string& kernel) {
  for (const std::string& source : project.kernel_sources) {
    if (fs::path(source).stem() == kernel) return source;
  }
  std::vector<std::string> found;
  for (const std::string& source : project.kernel_sources) {
    if (DefinesKernel(ReadText(source), kernel)) found.push_back(source);
  }
  if (found.size() == 1) return found.front();
  if (project.kernel_sources.size() == 1) return project.kernel_sources.front();
  return "";
}

Diagnostic NoKernelSource(const OperatorProject& project,
                          const std::string& kernel) {
  Diagnostic diagnostic;
  diagnostic.code = code::kH110;
  diagnostic.message = fmt::format(
      "kernel entry '{}' not found: no file of '{}' is named after it or "
      "defines it",
      kernel, project.folder);
  diagnostic.fix = fmt::format("add op_kernel/{}.cpp", kernel);
  return diagnostic;
}

}  // namespace belay::guest
