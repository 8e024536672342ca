// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_BUILD_H_
#define BELAY_RUNS_BUILD_H_

// Which Belay this is, to the byte.

#include <string>

namespace belay::runs {

// 32 hex digits over this program, its plugin for references, the headers
// kernels see and the chips' numbers. Some 20 ms, once for a process.
const std::string& BelayBuild();

}  // namespace belay::runs

#endif  // BELAY_RUNS_BUILD_H_
