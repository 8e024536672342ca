// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_FRONT_END_ARGUMENTS_H_
#define BELAY_TOOLCHAIN_FRONT_END_ARGUMENTS_H_

// The options a run of Clang's front end gets.

#include <string>
#include <vector>

#include "toolchain/compile.h"

namespace belay::toolchain {

struct FrontEndInput {
  std::string file;
  std::string language;  // as Clang's -x names it
  std::string output;    // or empty
};

// cc1 arguments. All runs that share a precompiled header must get the same
// ones but for input, output and definitions.
std::vector<std::string> FrontEndArguments(const CompileOptions& options,
                                           const FrontEndInput& input,
                                           bool use_precompiled_header);

// The macros that tell a kernel which chip and core it is compiled for, as -D.
std::vector<std::string> ChipDefinitions(CoreType core);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_FRONT_END_ARGUMENTS_H_
