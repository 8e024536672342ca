// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_HOST_COMPILER_H_
#define BELAY_TOOLCHAIN_HOST_COMPILER_H_

// What Clang's driver knows about this machine: where the C++ library and the
// start files lie.

#include <string>
#include <string_view>
#include <vector>

namespace belay::toolchain {

struct HostCompiler {
  // cc1 options for x86-64 Linux C++, without input and output.
  std::vector<std::string> arguments;
  // Objects and archives a shared object is linked with, in order; those
  // before the user's objects, and those after.
  std::vector<std::string> link_before;
  std::vector<std::string> link_after;
};

// Whether a file name, as Clang writes it, lies in one of the directories of
// the C and C++ libraries.
bool IsSystemHeader(std::string_view file);

// Asks the driver on the first call (a few milliseconds), then remembers.
const HostCompiler& FindHostCompiler();

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_HOST_COMPILER_H_
