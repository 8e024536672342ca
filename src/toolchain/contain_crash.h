// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_CONTAIN_CRASH_H_
#define BELAY_TOOLCHAIN_CONTAIN_CRASH_H_

// Keeps what is known when LLVM gives up on its input.

#include <functional>
#include <vector>

#include "base/diagnostic.h"

namespace belay::toolchain {

// Runs `work`. A fatal error, an abort or a wild access inside LLVM ends it
// with one more diagnostic; memory it held is lost. C++ exceptions pass.
void ContainCrash(std::vector<Diagnostic>& diagnostics,
                  const std::function<void()>& work);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_CONTAIN_CRASH_H_
