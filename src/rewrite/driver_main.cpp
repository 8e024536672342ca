// SPDX-License-Identifier: Apache-2.0
// The `belay-c++` program: compiles and links AscendC with an ordinary C++
// compiler, $BELAY_CXX or c++.

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/resources.h"
#include "rewrite/driver.h"
#include "rewrite/rewrite_files.h"

namespace belay::rewrite {
namespace fs = std::filesystem;
namespace {

// A folder that goes when it goes out of scope.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern =
        (fs::temp_directory_path() / "belay-c++-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw UserError(fmt::format("[belay-c++] cannot make a folder in '{}'",
                                  fs::temp_directory_path().string()));
    }
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Installation FindInstallation() {
  Installation installation;
  installation.headers = fs::canonical(Resource("include")).string();
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  installation.library =
      (program.parent_path() / "../lib").lexically_normal().string();
  const char* compiler = std::getenv("BELAY_CXX");
  installation.compiler =
      compiler == nullptr || compiler[0] == '\0' ? "c++" : compiler;
  return installation;
}

int Run(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) {
    words.push_back(const_cast<char*>(word.c_str()));
  }
  words.push_back(nullptr);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, words[0], nullptr, nullptr, words.data(), environ);
  if (error != 0) {
    throw UserError(fmt::format("[belay-c++] cannot start '{}': {}", command[0],
                                std::strerror(error)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int Main(int argc, char** argv) {
  const TemporaryFolder folder;
  const DriverPlan plan =
      PlanCommand({argv + 1, argv + argc}, FindInstallation(), folder.path());
  for (const RewrittenSource& source : plan.sources) {
    FileOptions options;
    options.source = source.source;
    options.output = source.output;
    options.include_dirs.assign(plan.include_dirs.begin(),
                                plan.include_dirs.end());
    RewriteFile(options);
  }
  for (const std::vector<std::string>& command : plan.commands) {
    if (const int code = Run(command); code != 0) return code;
  }
  return 0;
}

}  // namespace
}  // namespace belay::rewrite

int main(int argc, char** argv) {
  try {
    return belay::rewrite::Main(argc, argv);
  } catch (const belay::UserError& error) {
    std::fprintf(stderr, "belay-c++: error: %s\n", error.what());
    return 2;
  }
}
