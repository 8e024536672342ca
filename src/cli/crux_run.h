// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLI_CRUX_RUN_H_
#define BELAY_CLI_CRUX_RUN_H_

// `belay crux run`: a kernel of a Crux file on tensors from files.

#include <CLI/CLI.hpp>

namespace belay::cli {

// Adds the sub-command to `belay crux` and leaves its exit code in *exit_code
// when it was the one called.
void AddCruxRun(CLI::App& crux, int* exit_code);

}  // namespace belay::cli

#endif  // BELAY_CLI_CRUX_RUN_H_
