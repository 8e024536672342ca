// SPDX-License-Identifier: Apache-2.0
// Runs the sweep; --results=DIR writes coverage.md and coverage.tsv there.
// A run of all tests also fails when an expected cell is not green.

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "cells.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::string results;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::string option = "--results=";
    if (argument.rfind(option, 0) == 0)
      results = argument.substr(option.size());
  }
  int code = RUN_ALL_TESTS();
  if (testing::GTEST_FLAG(filter) == "*") {
    const std::string missing = belay::sweep::MissingCells();
    if (!missing.empty()) {
      std::fputs(missing.c_str(), stdout);
      code = 1;
    }
  }
  if (!results.empty()) {
    std::ofstream(results + "/coverage.md") << belay::sweep::RenderCoverage();
    std::ofstream(results + "/coverage.tsv") << belay::sweep::ListCells();
  }
  return code;
}
