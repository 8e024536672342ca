// SPDX-License-Identifier: Apache-2.0
// Runs the documented vectors and says how many there are; a run of all of
// them must have compared at least 150.

#include <gtest/gtest.h>

#include <cstdio>

#include "printed.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int code = RUN_ALL_TESTS();
  const int vectors = belay::sweep::PrintedVectors();
  std::printf("%d documented vectors compared\n", vectors);
  if (testing::GTEST_FLAG(filter) == "*" && vectors < 150) {
    std::printf("at least 150 were expected\n");
    code = 1;
  }
  return code;
}
