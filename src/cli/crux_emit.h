// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLI_CRUX_EMIT_H_
#define BELAY_CLI_CRUX_EMIT_H_

// `belay crux emit`: what a Crux kernel is compiled to.

#include <CLI/CLI.hpp>

namespace belay::cli {

// Adds the sub-command to `belay crux` and leaves its exit code in *exit_code
// when it was the one called.
void AddCruxEmit(CLI::App& crux, int* exit_code);

}  // namespace belay::cli

#endif  // BELAY_CLI_CRUX_EMIT_H_
