// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLI_JUDGE_FLAGS_H_
#define BELAY_CLI_JUDGE_FLAGS_H_

// The options that say how candidates are judged, for one or for many.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "judge/judge.h"

namespace belay::cli {

struct JudgeFlags {
  judge::JudgeOptions options;
  std::vector<std::string> stages;
  std::string secret_file;
};

// --protocol, --chip, --stages, --only-case, --fail-fast, --seed,
// --secret-file, --most-elements, --compile-seconds, --run-seconds, --memory.
void AddJudgeFlags(CLI::App& command, JudgeFlags& flags);

// The options as given: stages become the last one, the secret is read from its
// file (any bytes, at least 16). Without a file the secret stays empty. Throws
// UserError.
judge::JudgeOptions ReadJudgeFlags(const JudgeFlags& flags);

// Registers every service a judge needs; call before StartBroker.
void RegisterJudgeServices();

}  // namespace belay::cli

#endif  // BELAY_CLI_JUDGE_FLAGS_H_
