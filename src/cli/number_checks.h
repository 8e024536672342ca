// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLI_NUMBER_CHECKS_H_
#define BELAY_CLI_NUMBER_CHECKS_H_

// What numbers of options must be. CLI11's own checks name the largest double
// in their messages.

#include <CLI/CLI.hpp>

namespace belay::cli {

CLI::Validator NotNegative();
CLI::Validator Positive();

}  // namespace belay::cli

#endif  // BELAY_CLI_NUMBER_CHECKS_H_
