// SPDX-License-Identifier: Apache-2.0
#include "run_belay.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace belay::testing {

std::string SourcePath(const std::string& relative) {
  return std::string(BELAY_SOURCE_DIR) + "/" + relative;
}

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Outcome RunBelay(const std::string& words) {
  std::string folder =
      (std::filesystem::temp_directory_path() / "belay-test-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return {};
  // What tests compile stays in the build tree.
  const std::filesystem::path program = BELAY_PROGRAM;
  const std::string cache =
      (program.parent_path().parent_path() / "test_cache").string();
  const std::string command = "cd '" + std::string(BELAY_SOURCE_DIR) +
                              "' && BELAY_CACHE_DIR='" + cache +
                              "' timeout 120 '" BELAY_PROGRAM "' " + words +
                              " >'" + folder + "/out' 2>'" + folder + "/err'";
  const int status = std::system(command.c_str());
  Outcome outcome;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  outcome.out = ReadFile(folder + "/out");
  outcome.err = ReadFile(folder + "/err");
  std::filesystem::remove_all(folder);
  return outcome;
}

}  // namespace belay::testing
