// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLI_CHECK_FLAGS_H_
#define BELAY_CLI_CHECK_FLAGS_H_

// The options of commands that run kernels that say what is checked, and
// what findings mean for the exit code.

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "check/checkers.h"
#include "check/report.h"

namespace belay::cli {

struct CheckFlags {
  bool off = false;     // --no-check
  bool strict = false;  // warnings and notes count as errors do
  std::string tools = "all";
  std::string auto_sync = "on";
  std::string suppressions;
  std::vector<int> blocks;
  check::CheckOptions options;
};

// When a command checks: always, since it is about that; unless told not to;
// only when asked to.
enum class Checking { kAlways, kUnlessOff, kWhenAsked };

void AddCheckFlags(CLI::App& command, CheckFlags& flags, Checking when);

// Nothing when checking is off. Throws UserError.
std::optional<check::CheckOptions> ReadCheckFlags(const CheckFlags& flags);

// What findings amount to once suppressions are applied.
struct Verdict {
  check::Totals totals;
  size_t suppressed = 0;
  int exit_code = 0;  // `own` if nothing is against it
};
// Takes suppressed diagnostics out and adds warnings for suppressions that were
// never used. Throws UserError when their file cannot be read.
Verdict Judge(const CheckFlags& flags, int own,
              std::vector<Diagnostic>& diagnostics);

// One line that says what was checked and what came of it.
std::string VerdictText(const CheckFlags& flags, const Verdict& verdict);
nlohmann::json ToJson(const CheckFlags& flags, const Verdict& verdict);

}  // namespace belay::cli

#endif  // BELAY_CLI_CHECK_FLAGS_H_
