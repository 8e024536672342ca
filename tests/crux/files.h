// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_FILES_H_
#define BELAY_TESTS_CRUX_FILES_H_

// Files of the source tree, for tests over whole folders of programs and for
// documents that are tests.

#include <filesystem>
#include <string>
#include <vector>

namespace belay::testing {

// `path` relative to the root of the source tree.
std::filesystem::path InSourceTree(const std::string& path);
std::string ReadAll(const std::filesystem::path& path);

// The files of a folder of the source tree that end so, sorted.
std::vector<std::filesystem::path> FilesIn(const std::string& folder,
                                           const std::string& extension);

// A block of code in a Markdown document: ```language … ```.
struct CodeBlock {
  std::string language;
  std::string text;
  int line = 0;  // of its first line
};

std::vector<CodeBlock> CodeBlocksOf(const std::string& document);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_FILES_H_
