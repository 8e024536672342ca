// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLI_RUN_PROGRAM_H_
#define BELAY_CLI_RUN_PROGRAM_H_

// What came out of a single-source program, told to the user.

#include <nlohmann/json_fwd.hpp>

#include "cli/check_flags.h"
#include "guest/program.h"

namespace belay::cli {

nlohmann::json ToJson(const guest::ProgramResult& result,
                      const CheckFlags& check, const Verdict& verdict);

// Diagnostics and what was checked, on standard error.
void PrintText(const guest::ProgramResult& result, const CheckFlags& check,
               const Verdict& verdict);

// Indented, on standard output; bytes that are no UTF-8 are replaced.
void PrintJson(const nlohmann::json& json);

}  // namespace belay::cli

#endif  // BELAY_CLI_RUN_PROGRAM_H_
