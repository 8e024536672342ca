// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLI_RUN_OPERATOR_H_
#define BELAY_CLI_RUN_OPERATOR_H_

// The form of `belay run` that calls an operator project or a kernel alone.

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/check_flags.h"
#include "guest/operator_run.h"

namespace belay::cli {

// The options of this form, as texts.
struct OperatorFlags {
  std::vector<std::string> inputs;
  std::vector<std::string> attributes;
  std::vector<std::string> output_files;
  std::vector<std::string> output_likes;
  std::vector<std::string> output_shapes;
  std::vector<std::string> expected;
  guest::OperatorOptions options;

  // Whether any of them was given.
  bool any() const;
};

void AddOperatorFlags(CLI::App& run, OperatorFlags& flags);

// Its options with the texts read into them. Throws UserError.
guest::OperatorOptions ReadOperatorFlags(const OperatorFlags& flags);

// Runs, prints what came out, as JSON if asked, and returns the exit code.
int RunOperatorForm(const guest::OperatorOptions& options,
                    const CheckFlags& check, bool json);

// What came out: JSON, or text on standard output with diagnostics on standard
// error.
nlohmann::json ToJson(const guest::OperatorResult& result,
                      const CheckFlags& check, const Verdict& verdict);
void PrintText(const guest::OperatorResult& result, const CheckFlags& check,
               const Verdict& verdict);

}  // namespace belay::cli

#endif  // BELAY_CLI_RUN_OPERATOR_H_
