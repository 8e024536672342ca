// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_COMPILE_CHILD_H_
#define BELAY_GUEST_COMPILE_CHILD_H_

// Compiling in a child process, so that a crash of the compiler is a
// diagnostic and its memory goes with the child.

#include <vector>

#include "base/diagnostic.h"
#include "toolchain/compile.h"

namespace belay::guest {

struct ChildCompilation {
  bool ok = false;
  std::vector<Diagnostic> diagnostics;
  toolchain::PhaseTimes milliseconds;
};

// Compiles in a child, with the cache of compiled programs that the environment
// names (toolchain/compile_cache.h).
ChildCompilation CompileInChild(const toolchain::CompileOptions& options);

// What compiles kernels on this machine with Belay's headers; `output` and
// `sources` are left to the caller.
toolchain::CompileOptions DefaultCompileOptions();

// The same for the host code of operators: with the precompiled host headers.
toolchain::CompileOptions DefaultHostCompileOptions();

}  // namespace belay::guest

#endif  // BELAY_GUEST_COMPILE_CHILD_H_
