// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CLI_RUN_BELAY_H_
#define BELAY_TESTS_CLI_RUN_BELAY_H_

// Calls the belay program as a user would.

#include <string>

namespace belay::testing {

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};

// Runs `belay WORDS` in the source tree through a shell.
Outcome RunBelay(const std::string& words);

// A file of the source tree.
std::string SourcePath(const std::string& relative);

std::string ReadFile(const std::string& path);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CLI_RUN_BELAY_H_
