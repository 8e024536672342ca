// SPDX-License-Identifier: Apache-2.0
#include "expectation.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include "run_belay.h"

namespace belay::testing {

Expectation ReadExpectation(const std::string& path) {
  static const std::regex kLine("^// (expect|also|flags|covers): (.*)$");
  static const std::regex kMark("// <-- (here|other|both)");
  Expectation expectation;
  std::istringstream in(ReadFile(path));
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::smatch match;
    if (std::regex_search(line, match, kLine)) {
      std::istringstream rest(match[2]);
      std::string word;
      if (match[1] == "flags") {
        expectation.flags = match[2];
      } else if (match[1] == "covers") {
        while (rest >> word) expectation.covers.push_back(word);
      } else if (match[1] == "also") {
        rest >> word;
        expectation.also.push_back(word);
      } else {
        rest >> expectation.code >> std::ws;
        std::getline(rest, expectation.message);
      }
    } else if (std::regex_search(line, match, kMark)) {
      if (match[1] != "other") expectation.here.insert(number);
      if (match[1] != "here") expectation.other.insert(number);
      if (match[1] == "both") expectation.both.insert(number);
    }
  }
  return expectation;
}

std::vector<std::string> ProgramsIn(const std::string& folder) {
  std::vector<std::string> programs;
  for (const auto& entry :
       std::filesystem::directory_iterator(SourcePath(folder))) {
    if (entry.path().extension() == ".asc") {
      programs.push_back(folder + "/" + entry.path().filename().string());
    }
  }
  std::sort(programs.begin(), programs.end());
  return programs;
}

}  // namespace belay::testing
