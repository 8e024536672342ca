// SPDX-License-Identifier: Apache-2.0
#include "files.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace belay::testing {

namespace fs = std::filesystem;

fs::path InSourceTree(const std::string& path) {
  return fs::path(BELAY_SOURCE_DIR) / path;
}

std::string ReadAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<fs::path> FilesIn(const std::string& folder,
                              const std::string& extension) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(InSourceTree(folder))) {
    if (entry.path().extension() == extension) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

std::vector<CodeBlock> CodeBlocksOf(const std::string& document) {
  std::vector<CodeBlock> blocks;
  std::istringstream lines(document);
  std::string line;
  bool inside = false;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.starts_with("```")) {
      if (!inside) blocks.push_back({line.substr(3), "", number + 1});
      inside = !inside;
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

}  // namespace belay::testing
