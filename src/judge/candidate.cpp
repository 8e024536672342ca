// SPDX-License-Identifier: Apache-2.0
#include "judge/candidate.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "bench/hash.h"

namespace belay::judge {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMostFiles = 64;
constexpr uintmax_t kMostBytes = uintmax_t{4} << 20;

[[noreturn]] void Refuse(const std::string& path, const std::string& why) {
  throw UserError(fmt::format("[candidate] '{}' {}", path, why));
}

std::string ReadText(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) Refuse(file.string(), "cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

bool IsSource(const fs::path& file) {
  static constexpr std::string_view kExtensions[] = {
      ".cpp", ".cc", ".cxx", ".h", ".hpp", ".hh", ".inc", ".asc", ".json"};
  return std::ranges::find(kExtensions, file.extension().string()) !=
         std::end(kExtensions);
}

bool IsInside(const fs::path& file, const fs::path& folder) {
  const fs::path whole = fs::weakly_canonical(file);
  const fs::path root = fs::canonical(folder);
  return std::mismatch(root.begin(), root.end(), whole.begin(), whole.end())
             .first == root.end();
}

std::vector<CandidateFile> ReadFolder(const fs::path& folder) {
  std::vector<CandidateFile> files;
  uintmax_t bytes = 0;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(folder)) {
    if (!IsInside(entry.path(), folder)) {
      Refuse(entry.path().string(), "leads out of the candidate's folder");
    }
    if (!entry.is_regular_file() || !IsSource(entry.path())) continue;
    bytes += entry.file_size();
    if (files.size() == kMostFiles || bytes > kMostBytes) {
      Refuse(folder.string(),
             fmt::format("is larger than a candidate may be: {} files, {} MB",
                         kMostFiles, kMostBytes >> 20));
    }
    files.push_back(
        {fs::relative(entry.path(), folder).string(), ReadText(entry.path())});
  }
  if (files.empty()) Refuse(folder.string(), "has no source files");
  return files;
}

std::string HashOf(const Candidate& candidate) {
  std::vector<std::string_view> texts = {NameOf(candidate.kind),
                                         candidate.kernel};
  for (const CandidateFile& file : candidate.files) {
    texts.push_back(file.path);
    texts.push_back(file.text);
  }
  return bench::HashOf(texts);
}

}  // namespace

Candidate MakeCandidate(CandidateKind kind, std::string name,
                        std::vector<CandidateFile> files, std::string kernel) {
  Candidate candidate{
      kind, std::move(name), std::move(files), std::move(kernel), {}};
  std::ranges::sort(candidate.files, {}, &CandidateFile::path);
  candidate.hash = HashOf(candidate);
  return candidate;
}

Candidate LoadCandidate(const std::string& path) {
  if (fs::is_directory(path)) {
    fs::path folder(path);
    if (!folder.has_filename()) folder = folder.parent_path();
    return MakeCandidate(CandidateKind::kProject, folder.filename().string(),
                         ReadFolder(folder));
  }
  std::string file = path;
  std::string kernel;
  if (const size_t mark = path.rfind(".crux:"); mark != std::string::npos) {
    file = path.substr(0, mark + 5);
    kernel = path.substr(mark + 6);
  }
  if (!fs::is_regular_file(file)) Refuse(file, "is no file and no folder");
  if (fs::file_size(file) > kMostBytes) {
    Refuse(file, fmt::format("is larger than {} MB", kMostBytes >> 20));
  }
  const fs::path source(file);
  const std::string name = source.filename().string();
  const std::string extension = source.extension().string();
  if (extension == ".crux") {
    return MakeCandidate(CandidateKind::kCrux, name, {{name, ReadText(source)}},
                         kernel);
  }
  if (extension == ".cpp" || extension == ".cc" || extension == ".asc") {
    return MakeCandidate(CandidateKind::kKernel, name,
                         {{name, ReadText(source)}});
  }
  Refuse(path,
         "is no candidate: give a folder with op_host and op_kernel, a kernel "
         "(.cpp, .cc, .asc) or a Crux program (.crux)");
}

void WriteCandidate(const Candidate& candidate, const fs::path& folder) {
  for (const CandidateFile& file : candidate.files) {
    const fs::path path = folder / file.path;
    if (!fs::path(file.path).is_relative() ||
        fs::path(file.path).lexically_normal().string().starts_with("..")) {
      Refuse(file.path, "lies outside the candidate's folder");
    }
    std::error_code ignored;
    fs::create_directories(path.parent_path(), ignored);
    std::ofstream out(path, std::ios::binary);
    out << file.text;
    out.close();
    if (!out) Refuse(path.string(), "cannot be written");
  }
}

std::string_view NameOf(CandidateKind kind) {
  switch (kind) {
    case CandidateKind::kProject:
      return "project";
    case CandidateKind::kKernel:
      return "kernel";
    case CandidateKind::kCrux:
      return "crux";
  }
  return "";
}

}  // namespace belay::judge
