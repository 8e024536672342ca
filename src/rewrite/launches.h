// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REWRITE_LAUNCHES_H_
#define BELAY_REWRITE_LAUNCHES_H_

// Launches in a source: k<<<blocks, l2, stream>>>(…), in code and in macros.

#include <cstddef>
#include <vector>

#include "rewrite/edits.h"
#include "rewrite/kernels.h"
#include "rewrite/tokens.h"

namespace belay::rewrite {

// A launch as a range of tokens: callee [callee, open), "<<<" at open, ">>>" at
// close.
struct Launch {
  size_t callee = 0;
  size_t open = 0;
  size_t close = 0;
};

std::vector<Launch> FindLaunches(const std::vector<Token>& tokens);

// Turns each launch into a call of belay::host::Prepare (belay/host_launch.h).
// `kernels` say on which cores a kernel of this source runs.
void RewriteLaunches(const std::vector<Token>& tokens,
                     const std::vector<Kernel>& kernels, Edits& edits);

}  // namespace belay::rewrite

#endif  // BELAY_REWRITE_LAUNCHES_H_
