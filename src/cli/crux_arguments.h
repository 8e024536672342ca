// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLI_CRUX_ARGUMENTS_H_
#define BELAY_CLI_CRUX_ARGUMENTS_H_

// From the texts of `belay crux run` to the arguments of a kernel.

#include <string>
#include <vector>

#include "crux/interpret/interpret.h"
#include "crux/typed.h"
#include "guest/operator_request.h"

namespace belay::cli {

// What --in, --attr, --dtype, --out and --expect say, unread.
struct CruxCall {
  std::vector<std::string> inputs;
  std::vector<std::string> attributes;
  std::vector<std::string> dtypes;
  std::vector<std::string> output_files;
  std::vector<std::string> expected;
};

// The kernel of that name, or the only one. Throws UserError naming those
// there are.
const crux::typed::Kernel& ChooseKernel(const crux::typed::Program& program,
                                        const std::string& name);

// Throws UserError, with the whole option as text, unless the kernel has that
// dtype variable.
void RequireVariable(const crux::typed::Kernel& kernel, const std::string& name,
                     const std::string& text);

// Reads files and numbers. Outputs that are named are wanted. Throws UserError
// when a text or file cannot be read or names nothing of the kernel.
crux::interpret::Arguments ReadArguments(
    const crux::typed::Kernel& kernel, const CruxCall& call,
    const std::vector<guest::OutputRequest>& outputs);

// Throws UserError when an output is none of the kernel's.
std::vector<guest::OutputRequest> ReadOutputs(const crux::typed::Kernel& kernel,
                                              const CruxCall& call);

}  // namespace belay::cli

#endif  // BELAY_CLI_CRUX_ARGUMENTS_H_
