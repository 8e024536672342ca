// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cache_key.h"

#include <clang/Basic/Version.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "toolchain/hash.h"
#include "toolchain/host_compiler.h"

namespace belay::toolchain {
namespace fs = std::filesystem;
namespace {

// Changes when the file of the program or library it names is replaced.
std::string IdentityOf(const std::string& path) {
  const auto stamp = StampOf(path);
  return stamp ? fmt::format("{} {} {}\n", path, stamp->bytes, stamp->modified)
               : path + "\n";
}

std::string LibraryOf(const void* symbol) {
  Dl_info info{};
  return ::dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : "";
}

// This build of Belay and of Clang.
std::string Build() {
  static const std::string build = [] {
    std::error_code ignored;
    return IdentityOf(fs::read_symlink("/proc/self/exe", ignored).string()) +
           IdentityOf(LibraryOf(
               reinterpret_cast<const void*>(&clang::getClangFullVersion)));
  }();
  return build;
}

// Each part with its length, so that no two lists read the same.
class Text {
 public:
  void Add(const std::string& part) {
    text_ += fmt::format("{}:{}\n", part.size(), part);
  }
  void Add(const std::vector<std::string>& parts) {
    Add(std::to_string(parts.size()));
    for (const std::string& part : parts) Add(part);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::optional<std::string> ReadWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string bytes((std::istreambuf_iterator<char>(file)),
                    std::istreambuf_iterator<char>());
  if (file.bad()) return std::nullopt;
  return bytes;
}

bool WriteAtomically(const std::string& path, const std::string& bytes) {
  static std::atomic<int> count{0};
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  const std::string aside =
      fmt::format("{}.{}.{}.tmp", path, ::getpid(), count++);
  {
    std::ofstream file(aside, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) {
      ::unlink(aside.c_str());
      return false;
    }
  }
  if (std::rename(aside.c_str(), path.c_str()) == 0) return true;
  ::unlink(aside.c_str());
  return false;
}

std::optional<FileStamp> StampOf(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileStamp{
      static_cast<uint64_t>(status.st_size),
      status.st_mtim.tv_sec * int64_t{1000000000} + status.st_mtim.tv_nsec};
}

std::optional<CacheKey> KeyOf(const CompileOptions& options) {
  CacheKey key;
  Text text;
  text.Add("2");  // of the format
  text.Add(Build());
  std::error_code error;
  text.Add(fs::current_path(error).string());
  text.Add(FindHostCompiler().arguments);
  text.Add(options.headers);
  text.Add(options.precompiled_header);
  text.Add(options.cube_precompiled_header);
  text.Add(options.core == CoreType::kVector ? "vector" : "cube");
  text.Add(options.host_only ? "host" : "kernels");
  text.Add(options.untrusted ? "untrusted" : "trusted");
  text.Add(std::to_string(options.optimization));
  text.Add(options.defines);
  text.Add(options.prelude);
  text.Add(options.include_dirs);
  for (const std::string& source : options.sources) {
    const auto bytes = ReadWhole(source);
    if (!bytes) return std::nullopt;
    const std::string hash = HashOf(*bytes);
    key.sources[source] = hash;
    text.Add({source, hash});
  }
  key.text = HashOf(text.text());
  return key;
}

}  // namespace belay::toolchain
